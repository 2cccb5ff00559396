/** SQL of merges: what each has moved, and where the address of a merged record leads. */
import type { Caller } from "../../caller.ts";
import { mayDo } from "../../caller.ts";
import type { Sql, Tx } from "../../services.ts";
import type { Kind } from "../kinds.ts";
import type { RecordState } from "../record.ts";
import { visibleTo } from "../visibility.ts";
import { TRASH_DAYS } from "../write/purge.ts";
import type { MovedDismissed } from "./dismissed.ts";
import type { MovedLinks, Pair } from "./links.ts";
import type { MovedMedia } from "./media.ts";
import type { Referring } from "./referring.ts";
import type { MovedRows } from "./rows.ts";

/** What a merge has moved. `before` and `after`: the record that stays. */
export type Moved = {
  before: RecordState;
  after: RecordState;
  links: MovedLinks;
  media: MovedMedia;
  referring: Referring;
  rows: MovedRows;
  /** Not in merges before version 0074 of the schema. */
  dismissed?: MovedDismissed;
};

/** Merges of one transaction have an order, too: they are undone the other way round. */
export async function insertMerge(
  tx: Tx,
  actor: string | null,
  { from, into }: Pair,
  moved: Moved,
): Promise<void> {
  await tx`update records set merged_into = ${into} where id = ${from}`;
  await tx`
    insert into merges (record_id, into_id, actor_id, moved, at)
    values (${from}, ${into}, ${actor}, ${tx.json(moved as never)}, clock_timestamp())`;
}

export type Merge = { into_id: string; moved: Moved; expired: boolean };

/** The merge of this record, locked. */
export async function lockMerge(tx: Tx, from: string): Promise<Merge | undefined> {
  const [merge] = await tx<Merge[]>`
    select into_id, moved, not ${isRecent(tx)} as expired from merges m where record_id = ${from} for update`;
  return merge;
}

/** The number of the record that was last merged into this one after that one. */
export async function laterMerge(tx: Tx, { from, into }: Pair): Promise<string | undefined> {
  const [later] = await tx<{ idno: string }[]>`
    select r.idno from merges m join records r on r.id = m.record_id
    where m.into_id = ${into} and m.at > (select at from merges where record_id = ${from})
    order by m.at desc limit 1`;
  return later?.idno;
}

export async function deleteMerge(tx: Tx, from: string): Promise<void> {
  await tx`delete from merges where record_id = ${from}`;
  await tx`update records set merged_into = null where id = ${from}`;
}

/** For a list of merges. `is_recent`: it can be undone. */
export type MergeDone = {
  id: string;
  value: string;
  into: string;
  at: string;
  by: string | null;
  is_recent: boolean;
};

export const isRecent = (sql: Sql | Tx) => sql`m.at >= now() - make_interval(days => ${TRASH_DAYS})`;

/** The newest first, for callers who read records of this kind. `into`: only those into this record. */
export async function findMerges(sql: Sql, kind: Kind, into?: string): Promise<MergeDone[]> {
  return sql<MergeDone[]>`
    select m.record_id as id, f.title || ' (' || f.idno || ')' as value, r.title || ' (' || r.idno || ')' as into, m.at::text,
      a.display_name as by, ${isRecent(sql)} as is_recent
    from merges m join records f on f.id = m.record_id join records r on r.id = m.into_id left join accounts a on a.id = m.actor_id
    where f.record_type = ${kind} ${into === undefined ? sql`` : sql`and m.into_id = ${into}`}
    order by m.at desc limit 100`;
}

/** The public records that were merged into these, also by way of others. */
export async function publicFormers(
  sql: Sql | Tx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string[]>> {
  const rows = await sql<{ id: string; formers: string[] }[]>`
    with recursive way as (
      select merged_into as id, id as former, status from records where merged_into = any(${ids as string[]}::uuid[])
      union
      select way.id, r.id, r.status from way join records r on r.merged_into = way.former)
    select id, json_agg(former order by former) as formers from way where status = 'public' group by id`;
  return new Map(rows.map(({ id, formers }) => [id, formers]));
}

/** Where the address of this record leads since it was merged: the last record of the way, however often that was merged again. */
export async function mergedTarget(
  sql: Sql | Tx,
  caller: Caller,
  id: string,
): Promise<{ id: string; record_type: Kind } | undefined> {
  const [row] = await sql<{ id: string; record_type: Kind; was_public: boolean }[]>`
    select r.id, r.record_type, f.status = 'public' as was_public
    from records f join records r on r.id = record_now(f.merged_into)
    where f.id = ${id} and ${visibleTo(sql, caller)}`;
  return row && (row.was_public || mayDo(caller, "read", row.record_type)) ? row : undefined;
}
