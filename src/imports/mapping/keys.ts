/** Finds the records of rows without a number by fields that the mapping marks as keys. */
import { findRecordsByKeys, type KeyMatch, keysOf } from "../../records/read/find-by-keys.ts";
import { currentSchema } from "../../records/schema.ts";
import type { Services, Sql, Tx } from "../../services.ts";
import type { RowOptions } from "../save/items.ts";
import type { MappedRow } from "./mapped-row.ts";
import type { Mapping } from "./mapping.ts";

type Options = Pick<RowOptions, "kind" | "idnoStrategy">;

/** The key fields, in the order of the mapping. With the idno strategy `skip`, only numbers count. */
export function keyFields(mapping: Mapping, { idnoStrategy }: Options): string[] {
  if (idnoStrategy === "skip") return [];
  return [
    ...new Set(mapping.flatMap(({ key, target }) => (key && target.kind === "field" ? [target.name] : []))),
  ];
}

/** The keys of the row. Rows that share a key have the same record. */
export function keyNames(mapped: MappedRow, fields: readonly string[], options: Options): string[] {
  if (isNumbered(mapped, options)) return [];
  return fields.flatMap((field) => keysOf(options.kind, field, mapped.fields));
}

const isNumbered = ({ idno }: MappedRow, { idnoStrategy }: Options): boolean =>
  idnoStrategy !== "auto" && idno !== undefined;

/** Whether the row finds its record if it is imported again. */
export const findsRecord = (mapped: MappedRow, fields: readonly string[], options: Options): boolean =>
  isNumbered(mapped, options) || keyNames(mapped, fields, options).length > 0;

export async function findByKeys(
  services: Services,
  sql: Sql | Tx,
  fields: readonly string[],
  rows: readonly MappedRow[],
  options: Options,
): Promise<KeyMatch[]> {
  if (fields.length === 0) return rows.map(() => ({}));
  const schema = await currentSchema(services.sql, undefined, sql);
  const items = rows.map((mapped) => (isNumbered(mapped, options) ? {} : mapped.fields));
  return findRecordsByKeys(sql, schema, options.kind, fields, items);
}
