/**
 * The to-do list of the projections. A write marks its records here, in its own transaction. A process claims them
 * for a while, updates the projection to the current state of the records, and finishes. Order and repetition do not
 * matter, and a mark made meanwhile is never lost, because finishing compares versions.
 */

import type { PendingQuery, Row } from "postgres";
import { type Told, toldFrom, toldText } from "../messages/said.ts";
import type { Sql, Tx } from "../services.ts";
import type { Kind } from "./kinds.ts";

/** How long a claim lasts. Projecting takes far less; a process that does not finish has died. */
const LEASE = "10 seconds";

/**
 * How long the worker leaves a record to its writer, which projects it right after the commit. If both did it, the
 * last one would have to mark it again, and visitors could not find it by words until then.
 */
const HEAD_START = "1 second";

export type Mark = {
  /** Who projects it first: the writer (`services.changed`), or the worker, at once. */
  by: "writer" | "worker";
  /**
   * Visitors do not find it by words until it is indexed again. True for every change of an existing record by which a word may
   * have been hidden; false for a new record, a new ARK, and neighbours that are only renamed.
   */
  hides: boolean;
  /** Only for projections of published records; without it, for all. */
  about?: "published";
};

/** For every projection that is enabled (`projections.ts`). */
export async function markChanged(tx: Tx, ids: readonly string[], mark: Mark): Promise<void> {
  await markSelected(tx, tx`select unnest(${ids as string[]}::uuid[])`, mark);
}

/** @param records a query for distinct ids */
export async function markSelected(tx: Tx, records: PendingQuery<Row[]>, mark: Mark): Promise<void> {
  // the limits keep the planner from scanning all records for some hundred, and from overestimating the table
  await insertMarks(
    tx,
    tx`select p.target, x.id
      from (${records}) x(id)
        left join lateral (select c.published_at from records c where c.id = x.id limit 1) c on true
        cross join (select target, about from projections limit 20) p
      where ${mark.about ? tx`p.about = ${mark.about}` : tx`true`} and (p.about = 'all' or c.published_at is not null)`,
    mark,
  );
}

/** For one projection. */
export async function markFor(tx: Tx, target: string, ids: readonly string[], mark: Mark): Promise<void> {
  await insertMarks(tx, tx`select ${target}::text, unnest(${ids as string[]}::uuid[])`, mark);
}

/** For one projection, because of what another one made. Records that wait already keep their time. */
export async function markAlso(tx: Tx, target: string, ids: readonly string[]): Promise<void> {
  await tx`
    insert into outbox (target, record_id, hides)
    select ${target}, x.id, false from unnest(${ids as string[]}::uuid[]) x(id) order by x.id
    on conflict (target, record_id) do update set version = excluded.version`;
}

/** The relation from an occurrence to its place. Formats that name the occurrence also name the place. */
export const TOOK_PLACE_AT = "took_place_at";
/** The relation from a person to an event. Formats that name the occurrence also name who took part. */
export const PARTICIPATED_IN = "participated_in";

/**
 * Records that refer to these by a link or a field, or to records below them, events there or with them, and may show their
 * names.
 */
export async function markNeighbours(tx: Tx, ids: readonly string[], mark: Mark): Promise<void> {
  const pointing = tx`
    with recursive down as (
      select unnest(${ids as string[]}::uuid[]) as id
      union
      select below.id from down cross join lateral (
        select id from records where parent_id = down.id
        union all
        select from_id from relations where to_id = down.id and relation_type = ${TOOK_PLACE_AT}
        union all
        select to_id from relations where from_id = down.id and relation_type = ${PARTICIPATED_IN} offset 0) below)
    select l.from_id from down d cross join lateral (
      select from_id from relations where to_id = d.id offset 0) l
    union
    select id from down where id <> all(${ids as string[]}::uuid[])
    union
    select r.id from schema_fields f cross join lateral (
      select id from records where record_type = f.record_type and metadata ? f.name and exists (
        select 1 from jsonb_array_elements(metadata -> f.name) e where lower(e ->> 'value') = any(${ids as string[]}))
      offset 0) r
    where f.field_type = 'relation'`;
  await markSelected(tx, pointing, mark);
}

/** @param marks a query for distinct pairs of target and id */
async function insertMarks(tx: Tx, marks: PendingQuery<Row[]>, { by, hides }: Mark): Promise<void> {
  const headStart = by === "writer" ? HEAD_START : "0";
  // in a fixed order, to avoid deadlocks
  await tx`
    insert into outbox as o (target, record_id, due_at, hides)
    select x.target, x.id, clock_timestamp() + ${headStart}::interval, ${hides} from (${marks}) x(target, id)
    order by x.target, x.id
    on conflict (target, record_id) do update set version = excluded.version, due_at = excluded.due_at, attempts = 0,
      hides = o.hides or excluded.hides`;
}

/** `version`: of the mark; unique. */
export type Claim = { record_id: string; version: number };

/** The wait doubles with each failure, up to an hour; the first wait is the lease. */
function claimed(sql: Sql) {
  return sql`set attempts = attempts + 1, due_at = now() + greatest(${LEASE}::interval,
    least(interval '1 hour', interval '1 second' * 2 ^ least(attempts, 12)))`;
}

/** Takes the records that have been due for longest. A due time this far ahead means that the clock was set back. */
export async function claimDue(sql: Sql, target: string, limit: number): Promise<Claim[]> {
  return sql<Claim[]>`
    with due as materialized (
      select target, record_id from outbox
      where target = ${target} and (due_at <= now() or due_at > now() + interval '65 minutes')
      order by due_at limit ${limit}
      for update skip locked)
    update outbox o ${claimed(sql)}
    where (target, record_id) in (select target, record_id from due)
    returning record_id, version::float8`;
}

/**
 * Takes these records even if another process claimed them: the writer must see its own write, and the other may be
 * dead. `finish` detects if two projected the same record.
 */
export async function claimRecords(sql: Sql, target: string, ids: readonly string[]): Promise<Claim[]> {
  return sql<Claim[]>`
    update outbox o ${claimed(sql)}
    where target = ${target} and record_id = any(${ids as string[]})
    returning record_id, version::float8`;
}

/**
 * Removes the marks of projected records, unless they were marked again meanwhile, or finished by somebody else: then
 * the older state may have been written last. Such records are due at once, and returned.
 */
export async function finish(sql: Sql, target: string, claims: readonly Claim[]): Promise<string[]> {
  const ids = claims.map((item) => item.record_id);
  const versions = claims.map((item) => item.version);
  const done = await sql<{ record_id: string }[]>`
    delete from outbox o
    using unnest(${ids}::uuid[], ${versions}::bigint[]) d(record_id, version)
    where o.target = ${target} and o.record_id = any(${ids}) and o.record_id = d.record_id and o.version = d.version
    returning o.record_id`;
  if (done.length === ids.length) return [];
  const finished = new Set(done.map((row) => row.record_id));
  const again = ids.filter((id) => !finished.has(id));
  await sql`
    insert into outbox (target, record_id)
    select ${target}, unnest(${again}::uuid[])
    on conflict (target, record_id) do update set due_at = now(), attempts = 0, last_error = null`;
  return again;
}

/** The least wait of a record that failed on its own, so that it is not claimed with the same others again. */
const ALONE = "1 minute";

/**
 * A failed record stays claimed until its lease ends, and longer if it failed on its own; the reason is stored. A
 * mark made meanwhile keeps its due time. `gone`: the projection shows nothing of it.
 */
export async function releaseFailed(
  sql: Sql,
  target: string,
  claims: readonly Claim[],
  reasonOf: (claim: Claim) => Told,
  { alone, gone = false }: { alone: boolean; gone?: boolean },
): Promise<void> {
  if (claims.length === 0) return;
  await sql`
    update outbox o set last_error = d.reason, hides = o.hides and not ${gone}::boolean,
      due_at = ${alone ? sql`greatest(o.due_at, now() + ${ALONE}::interval)` : sql`o.due_at`}
    from unnest(${claims.map((claim) => claim.record_id)}::uuid[], ${claims.map((claim) => claim.version)}::bigint[],
      ${claims.map((claim) => kept(reasonOf(claim)))}::text[]) d(record_id, version, reason)
    where o.target = ${target} and o.record_id = d.record_id and o.version = d.version`;
}

/** Notes a failed record that was not claimed. */
export async function keepFailure(
  sql: Sql,
  target: string,
  { id, reason }: { id: string; reason: Told },
): Promise<void> {
  await sql`
    insert into outbox as o (target, record_id, due_at, attempts, last_error)
    values (${target}, ${id}, now() + ${ALONE}::interval, 1, ${kept(reason)})
    on conflict (target, record_id) do update set version = excluded.version, last_error = excluded.last_error`;
}

export type FailedRecord = { id: string; record_type: Kind | null; reason: Told };

/** Records that failed, the next to be retried first. `record_type`: null for one that no longer exists. */
export async function failedRecords(sql: Sql, target: string, limit: number): Promise<FailedRecord[]> {
  const rows = await sql<(FailedRecord & { reason: string })[]>`
    select o.record_id as id, r.record_type, o.last_error as reason
    from outbox o left join records r on r.id = o.record_id
    where o.target = ${target} and o.last_error is not null order by o.due_at, o.record_id limit ${limit}`;
  return rows.map((row) => ({ ...row, reason: toldFrom(row.reason) }));
}

/** The types of these records, as far as they exist. */
export async function kindsOf(sql: Sql, ids: readonly string[]): Promise<Map<string, Kind>> {
  const rows = await sql<{ id: string; record_type: Kind }[]>`
    select id, record_type from records where id = any(${ids as string[]}::uuid[])`;
  return new Map(rows.map(({ id, record_type }) => [id, record_type]));
}

const kept = (reason: Told): string => (typeof reason === "string" ? reason.slice(0, 500) : toldText(reason));

/** Records that wait and may have something in the projection that visitors must not see any more (`Mark.hides`). */
export async function waitingToHide(sql: Sql, target: string, limit: number): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select record_id as id from outbox where target = ${target} and hides limit ${limit}`;
  return rows.map(({ id }) => id);
}

/** Whether any wait that have not failed, also those that somebody has claimed. */
export async function isAnyUnderWay(sql: Sql): Promise<boolean> {
  const rows = await sql`select 1 from outbox where last_error is null limit 1`;
  return rows.length > 0;
}

/** How many records still wait for their projection. */
export async function backlog(sql: Sql): Promise<number> {
  const [row] = await sql<{ n: number }[]>`select count(*)::int as n from outbox`;
  return row!.n;
}
