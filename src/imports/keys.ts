/** Rows that find their record by values that the mapping calls a key, where they have no number. */
import { findKeyed, type Keyed, keysOf } from "../records/keyed.ts";
import { currentSchema } from "../records/schema.ts";
import type { Services, Sql, Tx } from "../services.ts";
import type { RowOptions } from "./items.ts";
import type { Mapping } from "./mapping.ts";
import type { MappedRow } from "./row.ts";

type Options = Pick<RowOptions, "kind" | "idnoStrategy">;

/** Fields that are keys, in the order of the mapping. With the idno strategy `skip` only numbers count. */
export function keyFields(mapping: Mapping, { idnoStrategy }: Options): string[] {
  if (idnoStrategy === "skip") return [];
  return [
    ...new Set(mapping.flatMap(({ key, target }) => (key && target.kind === "field" ? [target.name] : []))),
  ];
}

/** Names by which other rows may mean the same record. */
export function keyNames(mapped: MappedRow, fields: readonly string[], options: Options): string[] {
  if (isNumbered(mapped, options)) return [];
  return fields.flatMap((field) => keysOf(options.kind, field, mapped.fields));
}

const isNumbered = ({ idno }: MappedRow, { idnoStrategy }: Options): boolean =>
  idnoStrategy !== "auto" && idno !== undefined;

export async function findByKeys(
  services: Services,
  sql: Sql | Tx,
  fields: readonly string[],
  rows: readonly MappedRow[],
  options: Options,
): Promise<Keyed[]> {
  if (fields.length === 0) return rows.map(() => ({}));
  const schema = await currentSchema(services.sql, undefined, sql);
  const items = rows.map((mapped) => (isNumbered(mapped, options) ? {} : mapped.fields));
  return findKeyed(sql, schema, options.kind, fields, items);
}

/** Splits rows into rounds, so that rows with the same key are saved one after the other. */
export function inRounds(
  rows: readonly MappedRow[],
  fields: readonly string[],
  options: Options,
): number[][] {
  const seen = new Map<string, number>();
  const turns: number[][] = [[]];
  rows.forEach((mapped, index) => {
    const names = keyNames(mapped, fields, options);
    const turn = 1 + Math.max(-1, ...names.map((name) => seen.get(name) ?? -1));
    for (const name of names) seen.set(name, turn);
    const members = turns[turn] ?? [];
    members.push(index);
    turns[turn] = members;
  });
  return turns;
}
