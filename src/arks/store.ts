/** SQL of ARKs. */
import type { Caller } from "../caller.ts";
import type { Kind } from "../records/kinds.ts";
import { visibleTo } from "../records/visibility.ts";
import type { Sql, Tx } from "../services.ts";
import { type ArkName, TEST_NAAN } from "./names.ts";

/** Gives each of these records one of these names, unless the record has one under this NAAN or the name is taken. */
export async function insertArks(
  tx: Tx,
  naan: string,
  ids: readonly string[],
  names: readonly string[],
): Promise<number> {
  const inserted = await tx`
    insert into arks (naan, name, record_id)
    select ${naan}, x.name, x.id from unnest(${names as string[]}::text[], ${ids as string[]}::uuid[]) x(name, id)
    on conflict do nothing`;
  return inserted.count;
}

/** Those of these records without a name under this NAAN. */
export async function withoutArk(tx: Tx, naan: string, ids: readonly string[]): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select x.id from unnest(${ids as string[]}::uuid[]) x(id)
    where not exists (select 1 from arks a where a.record_id = x.id and a.naan = ${naan})`;
  return rows.map(({ id }) => id);
}

/** The next public records after `after`, by id. */
export async function publicBehind(tx: Tx, after: string, limit: number): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select id from records where id > ${after} and status = 'public' and deleted_at is null
    order by id limit ${limit}`;
  return rows.map(({ id }) => id);
}

export async function countPublic(sql: Sql): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from records where status = 'public' and deleted_at is null`;
  return row!.n;
}

/** The current names of records: the one under `naan`, else the newest; test names only while they are minted. */
export async function currentArks(
  sql: Sql | Tx,
  naan: string | null,
  ids: readonly string[],
): Promise<(ArkName & { record_id: string })[]> {
  return sql<(ArkName & { record_id: string })[]>`
    select distinct on (record_id) record_id, naan, name from arks
    where record_id = any(${ids as string[]}) and (naan <> ${TEST_NAAN} or naan = ${naan})
    order by record_id, (naan = ${naan}) desc nulls last, minted_at desc, naan`;
}

export type NamedRecord = {
  record_id: string;
  /** Null if the record was purged. */
  record_type: Kind | null;
  deleted_at: string | null;
  visible: boolean | null;
};

export async function findNamedRecord(
  sql: Sql,
  caller: Caller,
  { naan, name }: ArkName,
): Promise<NamedRecord | undefined> {
  const [row] = await sql<NamedRecord[]>`
    select a.record_id, r.record_type, r.deleted_at, ${visibleTo(sql, caller)} as visible
    from arks a left join records r on r.id = a.record_id
    where a.naan = ${naan} and a.name = ${name}`;
  return row;
}
