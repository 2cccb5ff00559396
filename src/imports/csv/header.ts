/** Compares a mapping with the header of the file before any row is read. */
import { said } from "../../messages/said.ts";
import type { Fault } from "../../problem.ts";
import { nearest, withNear } from "../../text/nearest.ts";
import { columnsNamed, type Mapping } from "../mapping/mapping.ts";
import { brief } from "../mapping/targets.ts";
import { LINE, REASON } from "./rejects.ts";

/** One fault for each column that the mapping names, also in templates, but that the file lacks. Suggests the most similar name. */
export function checkHeader(mapping: Mapping, header: readonly string[]): Fault[] {
  const known = new Set(header);
  const faults = new Map<string, Fault>();
  for (const [name, at] of columnsNamed(mapping)) {
    if (known.has(name)) continue;
    const missing = said("fault.mapping.no_file_column", { column: brief(name) });
    faults.set(`${at} ${name}`, { pointer: at, detail: withNear(missing, nearest(name, header)) });
  }
  for (const entry of mapping) {
    const { pointer, column } = entry;
    for (const side of ["role", "qualifier"] as const) {
      const given = entry[side];
      if (!given || !("text" in given) || given.text === column || !known.has(given.text)) continue;
      const detail = said(`fault.mapping.${side}_is_column`, { column: brief(given.text) });
      faults.set(`${pointer} ${side}`, { pointer: `${pointer}/${side}`, detail });
    }
  }
  return [...faults.values()];
}

export function unusedColumns(mapping: Mapping, header: readonly string[]): string[] {
  const used = new Set(columnsNamed(mapping).map(([column]) => column));
  return header.filter((name) => !used.has(name) && name !== LINE && name !== REASON);
}
