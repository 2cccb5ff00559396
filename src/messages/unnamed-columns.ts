/** Columns without a name. Mappings call one `column 3 (no name)`, in every language. */
import type { Translate } from "./translate.ts";

export const unnamedColumn = (number: number): string => `column ${number} (no name)`;

/** Names of columns for a reader: those without a name in the reader's language. */
export const columnsPlainly = (t: Translate, names: string): string =>
  names.replace(/\bcolumn (\d+) \(no name\)/g, (_, number: string) =>
    t("job.import.unnamed_column", { number }),
  );
