/**
 * Counts in how many records each XPath of a mapping found something: one that finds nothing is probably wrong. Also collects
 * what no XPath has read.
 */

import { count } from "./counts.ts";
import type { RowOutcome } from "./options.ts";
import { shortColumn } from "./targets.ts";
import { LOOKED_THROUGH } from "./unmapped.ts";

const MOST_PLACES = 200;
/** Places that a sentence names. */
const NAMED = 30;

/** Characters of an XPath that are shown: its beginning and, which says more, its end. */
const SHOWN = 100;

function shown(xpath: string): string {
  const short = shortColumn(xpath);
  return short.length > SHOWN ? `${short.slice(0, 30)}…${short.slice(31 - SHOWN)}` : short;
}

export function createXPathUsage() {
  const found = new Map<string, number>();
  const unmapped = new Map<string, number>();
  let records = 0;
  return {
    take({ row }: RowOutcome): void {
      if (row.values.size === 0) return;
      records += 1;
      for (const place of row.unmapped ?? []) {
        if (unmapped.size < MOST_PLACES || unmapped.has(place))
          unmapped.set(structuredClone(place), (unmapped.get(place) ?? 0) + 1);
      }
      for (const [xpath, said] of row.values)
        found.set(xpath, (found.get(xpath) ?? 0) + (said.length > 0 ? 1 : 0));
    },

    /** Each XPath with its number, for a table. */
    rows: (): [string, string][] => [...found].map(([xpath, n]) => [count(n), shown(xpath)]),

    lines(): string[] {
      const vain = [...found].filter(([, n]) => n === 0).map(([xpath]) => `  ${shown(xpath)}`);
      return records === 0 || vain.length === 0 ? [] : ["Found in no record:", ...vain];
    },

    /** As the columns of a list that are left out. */
    unmapped(): string[] {
      if (unmapped.size === 0) return [];
      const all = [...unmapped].sort(([, a], [, b]) => b - a).map(([place, n]) => `${place} (${count(n)})`);
      const more = all.length > NAMED ? ` and ${all.length - NAMED} more` : "";
      return [
        `Elements and attributes that the mapping leaves out, and how many ${records > LOOKED_THROUGH ? `of the first ${count(LOOKED_THROUGH)} ` : ""}records have them: ${all.slice(0, NAMED).join(", ")}${more}`,
      ];
    },

    json: () => ({ found: Object.fromEntries(found), unmapped: Object.fromEntries(unmapped) }),
  };
}
