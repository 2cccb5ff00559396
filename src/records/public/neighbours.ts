/** What visitors see of a record where another one mentions it. */
import { VISITOR } from "../../caller.ts";
import { plainArray } from "../../ids.ts";
import type { Sql } from "../../services.ts";
import { kinds } from "../kinds.ts";
import type { Metadata } from "../record.ts";
import { isNamedElsewhere, type Schema } from "../schema.ts";
import { maySeeField, publicDate, visibleTo } from "../visibility.ts";
import type { Neighbour } from "./loaded.ts";

/**
 * The public records among these, by id, with the data that is shown where they are mentioned.
 * @param only fields to read besides the names: reading all fields takes five times as long
 */
export async function findNeighbours(
  sql: Sql,
  schema: Schema,
  ids: readonly string[],
  only?: readonly string[],
): Promise<ReadonlyMap<string, Neighbour>> {
  if (ids.length === 0) return new Map();
  const shownFields = [...schema.fields.values()]
    .flatMap((fields) => [...fields.values()])
    .filter((field) => isNamedElsewhere(field) && maySeeField(VISITOR, field))
    .filter(
      ({ record_type, name }) => !only || name === kinds[record_type].titleField || only.includes(name),
    );
  const fields = plainArray([...new Set(shownFields.map(({ name }) => name))]);
  const rows = await sql<(Omit<Neighbour, "names" | "metadata"> & { metadata: Metadata | null })[]>`
    select r.id, r.record_type, r.subtype, r.idno, r.lat, r.lon,
      ${publicDate(sql)} as updated_at,
      (select json_object_agg(n, r.metadata -> n) from unnest(${fields}::text[]) n where r.metadata ? n) as metadata
    from records r where r.id = any(${plainArray([...new Set(ids)])}::uuid[]) and ${visibleTo(sql, VISITOR)}`;
  return new Map(
    rows.map((row) => {
      const own = shownFields.filter(
        ({ record_type, name }) => record_type === row.record_type && row.metadata?.[name],
      );
      const metadata = Object.fromEntries(own.map(({ name }) => [name, row.metadata![name]!]));
      return [row.id, { ...row, metadata, names: metadata[kinds[row.record_type].titleField] ?? [] }];
    }),
  );
}
