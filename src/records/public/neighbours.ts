/** What readers see of a record that another one or a list mentions: what they may see now, even if the index has more. */
import { type Caller, VISITOR } from "../../caller.ts";
import { plainArray } from "../../ids.ts";
import type { Sql } from "../../services.ts";
import { kinds } from "../kinds.ts";
import { bestEntry, type Entry, type Metadata, type RecordRow } from "../record.ts";
import { isNamedElsewhere, type Schema } from "../schema.ts";
import { maySeeField, publicDate, visibleTo } from "../visibility.ts";
import type { Neighbour } from "./loaded.ts";

/** A record with its names and the other requested fields. */
export type NamedRecord = Pick<
  RecordRow,
  "id" | "record_type" | "subtype" | "idno" | "status" | "metadata"
> & { names: readonly Entry[] };

/** The public records among these, by id, with everything that is shown where they are mentioned. */
export const findNeighbours = (
  sql: Sql,
  schema: Schema,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Neighbour>> =>
  findMentioned(sql, schema, VISITOR, ids, sql`r.lat, r.lon, ${publicDate(sql)} as updated_at`);

/** The records that the reader may see, with their names and these fields. Reading all fields takes five times as long. */
export const findNamed = (
  sql: Sql,
  schema: Schema,
  reader: Caller,
  ids: readonly string[],
  fields: readonly string[] = [],
): Promise<ReadonlyMap<string, NamedRecord>> =>
  findMentioned(sql, schema, reader, ids, sql`r.status`, fields);

async function findMentioned<R extends Omit<NamedRecord, "status">>(
  sql: Sql,
  schema: Schema,
  reader: Caller,
  ids: readonly string[],
  columns: ReturnType<typeof publicDate>,
  only?: readonly string[],
): Promise<ReadonlyMap<string, R>> {
  if (ids.length === 0) return new Map();
  const shownFields = [...schema.fields.values()]
    .flatMap((fields) => [...fields.values()])
    .filter((field) => isNamedElsewhere(field) && maySeeField(reader, field))
    .filter(
      ({ record_type, name }) => !only || name === kinds[record_type].titleField || only.includes(name),
    );
  const fields = plainArray([...new Set(shownFields.map(({ name }) => name))]);
  const rows = await sql<(Omit<R, "names" | "metadata"> & { metadata: Metadata | null })[]>`
    select r.id, r.record_type, r.subtype, r.idno, ${columns},
      (select json_object_agg(n, r.metadata -> n) from unnest(${fields}::text[]) n where r.metadata ? n) as metadata
    from records r where r.id = any(${plainArray([...new Set(ids)])}::uuid[]) and ${visibleTo(sql, reader)}`;
  return new Map(
    rows.map((row) => {
      const own = shownFields.filter(
        ({ record_type, name }) => record_type === row.record_type && row.metadata?.[name],
      );
      const metadata = Object.fromEntries(own.map(({ name }) => [name, row.metadata![name]!]));
      const named = { ...row, metadata, names: metadata[kinds[row.record_type].titleField] ?? [] };
      return [row.id, named as unknown as R];
    }),
  );
}

/** `lang`: the language of the title (BCP 47), if known. */
export type ShownRecord = Pick<RecordRow, "id" | "record_type" | "subtype" | "idno" | "title" | "status"> & {
  lang?: string;
};

/** The records of hits by id, without those deleted or hidden meanwhile. */
export async function readHits(
  sql: Sql,
  schema: Schema,
  reader: Caller,
  ids: readonly string[],
  languages: readonly string[],
): Promise<Map<string, ShownRecord>> {
  const named = await findNamed(sql, schema, reader, ids);
  return new Map([...named].map(([id, record]) => [id, shownAs(record, languages)]));
}

/** The title is in the best language; without a title, it is the number. */
export function shownAs(record: NamedRecord, languages: readonly string[]): ShownRecord {
  const { id, record_type, subtype, idno, status, names } = record;
  const { value: title, lang } = bestEntry(names, languages) ?? { value: idno };
  return { id, record_type, subtype, idno, title, ...(lang === undefined ? {} : { lang }), status };
}
