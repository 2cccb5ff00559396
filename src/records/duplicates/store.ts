/** SQL of pairs of records that may be one, and of those that are not. */
import { type Account, actorId } from "../../caller.ts";
import type { Sql, Tx } from "../../services.ts";
import { composed } from "../../text.ts";
import type { Kind } from "../kinds.ts";
import type { DismissedTable } from "../merge/dismissed.ts";
import { fieldsOf, type Schema } from "../schema.ts";
import { maySeeField, visibleTo } from "../visibility.ts";
import { authorityOf } from "../write/authority-ids.ts";
import { type Compared, pairKey } from "./candidates.ts";

/** Of more records, the newest are compared. */
export const MOST_COMPARED = 200_000;

/** Records per query: the embedded database answers others in between. */
const BATCH = 2_000;

/** The fields with authority numbers that this caller sees. */
const authorityFields = (schema: Schema, caller: Account, kind: Kind): string[] =>
  [...fieldsOf(schema, kind).values()]
    .filter((field) => field.field_type === "authority" && maySeeField(caller, field))
    .map(({ name }) => name);

/** A text that changes whenever `loadCompared` would find something else. */
export async function stateOfCompared(
  sql: Sql,
  schema: Schema,
  caller: Account,
  kind: Kind,
): Promise<string> {
  const [row] = await sql<[{ count: number; sum: string | null }]>`
    select count(*)::int as count, sum(hashtextextended(r.id::text || r.version, 0)::numeric)::text as sum
    from records r where r.record_type = ${kind} and ${visibleTo(sql, caller, kind)}`;
  return JSON.stringify([authorityFields(schema, caller, kind), row]);
}

/** The records of a kind that this caller sees, with what they are compared by, in the order of their ids. */
export async function loadCompared(
  sql: Sql,
  schema: Schema,
  caller: Account,
  kind: Kind,
): Promise<Compared[]> {
  const fields = authorityFields(schema, caller, kind);
  const all: Compared[] = [];
  let last: string | null = null;
  while (all.length < MOST_COMPARED) {
    const rows: Row[] = await sql<Row[]>`
      select r.id, r.idno, r.title, (
        select json_agg(json_build_array(f.name, e ->> 'value') order by f.name, e ->> 'value')
        from unnest(${fields}::text[]) f(name) cross join lateral jsonb_array_elements(r.metadata -> f.name) e) as given
      from records r
      where r.record_type = ${kind} and ${visibleTo(sql, caller, kind)} ${last === null ? sql`` : sql`and r.id < ${last}`}
      order by r.id desc limit ${BATCH}`;
    for (const { given, ...row } of rows)
      all.push({ ...row, authorities: (given ?? []).map(([name, value]) => authorityNumber(name, value)) });
    if (rows.length < BATCH) break;
    last = rows.at(-1)!.id;
  }
  return all.reverse();
}

type Row = { id: string; idno: string; title: string; given: [string, string][] | null };

function authorityNumber(field: string, value: string): readonly [string, string] {
  const known = authorityOf(field, value);
  return known ? [known.authority, known.iri] : [field, `${field} ${composed(value)}`];
}

export async function findDismissed(sql: Sql, kind: Kind): Promise<Set<string>> {
  const rows = await sql<{ low_id: string; high_id: string }[]>`
    select n.low_id, n.high_id from not_duplicates n join records r on r.id = n.low_id where r.record_type = ${kind}`;
  return new Set(rows.map(({ low_id, high_id }) => pairKey(low_id, high_id)));
}

/** That two records, or terms, are not one. */
export async function insertDismissed(
  sql: Sql | Tx,
  table: DismissedTable,
  caller: Account,
  ids: readonly string[],
): Promise<void> {
  await sql`
    insert into ${sql(table)} (low_id, high_id, actor_id)
    select least(a, b), greatest(a, b), ${actorId(caller)}::uuid
    from (values (${ids[0]!}::uuid, ${ids[1]!}::uuid)) as pair(a, b)
    on conflict (low_id, high_id) do nothing`;
}

export async function deleteDismissed(
  sql: Sql | Tx,
  table: DismissedTable,
  ids: readonly string[],
): Promise<void> {
  await sql`
    delete from ${sql(table)}
    where low_id = least(${ids[0]!}::uuid, ${ids[1]!}::uuid) and high_id = greatest(${ids[0]!}::uuid, ${ids[1]!}::uuid)`;
}
