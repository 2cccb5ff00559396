/** What an import over the API is asked with: the fields of its form, or the parameters of its job. */
import { z } from "zod";
import type { Account } from "../caller.ts";
import { readAs } from "../http/faults.ts";
import { type Fault, invalid } from "../problem.ts";
import { KINDS, type Kind } from "../records/kinds.ts";
import type { Services } from "../services.ts";
import { IDNO_STRATEGIES, UPSERT_STRATEGIES } from "./items.ts";
import { LIDO_RECORDS, lidoReading } from "./lido.ts";
import { mapsIdno } from "./mapping.ts";
import type { ImportOptions } from "./options.ts";

/** Characters of a mapping. */
const LONGEST_MAPPING = 500_000;

const yes = z.enum(["true", "false"]).default("false");

/** Text, as forms have nothing else. */
export const ImportForm = z.strictObject({
  format: z.enum(["lido"]).optional().openapi({
    description: "`lido`: objects from LIDO, as svc-manage import-lido reads them, without a mapping",
  }),
  type: z.enum(KINDS).optional().openapi({ description: "What the records are; required without `format`" }),
  mapping: z.string().max(LONGEST_MAPPING).optional().openapi({
    description:
      'The mapping as JSON, as for svc-manage import-csv and import-xml; required without `format`. A relation with `"create": false` links only to records that are there',
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
  upsert_strategy: z.enum(UPSERT_STRATEGIES).default("skip").openapi({
    description: "`link` adds links between records that exist, and writes nothing else",
  }),
  auto_publish: yes,
  media_selector: z.string().min(1).max(2_000).optional(),
  encoding: z.string().min(1).max(40).optional(),
  delimiter: z.string().min(1).max(10).optional(),
  dry_run: yes.openapi({ description: "Say field by field what would be done; write nothing" }),
});

type ImportFields = z.output<typeof ImportForm>;

/** As the parameters of its job show it. `mapping`: empty where the format needs none. */
export type ImportRequest = Omit<ImportFields, "type" | "mapping" | "auto_publish" | "dry_run"> & {
  type: Kind;
  mapping: string;
  auto_publish: boolean;
  dry_run: boolean;
};

/** The form, when every field of it can be understood. */
export function readImportForm(fields: ReadonlyMap<string, string>): ImportRequest {
  const read = readAs(ImportForm, Object.fromEntries(fields));
  if ("faults" in read) throw invalid(read.faults);
  const { format, type, mapping } = read.data;
  const own = { auto_publish: read.data.auto_publish === "true", dry_run: read.data.dry_run === "true" };
  if (format === undefined && type !== undefined && mapping !== undefined) {
    return { ...read.data, type, mapping, ...own };
  }
  const faults = format === undefined ? missing({ type, mapping }) : strange(read.data);
  if (faults.length > 0) throw invalid(faults);
  return { ...read.data, type: "object", mapping: "", record_xpath: LIDO_RECORDS, ...own };
}

const missing = (fields: Partial<ImportFields>): Fault[] =>
  (["type", "mapping"] as const)
    .filter((name) => fields[name] === undefined)
    .map((name) => ({ pointer: `/${name}`, detail: "is required, unless format is lido" }));

/** What LIDO says by itself. */
const strange = (fields: ImportFields): Fault[] => [
  ...(["mapping", "record_xpath", "media_selector", "delimiter"] as const)
    .filter((name) => fields[name] !== undefined)
    .map((name) => ({
      pointer: `/${name}`,
      detail: "is not taken with format=lido, which says it by itself",
    })),
  ...(fields.type === undefined || fields.type === "object"
    ? []
    : [{ pointer: "/type", detail: "is object with format=lido" }]),
];

/** The options of an import as its job, or its sender, has them. `mapping`: the text of the form. */
export async function readOptions(
  services: Pick<Services, "sql" | "config">,
  caller: Account,
  form: Omit<ImportRequest, "mapping">,
  mapping: string,
): Promise<ImportOptions> {
  if (form.format === undefined) return optionsOf(form, readMapping(mapping));
  const reading = await lidoReading(services, caller);
  return { ...optionsOf(form, reading.mapping), ...reading };
}

/** `mapping` as `readMapping` gives it. */
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
function readMapping(text: string): unknown {
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
