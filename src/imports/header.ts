/** Compares a mapping with the header of the file before any row is read. */
import { didYouMean } from "../nearest.ts";
import type { Fault } from "../problem.ts";
import { columnsNamed, type Mapping } from "./mapping.ts";
import { LINE, REASON } from "./rejects.ts";
import { quoted } from "./targets.ts";

/** A fault for each column that the mapping names (also in templates) and the file does not have, with the most similar name. */
export function checkHeader(mapping: Mapping, header: readonly string[]): Fault[] {
  const known = new Set(header);
  const faults = new Map<string, Fault>();
  for (const [name, at] of columnsNamed(mapping)) {
    if (known.has(name)) continue;
    const hint = didYouMean(name, header);
    faults.set(`${at} ${name}`, { pointer: at, detail: `the file has no column ${quoted(name)}${hint}` });
  }
  for (const { role, pointer, column } of mapping) {
    if (!role || !("text" in role) || role.text === column || !known.has(role.text)) continue;
    const detail = `is a column of the file: write {"column": ${quoted(role.text)}} to read the roles from it`;
    faults.set(`${pointer} role`, { pointer: `${pointer}/role`, detail });
  }
  return [...faults.values()];
}

/** How the message about unused columns begins, by which the page of an import finds it. */
export const UNUSED_COLUMNS = "Columns that the mapping does not use: ";

/** The columns of the file that the mapping does not use. */
export function unusedColumns(mapping: Mapping, header: readonly string[]): string[] {
  const used = new Set(columnsNamed(mapping).map(([column]) => column));
  return header.filter((name) => !used.has(name) && name !== LINE && name !== REASON);
}
