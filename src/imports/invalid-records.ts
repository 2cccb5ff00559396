/** Reports records that are not valid in their format: they were imported as far as they can be read. */
import { type Said, said } from "../messages/said.ts";
import { countedUnits, item } from "./counts.ts";
import type { RowOutcome } from "./options.ts";

/** How many are shown, and how many are listed in the result of the job; all are counted. */
const SHOWN = 5;
const LISTED = 1_000;

export function createInvalidRecords() {
  const first: { line: number; faults: readonly Said[] }[] = [];
  let count = 0;
  return {
    take({ row }: RowOutcome): void {
      if (!row.invalid?.length) return;
      count += 1;
      if (first.length < LISTED) first.push({ line: row.line, faults: row.invalid });
    },

    lines(): Said[] {
      if (count === 0) return [];
      const shown = first.slice(0, SHOWN);
      return [
        said("job.report.invalid", { records: countedUnits(count, "record") }),
        ...shown.map(({ line, faults }) =>
          item("job.report.at_line", { line: String(line), reason: faults[0]! }),
        ),
        ...(count > shown.length ? [item("job.report.more", { count: count - shown.length })] : []),
      ];
    },

    json: () => ({ invalid: { count, first } }),
  };
}
