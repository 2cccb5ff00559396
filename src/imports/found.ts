/** In how many records each XPath of a mapping found something: one that never does is probably written wrongly. */
import type { RowOutcome } from "./options.ts";
import { shortColumn } from "./targets.ts";
import { count } from "./words.ts";

/** Characters of an XPath that are shown: its beginning and, which says more, its end. */
const SHOWN = 100;

function shown(xpath: string): string {
  const short = shortColumn(xpath);
  return short.length > SHOWN ? `${short.slice(0, 30)}…${short.slice(31 - SHOWN)}` : short;
}

export function createFound() {
  const found = new Map<string, number>();
  let records = 0;
  return {
    take({ row }: RowOutcome): void {
      if (row.values.size === 0) return;
      records += 1;
      for (const [xpath, said] of row.values)
        found.set(xpath, (found.get(xpath) ?? 0) + (said.length > 0 ? 1 : 0));
    },

    /** Each XPath with its number, for a table. */
    rows: (): [string, string][] => [...found].map(([xpath, n]) => [count(n), shown(xpath)]),

    lines(): string[] {
      const vain = [...found].filter(([, n]) => n === 0).map(([xpath]) => `  ${shown(xpath)}`);
      return records === 0 || vain.length === 0 ? [] : ["Found in no record:", ...vain];
    },

    json: () => Object.fromEntries(found),
  };
}
