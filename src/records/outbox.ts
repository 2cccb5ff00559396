/**
 * The to-do list of the projections. A write marks its records here in its own transaction; whoever projects claims
 * them for a while, brings the projection into agreement with the record as it is now, and finishes. Order and
 * repetition do not matter; a mark made meanwhile is never lost, because finishing compares versions.
 */
import type { PendingQuery, Row } from "postgres";
import type { Sql, Tx } from "../services.ts";

/** How long a claim holds before somebody else may try. Projecting takes far less; who does not finish has died. */
const LEASE = "10 seconds";

/**
 * How long the worker leaves a record to its writer, who projects it right after the commit. Were both about it, the one
 * that comes last would have to mark it once more, and visitors would not find it by words until that is done.
 */
const HEAD_START = "1 second";

export type Mark = {
  /** Who brings it into the projections at first: the writer itself (`services.changed`), or the worker at once. */
  by: "writer" | "worker";
  /** Visitors do not find it by words until it has followed: a word may have been taken back. */
  hides: boolean;
  /** For what is made of published records alone; without it for all. */
  about?: "published";
};

/** For every projection that is enabled (`projections.ts`). */
export async function markChanged(tx: Tx, ids: readonly string[], mark: Mark): Promise<void> {
  await markThose(tx, tx`select unnest(${ids as string[]}::uuid[])`, mark);
}

/** @param records a query for ids, each once */
export async function markThose(tx: Tx, records: PendingQuery<Row[]>, mark: Mark): Promise<void> {
  // the limits keep the planner from reading all records for some hundred, and from taking the table for a large one
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

/** For one projection alone. */
export async function markFor(tx: Tx, target: string, ids: readonly string[], mark: Mark): Promise<void> {
  await insertMarks(tx, tx`select ${target}::text, unnest(${ids as string[]}::uuid[])`, mark);
}

/** By which an occurrence leads to its place; formats name the place where they name the occurrence. */
export const TOOK_PLACE_AT = "took_place_at";

/**
 * Records that point at these, by a link or a field, or at what lies below them or took place there, and may show their
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
        select from_id from relations where to_id = down.id and relation_type = ${TOOK_PLACE_AT} offset 0) below)
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
  await markThose(tx, pointing, mark);
}

/** @param marks a query for pairs of target and id, each once */
async function insertMarks(tx: Tx, marks: PendingQuery<Row[]>, { by, hides }: Mark): Promise<void> {
  const headStart = by === "writer" ? HEAD_START : "0";
  // in one order, so that two who mark the same records never wait for each other
  await tx`
    insert into outbox as o (target, record_id, due_at, hides)
    select x.target, x.id, clock_timestamp() + ${headStart}::interval, ${hides} from (${marks}) x(target, id)
    order by x.target, x.id
    on conflict (target, record_id) do update set version = excluded.version, due_at = excluded.due_at, attempts = 0,
      hides = o.hides or excluded.hides`;
}

/** `version`: of the mark; no two have the same. */
export type Claim = { record_id: string; version: number };

/** Each failed try waits twice as long, up to an hour; the first wait is the lease. */
function claimed(sql: Sql) {
  return sql`set attempts = attempts + 1, due_at = now() + greatest(${LEASE}::interval,
    least(interval '1 hour', interval '1 second' * 2 ^ least(attempts, 12)))`;
}

/** Takes the records that have been due for longest. None is put off for so long unless the clock was set back since. */
export async function claimDue(sql: Sql, target: string, limit: number): Promise<Claim[]> {
  return sql<Claim[]>`
    update outbox o ${claimed(sql)}
    where (target, record_id) in (
      select target, record_id from outbox
      where target = ${target} and (due_at <= now() or due_at > now() + interval '65 minutes')
      order by due_at limit ${limit}
      for update skip locked)
    returning record_id, version::float8`;
}

/**
 * Takes these records whoever has claimed them: the writer must see its own write, and a claim may be a dead process's.
 * Two that project one record at a time meet in `finish`.
 */
export async function claimThese(sql: Sql, target: string, ids: readonly string[]): Promise<Claim[]> {
  return sql<Claim[]>`
    update outbox o ${claimed(sql)}
    where target = ${target} and record_id = any(${ids as string[]})
    returning record_id, version::float8`;
}

/**
 * What was projected is done, unless it was marked again meanwhile, or finished by somebody else: then the two may have
 * crossed, with the older state written last. Such records are due at once, and answered.
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

/** So long it waits at least: it is not claimed together with the same others again. */
const ALONE = "1 minute";

/**
 * What failed stays claimed until its lease ends, and longer when it failed alone; the reason is kept for whoever looks.
 * A mark that was made meanwhile is due as it says.
 */
export async function giveBack(
  sql: Sql,
  target: string,
  claims: readonly Claim[],
  reasonOf: (claim: Claim) => string,
  { alone }: { alone: boolean },
): Promise<void> {
  if (claims.length === 0) return;
  await sql`
    update outbox o set last_error = d.reason,
      due_at = ${alone ? sql`greatest(o.due_at, now() + ${ALONE}::interval)` : sql`o.due_at`}
    from unnest(${claims.map((claim) => claim.record_id)}::uuid[], ${claims.map((claim) => claim.version)}::bigint[],
      ${claims.map((claim) => kept(reasonOf(claim)))}::text[]) d(record_id, version, reason)
    where o.target = ${target} and o.record_id = d.record_id and o.version = d.version`;
}

/** A record that somebody could not project who had not claimed it. */
export async function keepFailure(
  sql: Sql,
  target: string,
  { id, reason }: { id: string; reason: string },
): Promise<void> {
  await sql`
    insert into outbox as o (target, record_id, due_at, attempts, last_error)
    values (${target}, ${id}, now() + ${ALONE}::interval, 1, ${kept(reason)})
    on conflict (target, record_id) do update set version = excluded.version, last_error = excluded.last_error`;
}

const kept = (reason: string): string => reason.slice(0, 500);

/** How many records still wait for their projection. */
export async function backlog(sql: Sql): Promise<number> {
  const [row] = await sql<{ n: number }[]>`select count(*)::int as n from outbox`;
  return row!.n;
}
