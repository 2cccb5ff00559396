/** What an import over the API is asked with: the fields of its form, or the parameters of its job. */
import { z } from "zod";
import { readAs } from "../http/faults.ts";
import { type Fault, invalid } from "../problem.ts";
import { KINDS } from "../records/kinds.ts";
import { IDNO_STRATEGIES, UPSERT_STRATEGIES } from "./items.ts";
import { mapsIdno } from "./mapping.ts";
import type { ImportOptions } from "./options.ts";

/** Characters of a mapping. */
const LONGEST_MAPPING = 500_000;

const yes = z.enum(["true", "false"]).default("false");

/** Text, as forms have nothing else. */
export const ImportForm = z.strictObject({
  type: z.enum(KINDS).openapi({ description: "What the records are" }),
  mapping: z.string().max(LONGEST_MAPPING).openapi({
    description:
      'The mapping as JSON, as for svc-manage import-csv and import-xml. A relation with `"create": false` links only to records that are there',
  }),
  record_xpath: z.string().min(1).max(2_000).optional().openapi({
    description: "Selects each record, namespaces in Clark notation; given, the file is XML, else CSV",
  }),
  subtype: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .openapi({ description: "Subtype of records that give none" }),
  idno_strategy: z.enum(IDNO_STRATEGIES).optional().openapi({
    description: "Without it: `column` when something is mapped to `__idno__`, else `auto`",
  }),
  upsert_strategy: z.enum(UPSERT_STRATEGIES).default("skip"),
  auto_publish: yes,
  media_selector: z.string().min(1).max(2_000).optional(),
  encoding: z.string().min(1).max(40).optional(),
  delimiter: z.string().min(1).max(10).optional(),
  dry_run: yes.openapi({ description: "Say field by field what would be done; write nothing" }),
});

type ImportFields = z.output<typeof ImportForm>;

/** As the parameters of its job show it. */
export type ImportRequest = Omit<ImportFields, "auto_publish" | "dry_run"> & {
  auto_publish: boolean;
  dry_run: boolean;
};

/** The form, when every field of it can be understood. */
export function readImportForm(fields: ReadonlyMap<string, string>): ImportRequest {
  const read = readAs(ImportForm, Object.fromEntries(fields));
  if ("faults" in read) throw invalid(read.faults);
  const { auto_publish, dry_run } = read.data;
  return { ...read.data, auto_publish: auto_publish === "true", dry_run: dry_run === "true" };
}

/** The options of the import that is asked for; `mapping` as `readMapping` gives it. */
export function optionsOf(form: Omit<ImportRequest, "mapping">, mapping: unknown): ImportOptions {
  return {
    kind: form.type,
    mapping,
    subtype: form.subtype,
    idnoStrategy: form.idno_strategy ?? (mapsIdno(mapping) ? "column" : "auto"),
    upsertStrategy: form.upsert_strategy,
    autoPublish: form.auto_publish,
    mediaSelector: form.media_selector,
    encoding: form.encoding,
    delimiter: form.delimiter,
    dryRun: form.dry_run,
    recordXPath: form.record_xpath,
  };
}

/** The mapping in its form, which must be JSON. */
export function readMapping(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    const fault: Fault = {
      pointer: "/mapping",
      detail: `is not JSON: ${(error as Error).message.slice(0, 200)}`,
    };
    throw invalid([fault]);
  }
}
