/** Where storage locations are: many rooms have a "Shelf 3", so lists, sheets and pages name the room as well. */
import type { Caller } from "../../caller.ts";
import { plainArray } from "../../ids.ts";
import type { Sql } from "../../services.ts";
import { namesColumn } from "../read/store.ts";
import { bestTitle, type Entry } from "../record.ts";
import type { Schema } from "../schema.ts";
import { visibleNames, visibleTo } from "../visibility.ts";

/** By id, the names from the outermost: `Depot 1 › Shelf 3`. Only of locations inside others that the reader may see. */
export async function locationPaths(
  sql: Sql,
  schema: Schema,
  reader: Caller,
  languages: readonly string[],
  records: readonly { id: string; record_type: string }[],
): Promise<ReadonlyMap<string, string>> {
  const ids = records.flatMap(({ id, record_type }) => (record_type === "storage_location" ? id : []));
  if (ids.length === 0) return new Map();
  const rows = await sql<{ of: string; idno: string; names: Entry[] | null }[]>`
    with recursive up as (
      select r.id as of, r.id, r.parent_id, 0 as height from records r
      where r.id = any(${plainArray([...new Set(ids)])}::uuid[]) and ${visibleTo(sql, reader)}
      union all
      select up.of, r.id, r.parent_id, up.height + 1
      from up join records r on r.id = up.parent_id
      where ${visibleTo(sql, reader)})
    select up.of, r.idno, ${namesColumn(sql)} as names
    from up join records r on r.id = up.id order by up.of, up.height desc`;
  const paths = new Map<string, string[]>();
  for (const { of, idno, names } of rows) {
    const name = bestTitle(visibleNames(schema, reader, "storage_location", names), languages) ?? idno;
    paths.set(of, [...(paths.get(of) ?? []), name]);
  }
  return new Map([...paths].flatMap(([id, names]) => (names.length > 1 ? [[id, names.join(" › ")]] : [])));
}
