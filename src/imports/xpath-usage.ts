/**
 * Counts in how many records each XPath of a mapping found something; one that never does is probably wrong. Also collects the
 * elements and attributes that no XPath has read.
 */

import { type Said, said } from "../messages/said.ts";
import type { RowOutcome } from "./options.ts";
import { shortColumn } from "./targets.ts";
import { LOOKED_THROUGH } from "./unmapped.ts";

const MOST_PLACES = 200;
/** How many places the report names. */
const NAMED = 30;

/** How many characters of an XPath are shown: its beginning and its end, which says more. */
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
          unmapped.set(place, (unmapped.get(place) ?? 0) + 1);
      }
      for (const [xpath, values] of row.values)
        found.set(xpath, (found.get(xpath) ?? 0) + (values.length > 0 ? 1 : 0));
    },

    /** Each XPath with the number of records, for a table. */
    rows: (): [number, string][] => [...found].map(([xpath, n]) => [n, shown(xpath)]),

    lines(): Said[] {
      const unsuccessful = [...found].filter(([, n]) => n === 0);
      if (records === 0 || unsuccessful.length === 0) return [];
      const lines = unsuccessful.map(([xpath]) => said("job.report.item", { item: shown(xpath) }));
      return [said("job.report.found_nowhere"), ...lines];
    },

    /** For the report; the counterpart of columns that a mapping leaves out. */
    unmapped(): Said[] {
      if (unmapped.size === 0) return [];
      const all = [...unmapped].sort(([, a], [, b]) => b - a).map(([place, n]) => `${place} (${n})`);
      const named = all.slice(0, NAMED).join(", ");
      const more = all.length - NAMED;
      const places = more > 0 ? said("job.report.list_and_more", { list: named, count: more }) : named;
      return [
        records > LOOKED_THROUGH
          ? said("job.report.unmapped_in_first", { places, count: LOOKED_THROUGH })
          : said("job.report.unmapped", { places }),
      ];
    },

    json: () => ({ found: Object.fromEntries(found), unmapped: Object.fromEntries(unmapped) }),
  };
}
