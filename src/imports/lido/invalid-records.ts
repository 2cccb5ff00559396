/** Reports records that are invalid in their format. They were imported as far as they could be read. */
import { type Said, said } from "../../messages/said.ts";
import type { RowOutcome } from "../options.ts";
import { countedUnits, item, LISTED, listUnder } from "../report/counts.ts";

/** How many are shown, except in the whole report. */
const SHOWN = 5;

export function createInvalidRecords() {
  const first: { line: number; faults: readonly Said[] }[] = [];
  let count = 0;
  return {
    take({ row }: RowOutcome): void {
      if (!row.invalid?.length) return;
      count += 1;
      if (first.length < LISTED) first.push({ line: row.line, faults: row.invalid });
    },

    lines: (most = SHOWN): Said[] =>
      listUnder(said("job.report.invalid", { records: countedUnits(count, "record") }), first, {
        lineOf: ({ line, faults }) => item("job.report.at_line", { line: String(line), reason: faults[0]! }),
        most,
        all: count,
      }),

    json: () => ({ invalid: { count, first } }),
  };
}
