/** Reports rows with the number of an earlier row: one of the two is probably a typing mistake. */
import { kinds } from "../records/kinds.ts";
import { counted } from "./counts.ts";
import type { RowOutcome } from "./options.ts";
import type { MappedRow } from "./row.ts";

/** How many of these rows the report names; all are counted. */
const NAMED = 200;

const FATES: Readonly<Record<string, string>> = {
  skip: "left out",
  merge: "merged into its record",
  replace: "put in the place of its record",
};

/** Names a row without a number, which was found by a key. */
const titleOf = ({ record_type, fields }: MappedRow): string =>
  fields[kinds[record_type].titleField]?.[0]?.value ?? "";

export function createRepeatedNumbers(unit: string) {
  const named: { line: number; idno: string }[] = [];
  let count = 0;
  return {
    take({ row, mapped, repeated }: RowOutcome): void {
      if (!repeated) return;
      count += 1;
      // a copy: the number is a slice of the file's text, which would stay in memory
      if (named.length < NAMED)
        named.push(structuredClone({ line: row.line, idno: mapped.idno ?? titleOf(mapped) }));
    },

    lines(upsertStrategy: string): string[] {
      if (count === 0) return [];
      const shown = named.map(({ line, idno }) => `  line ${line}, ${idno}`);
      if (count > named.length) shown.push(`  … and ${(count - named.length).toLocaleString("en")} more`);
      const fate = FATES[upsertStrategy] ?? "";
      return [`${counted(count, unit)} with the number or key of an earlier ${unit} ${fate}:`, ...shown];
    },

    json: () => ({ repeated: count, repeated_lines: named }),
  };
}
