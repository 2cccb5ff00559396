/** What an import does that nobody may have meant: said before its first row. */

import { keyFields } from "./keys.ts";
import type { Mapping } from "./mapping.ts";
import type { ImportOptions } from "./options.ts";

export function warningsOf(mapping: Mapping, options: ImportOptions): string[] {
  const { idnoStrategy, upsertStrategy } = options;
  const numbers = mapping.some(({ target }) => target.kind === "idno");
  const warnings: string[] = [];
  if (idnoStrategy !== "auto") return warnings;
  if (numbers)
    warnings.push("The numbers of the file are left out: the idno strategy auto gives each record a new one");
  if (upsertStrategy !== "skip" && keyFields(mapping, options).length === 0)
    warnings.push(
      `Without numbers and without a key, rows find their records only if this very file was imported before; all others make new records, also of what is there. Map a column to __idno__, or say "key": true in the mapping where a field tells the records apart`,
    );
  return warnings;
}
