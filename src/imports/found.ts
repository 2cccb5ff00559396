/** In how many records each XPath of a mapping found something: one that never does is probably written wrongly. */
import type { RowOutcome } from "./save-rows.ts";
import { shortColumn } from "./targets.ts";
import { count } from "./words.ts";

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
    rows: (): [string, string][] => [...found].map(([xpath, n]) => [count(n), shortColumn(xpath)]),

    lines(): string[] {
      const vain = [...found].filter(([, n]) => n === 0).map(([xpath]) => `  ${shortColumn(xpath)}`);
      return records === 0 || vain.length === 0 ? [] : ["Found in no record:", ...vain];
    },

    json: () => Object.fromEntries(found),
  };
}
