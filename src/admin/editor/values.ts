/** The values in the editor's form: read from a record or from a sent form, and turned into the body of a write. */
import type { Caller } from "../../caller.ts";
import { type Kind, type KindColumn, kinds } from "../../records/kinds.ts";
import type { Entry, Metadata, RecordRow } from "../../records/record.ts";
import type { Field, Schema } from "../../records/schema.ts";
import { visibleMetadata } from "../../records/visibility.ts";

/** All values as texts, so that the form can show invalid ones again. */
export type Values = {
  idno: string;
  subtype: string;
  status: string;
  /** `parent_id`: the number of the parent record. */
  columns: Partial<Record<KindColumn, string>>;
  metadata: Metadata;
};

/** @param parent the number of the parent record; empty for none */
export function valuesOfRecord(schema: Schema, caller: Caller, row: RecordRow, parent: string): Values {
  const columns = Object.fromEntries(
    kinds[row.record_type].columns.map((column) => [
      column,
      column === "parent_id" ? parent : String(row[column] ?? ""),
    ]),
  );
  const { idno, subtype, status } = row;
  const metadata = visibleMetadata(schema, caller, row.record_type, row.metadata);
  return { idno, subtype, status, columns, metadata };
}

/** The first values of a new record. @param last the subtype that the caller used last */
export function newValues(schema: Schema, kind: Kind, last: string | null): Values {
  const subtypes = [...(schema.subtypes.get(kind)?.values() ?? [])];
  const used = subtypes.find(({ name }) => name === last);
  return {
    idno: "",
    subtype: (used ?? subtypes.find(({ is_default }) => is_default) ?? subtypes[0])?.name ?? "",
    status: "draft",
    columns: kinds[kind].columns.includes("collection_status") ? { collection_status: "active" } : {},
    metadata: {},
  };
}

/** A control's name is the JSON Pointer of its value without the first slash, so that faults find it. */
export const ENTRY = /^metadata_\/([a-z0-9_]{1,63})\/(\d{1,4})\/value$/;

export const entryName = (field: string, index: number, part: "value" | "lang"): string =>
  `metadata_/${field}/${index}/${part}`;

/** The names of the controls for these values. */
export const controlsOf = ({ metadata }: Values): [name: string, value: string][] =>
  Object.entries(metadata).flatMap(([field, entries]) =>
    entries.map(({ value }, index): [string, string] => [entryName(field, index, "value"), value]),
  );

/** Browsers send lines that end in CR LF (HTML §4.10.21.7). */
const withoutReturns = (text: string): string => text.replaceAll("\r\n", "\n");

/** A new term, typed next to a list of terms, becomes the value of the field. */
export function withNewTerms(form: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const fresh = [...form].filter(([name, text]) => /^metadata_\/.*\/new$/.test(name) && text.trim() !== "");
  return new Map([
    ...form,
    ...fresh.map(([name, text]) => [name.replace(/new$/, "value"), text.trim()] as const),
  ]);
}

export function valuesOfForm(kind: Kind, form: ReadonlyMap<string, string>): Values {
  const entries = new Map<string, [number, Entry][]>();
  for (const [name, value] of withNewTerms(form)) {
    const [, field, index] = ENTRY.exec(name) ?? [];
    if (field === undefined || index === undefined) continue;
    const lang = form.get(entryName(field, Number(index), "lang"))?.trim();
    const entry = { value: withoutReturns(value), ...(lang ? { lang } : {}) };
    entries.set(field, [...(entries.get(field) ?? []), [Number(index), entry]]);
  }
  const { subtypeKey, columns } = kinds[kind];
  return {
    idno: form.get("idno") ?? "",
    subtype: form.get(subtypeKey) ?? "",
    status: form.get("status") ?? "",
    columns: Object.fromEntries(columns.map((column) => [column, form.get(column) ?? ""])),
    metadata: Object.fromEntries(
      [...entries].map(([field, list]) => [field, list.sort(([a], [b]) => a - b).map(([, entry]) => entry)]),
    ),
  };
}

/**
 * The body of a write. `fields`: those in the form; empty ones are removed.
 * @param parentId the id of the parent record, found by its number
 */
export function bodyOf(
  kind: Kind,
  values: Values,
  fields: readonly Field[],
  parentId: string | null,
): Record<string, unknown> {
  const { subtypeKey, columns } = kinds[kind];
  const body: Record<string, unknown> = {
    idno: values.idno,
    [subtypeKey]: values.subtype,
    status: values.status,
  };
  for (const column of columns) body[column] = columnValue(column, values.columns[column] ?? "", parentId);
  body.metadata_ = Object.fromEntries(
    fields.map(({ name }) => {
      const entries = values.metadata[name] ?? [];
      return [name, entries.length > 0 ? entries : null];
    }),
  );
  return body;
}

function columnValue(column: KindColumn, text: string, parentId: string | null): unknown {
  if (column === "parent_id") return parentId;
  if (text.trim() === "") return null;
  if (column !== "lat" && column !== "lon") return text.trim();
  const number = Number(text.trim().replace(",", "."));
  return Number.isFinite(number) ? number : text;
}

/** The body for a new record, which has no values to remove. */
export function newBodyOf(body: Record<string, unknown>): Record<string, unknown> {
  const isFilled = (value: unknown) => value !== null && value !== "";
  const { metadata_, ...rest } = body;
  return {
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => isFilled(value))),
    metadata_: Object.fromEntries(Object.entries(metadata_ as object).filter(([, value]) => isFilled(value))),
  };
}
