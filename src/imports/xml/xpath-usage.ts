/** Counts in how many records each XPath of a mapping found something. One that finds nothing is probably wrong. */

import { type Said, said } from "../../messages/said.ts";
import { shortColumn } from "../mapping/targets.ts";
import type { RowOutcome } from "../options.ts";

/** How many characters of an XPath are shown: some of its beginning, and more of its end, which says more. */
const SHOWN = 100;

function shown(xpath: string): string {
  const short = shortColumn(xpath);
  return short.length > SHOWN ? `${short.slice(0, 30)}…${short.slice(31 - SHOWN)}` : short;
}

export function createXPathUsage() {
  const found = new Map<string, number>();
  let records = 0;
  return {
    take({ row }: RowOutcome): void {
      if (row.values.size === 0) return;
      records += 1;
      for (const [xpath, values] of row.values)
        found.set(xpath, (found.get(xpath) ?? 0) + (values.length > 0 ? 1 : 0));
    },

    /** The number of records and the XPath, for a table. */
    rows: (): [number, string][] => [...found].map(([xpath, n]) => [n, shown(xpath)]),

    lines(): Said[] {
      const unsuccessful = [...found].filter(([, n]) => n === 0);
      if (records === 0 || unsuccessful.length === 0) return [];
      const lines = unsuccessful.map(([xpath]) => said("job.report.item", { item: shown(xpath) }));
      return [said("job.report.found_nowhere"), ...lines];
    },

    json: () => ({ found: Object.fromEntries(found) }),
  };
}
