/** Reads the form of an import over the API into import options. */

import { z } from "zod";
import type { Account } from "../caller.ts";
import { readAs } from "../http/faults.ts";
import { demandSingleKeys } from "../http/request/json-keys.ts";
import { readJson } from "../http/request/json-text.ts";
import { said } from "../messages/said.ts";
import { type Fault, invalid, invalidAt } from "../problem.ts";
import { KINDS, type Kind } from "../records/kinds.ts";
import type { Services } from "../services.ts";
import { LIDO_RECORDS, lidoReading } from "./lido/lido.ts";
import { mapsIdno } from "./mapping/mapping.ts";
import type { ImportOptions } from "./options.ts";
import { IDNO_STRATEGIES, UPSERT_STRATEGIES } from "./save/items.ts";

/** Most characters of a mapping. */
const LONGEST_MAPPING = 500_000;

/** An empty field counts as missing, because HTML forms send all their fields. */
const unlessEmpty = <T extends string>(value: T | ""): T | undefined => (value === "" ? undefined : value);
const choice = <T extends string>(values: readonly T[]) =>
  z.enum(["" as const, ...values]).transform((value) => unlessEmpty(value as T | ""));
const yes = choice(["true", "false"]).optional();
const text = (most: number) => z.string().max(most).transform(unlessEmpty);

/** All values are strings, as in any form. The examples fill the form of /api/docs. */
export const ImportForm = z.strictObject({
  type: choice(KINDS).optional().openapi({
    description: "The type of the records; required without `format`",
    example: "object",
  }),
  mapping: text(LONGEST_MAPPING).optional().openapi({
    description:
      "Which column goes where, as JSON, as for `svc-manage import-csv` and `import-xml` (docs/imports.md); required without `format`",
    example: '{"number": "__idno__", "title": {"target": "title", "lang": "en"}}',
  }),
  dry_run: yes.openapi({
    description: "`true`: say field by field what would be done; write nothing",
  }),
  idno_strategy: choice(IDNO_STRATEGIES).optional().openapi({
    description:
      "`column`: the number mapped to `__idno__`; `auto`: the next number; `skip`: as `column`, but rows without a number are left out. Empty: `column` if something is mapped to `__idno__`, else `auto`",
    example: "",
  }),
  upsert_strategy: choice(UPSERT_STRATEGIES).optional().openapi({
    description:
      "What happens to records that exist. `skip` (also if empty): they stay as they are; `merge`: fields that a row gives are replaced; `replace`: the record becomes what the row says; `link`: links are added, nothing else is written",
  }),
  auto_publish: yes.openapi({
    description:
      "`true`: publish the records whose rows give no status, also records that `merge` or `replace` changes",
  }),
  subtype: text(200).optional().openapi({
    description: "Subtype for rows that give none, also of records that `merge` or `replace` changes",
    example: "",
  }),
  media_selector: text(2_000).optional().openapi({
    description: "A column (of XML, an XPath) with names of media files",
    example: "",
  }),
  encoding: text(40).optional().openapi({
    description: "Empty: detected",
    example: "",
  }),
  delimiter: text(10).optional().openapi({
    description: "Between the columns of a CSV file. Empty: detected",
    example: "",
  }),
  sheet: text(255).optional().openapi({
    description: "Of an Excel file: the name of the sheet. Empty: the first one that is not hidden",
    example: "",
  }),
  header_row: z
    .string()
    .regex(/^([1-9]\d{0,6})?$/)
    .transform((row) => (row === "" ? undefined : Number(row)))
    .optional()
    .openapi({
      description: "Of an Excel file: the number of the row that names the columns. Empty: detected",
      example: "",
    }),
  record_xpath: text(2_000).optional().openapi({
    description:
      "For XML: selects each record; names with a namespace are written `{uri}name`. Empty: the file is CSV or Excel, and its name must not end in .xml",
    example: "",
  }),
  format: choice(["lido"]).optional().openapi({
    description: "`lido`: objects from LIDO, without a mapping. Empty: CSV or XML with a mapping",
    example: "",
  }),
});

type ImportFields = z.output<typeof ImportForm>;

/** The checked form. Without `mapping` it becomes the parameters of the job. `mapping` is empty if the format needs none. */
export type ImportRequest = Omit<
  ImportFields,
  "type" | "mapping" | "upsert_strategy" | "auto_publish" | "dry_run"
> & {
  type: Kind;
  mapping: string;
  upsert_strategy: ImportOptions["upsertStrategy"];
  auto_publish: boolean;
  dry_run: boolean;
};

/** Checks the form. Throws a problem with all faults. `filename`: the name of the uploaded file. */
export function readImportForm(fields: ReadonlyMap<string, string>, filename: string): ImportRequest {
  const read = readAs(ImportForm, Object.fromEntries(fields));
  if ("faults" in read) throw invalid(read.faults);
  const { format, type, mapping } = read.data;
  const own = {
    upsert_strategy: read.data.upsert_strategy ?? "skip",
    auto_publish: read.data.auto_publish === "true",
    dry_run: read.data.dry_run === "true",
  };
  const faults = format === undefined ? missing(read.data, filename) : strange(read.data);
  if (faults.length > 0) throw invalid(faults);
  if (format === undefined) return { ...read.data, type: type!, mapping: mapping!, ...own };
  return { ...read.data, type: "object", mapping: "", record_xpath: LIDO_RECORDS, ...own };
}

const missing = (fields: ImportFields, filename: string): Fault[] => [
  ...(["type", "mapping"] as const)
    .filter((name) => fields[name] === undefined)
    .map((name) => ({ pointer: `/${name}`, detail: said("fault.import.required") })),
  ...(fields.record_xpath === undefined && /\.xml$/i.test(filename)
    ? [{ pointer: "/record_xpath", detail: said("fault.import.xpath_required") }]
    : []),
];

/** Fields that may not be sent with LIDO, because the format determines them. */
const strange = (fields: ImportFields): Fault[] => [
  ...(["mapping", "record_xpath", "media_selector", "delimiter", "sheet", "header_row"] as const)
    .filter((name) => fields[name] !== undefined)
    .map((name) => ({ pointer: `/${name}`, detail: said("fault.import.not_with_lido") })),
  ...(fields.type === undefined || fields.type === "object"
    ? []
    : [{ pointer: "/type", detail: said("fault.import.object_with_lido") }]),
];

/** `mapping`: the text in the form. */
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

/** `mapping`: parsed JSON. */
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
    sheet: form.sheet,
    headerRow: form.header_row,
    dryRun: form.dry_run,
    recordXPath: form.record_xpath,
  };
}

function readMapping(text: string): unknown {
  const mapping = readJson(text.replace(/^\uFEFF/, ""), (place) =>
    invalidAt("/mapping", said("fault.import.mapping_not_json", place)),
  );
  demandSingleKeys(text, "mapping");
  return mapping;
}
