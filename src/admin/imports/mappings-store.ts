/** SQL of mappings: meanings of columns, saved under a name for the next list from the same source. */

import { newId } from "../../ids.ts";
import { said } from "../../messages/said.ts";
import { Problem } from "../../problem.ts";
import type { Kind } from "../../records/kinds.ts";
import type { Sql } from "../../services.ts";
import type { ColumnChoice } from "./form.ts";

const MOST_MAPPINGS = 500;

export type KeptMapping = {
  id: string;
  record_type: Kind;
  name: string;
  columns: readonly (ColumnChoice & { column: string })[];
  /** The form's options by name. */
  options: Readonly<Record<string, string>>;
  changed_at: string;
};

/** Sorted by name. */
export async function listMappings(sql: Sql, kinds: readonly Kind[]): Promise<KeptMapping[]> {
  return sql<KeptMapping[]>`
    select id, record_type, name, columns, options, changed_at from import_mappings
    where record_type = any(${kinds as string[]}) order by lower(name), id`;
}

/** Saves a mapping; replaces one of the same kind and name. 409 if there are too many. */
export async function saveMapping(
  sql: Sql,
  { record_type, name, columns, options }: Omit<KeptMapping, "id" | "changed_at">,
): Promise<void> {
  const kept = await sql`
    insert into import_mappings (id, record_type, name, columns, options)
    select ${newId()}, ${record_type}, ${name}, ${sql.json(columns as never)}, ${sql.json(options)}
    where (select count(*) from import_mappings) < ${MOST_MAPPINGS}
    on conflict (record_type, lower(name)) do update
      set name = excluded.name, columns = excluded.columns, options = excluded.options, changed_at = now()`;
  if (kept.count === 0)
    throw new Problem("conflict", said("problem.kept_mapping.too_many", { count: MOST_MAPPINGS }));
}

/** The name, if no mapping has it and there is room for one more; otherwise empty. */
export async function unusedName(sql: Sql, kind: Kind, name: string): Promise<string> {
  const [row] = await sql<{ used: number; all: number }[]>`
    select count(*) filter (where record_type = ${kind} and lower(name) = lower(${name}))::int as used, count(*)::int as all
    from import_mappings`;
  return row!.used > 0 || row!.all >= MOST_MAPPINGS ? "" : name;
}

/** Answers whether the mapping exists. */
export async function renameMapping(sql: Sql, id: string, name: string): Promise<boolean> {
  const renamed = await sql`update import_mappings set name = ${name}, changed_at = now() where id = ${id}`;
  return renamed.count > 0;
}

export async function deleteMapping(sql: Sql, id: string): Promise<boolean> {
  const gone = await sql`delete from import_mappings where id = ${id}`;
  return gone.count > 0;
}
