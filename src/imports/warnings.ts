/** Warnings before the first row about what was probably not intended. */

import { keyFields } from "./keys.ts";
import type { Mapping } from "./mapping.ts";
import type { ImportOptions } from "./options.ts";

export function warningsOf(mapping: Mapping, options: ImportOptions): string[] {
  const { idnoStrategy, upsertStrategy } = options;
  const numbers = mapping.some(({ target }) => target.kind === "idno");
  const warnings: string[] = [];
  if (idnoStrategy !== "auto") return warnings;
  if (numbers)
    warnings.push(
      "The numbers in the file are ignored: the idno strategy auto gives each record a new number",
    );
  if (upsertStrategy !== "skip" && keyFields(mapping, options).length === 0)
    warnings.push(
      `Without numbers and without a key, rows find their records only if exactly this file was imported before. Any other file creates new records, even for existing ones. Map a column to __idno__, or say "key": true in the mapping where a field tells the records apart`,
    );
  return warnings;
}
