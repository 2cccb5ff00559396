/** Reports rows that were left out because an earlier row says the same of their record. */
import { type Said, said } from "../../messages/said.ts";
import { kinds } from "../../records/kinds.ts";
import type { MappedRow } from "../mapping/mapped-row.ts";
import type { RowOutcome } from "../options.ts";
import { countedUnits, item, LISTED, listUnder, type Unit } from "./counts.ts";

/** How many of these rows are shown, except in the whole report. */
const SHOWN = 200;

/** The title, to name a row without a number that was found by a key. */
const titleOf = ({ record_type, fields }: MappedRow): string =>
  fields[kinds[record_type].titleField]?.[0]?.value ?? "";

export function createRepeatedNumbers(unit: Unit) {
  const named: { line: number; idno: string }[] = [];
  let count = 0;
  return {
    take({ row, mapped, result }: RowOutcome): void {
      if (!("reason" in result && result.reason === "repeated")) return;
      count += 1;
      if (named.length < LISTED) named.push({ line: row.line, idno: mapped.idno ?? titleOf(mapped) });
    },

    lines: (most = SHOWN): Said[] =>
      listUnder(said("job.report.repeated", { units: countedUnits(count, unit), count, unit }), named, {
        lineOf: ({ line, idno }) => item("job.report.repeated_line", { line: String(line), idno }),
        most,
        all: count,
      }),

    json: () => ({ repeated: count, repeated_lines: named }),
  };
}
