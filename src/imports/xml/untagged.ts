/** Reports values of `xml:lang` that are not language tags. Their texts were imported without a language. */
import { type Said, said } from "../../messages/said.ts";
import type { RowOutcome } from "../options.ts";
import { listUnder, textLine } from "../report/counts.ts";

/** How many are shown, except in the whole report. */
const SHOWN = 5;
/** How many different values are counted. */
const MOST = 100;

export function createUntagged() {
  const records = new Map<string, { line: number; count: number }>();
  return {
    take({ row }: RowOutcome): void {
      for (const value of row.untagged ?? []) {
        const tag = value.slice(0, 80);
        const known = records.get(tag);
        if (known) known.count += 1;
        else if (records.size < MOST) records.set(tag, { line: row.line, count: 1 });
      }
    },

    lines: (most = SHOWN): Said[] =>
      listUnder(said("job.report.untagged"), [...records], { lineOf: textLine("record"), most }),

    json: () => [...records].map(([value, { line, count: n }]) => ({ value, records: n, line })),
  };
}
