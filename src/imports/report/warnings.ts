/** Warns before the first row about options that were probably not intended. */

import { type Said, said } from "../../messages/said.ts";
import { keyFields } from "../mapping/keys.ts";
import type { Mapping } from "../mapping/mapping.ts";
import type { ImportOptions } from "../options.ts";

export function warningsOf(mapping: Mapping, options: ImportOptions): Said[] {
  const { idnoStrategy, upsertStrategy } = options;
  const numbers = mapping.some(({ target }) => target.kind === "idno");
  const warnings: Said[] = [];
  if (idnoStrategy !== "auto") return warnings;
  if (numbers) warnings.push(said("job.import.numbers_ignored"));
  if (upsertStrategy !== "skip" && keyFields(mapping, options).length === 0)
    warnings.push(said("job.import.no_numbers"));
  return warnings;
}
