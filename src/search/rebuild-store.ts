/** SQL of a rebuild of the search index: the one that goes on, and the records that changed beside it. */
import { markFor } from "../records/outbox.ts";
import { SEARCH_TARGET } from "../search-index.ts";
import type { Sql } from "../services.ts";

export type Build = {
  job_id: string;
  record_type: string | null;
  stage: "begun" | "records" | "swap";
  last_id: string | null;
  done: number;
  /** Records that could not be brought over. */
  failed: Set<string>;
};

/** A run that does not have the build any more: another one goes on with it, or the catalogue was emptied. */
export class BuildLost extends Error {
  override readonly name = "BuildLost";

  constructor() {
    super("The rebuild of the search index was taken over by another run, or its catalogue was emptied");
  }
}

type BuildRow = Omit<Build, "failed"> & { failed: string[] };

const buildOf = (row: BuildRow): Build => ({ ...row, failed: new Set(row.failed) });

/** Takes over what an earlier run of the same job has left. */
export async function takeBuild(sql: Sql, jobId: string, run: string): Promise<Build | undefined> {
  const [build] = await sql<BuildRow[]>`
    update search_rebuild set run = ${run} where job_id = ${jobId}
    returning job_id, record_type, stage, last_id, done, failed`;
  return build && buildOf(build);
}

/** From here on changes are noted. What another job has left is forgotten: its index is thrown away. */
export async function insertBuild(
  sql: Sql,
  { jobId, run, kind }: { jobId: string; run: string; kind: string | null },
): Promise<Build> {
  const [build] = await sql<BuildRow[]>`
    insert into search_rebuild (job_id, run, record_type) values (${jobId}, ${run}, ${kind})
    on conflict (one) do update set job_id = excluded.job_id, run = excluded.run, record_type = excluded.record_type,
      stage = 'begun', last_id = null, done = 0, failed = '{}'
    returning job_id, record_type, stage, last_id, done, failed`;
  return buildOf(build!);
}

/**
 * Throws a `BuildLost` when the run does not have the build any more. Does not wait for the disk: what a crash of the
 * database takes back of it, it takes back with all that was written behind it.
 */
export async function saveBuild(
  sql: Sql,
  run: string,
  { stage, last_id, done, failed }: Build,
): Promise<void> {
  const saved = await sql`
    update search_rebuild set stage = ${stage}, last_id = ${last_id}, done = ${done}, failed = ${[...failed]}::uuid[]
    where run = ${run} and (select set_config('synchronous_commit', 'off', true)) = 'off'`;
  if (saved.count === 0) throw new BuildLost();
}

/** The build is over; answers whether it was this run's to the end. */
export async function forgetBuild(sql: Sql, run: string): Promise<boolean> {
  return sql.begin(async (tx) => {
    const gone = await tx`delete from search_rebuild where run = ${run}`;
    if (gone.count > 0) await tx`delete from search_rebuild_changes`;
    return gone.count > 0;
  });
}

/** Ids of the records that are to be in the index, in their order. */
export async function idsAfter(
  sql: Sql,
  kind: string | null,
  after: string | null,
  limit: number,
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from records
    where deleted_at is null ${kind === null ? sql`` : sql`and record_type = ${kind}`}
      ${after === null ? sql`` : sql`and id > ${after}`}
    order by id limit ${limit}`;
  return rows.map(({ id }) => id);
}

export async function countRecords(sql: Sql, kind: string | null): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from records
    where deleted_at is null ${kind === null ? sql`` : sql`and record_type = ${kind}`}`;
  return row!.n;
}

/**
 * Said by whoever has changed the index that answers: these records are brought over before a new one does. False while
 * a new one is about to answer: then the change may be in neither, and is to be made again afterwards.
 *
 * The row of the build is locked for the moment, so that after a change of its stage nobody still works by the former.
 */
export async function noteForRebuild(sql: Sql, ids: readonly string[]): Promise<boolean> {
  const [build] = await sql<{ swapping: boolean }[]>`
    with build as (select ${swapping(sql)} as swapping from search_rebuild b for share of b),
      noted as (
        insert into search_rebuild_changes as c (record_id)
        select x.id from build, unnest(${ids as string[]}::uuid[]) x(id) where not build.swapping order by 1
        on conflict (record_id) do update set version = c.version + 1)
    select swapping from build`;
  return build?.swapping !== true;
}

/** Nobody waits for a job that will not go on by itself. */
const swapping = (sql: Sql) => sql`(b.stage = 'swap' and exists (
  select 1 from jobs j where j.id = b.job_id and j.state in ('queued', 'running')))`;

export async function isSwapping(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ swapping: boolean }[]>`
    select exists (select 1 from search_rebuild b where ${swapping(sql)}) as swapping`;
  return row!.swapping;
}

export type Change = { record_id: string; version: number };

export async function notedChanges(sql: Sql, limit: number): Promise<Change[]> {
  return sql<Change[]>`
    select record_id, version::int from search_rebuild_changes order by record_id limit ${limit}`;
}

/** Those that have changed again meanwhile stay. */
export async function dropChanges(sql: Sql, changes: readonly Change[]): Promise<void> {
  await sql`
    delete from search_rebuild_changes c
    using unnest(${changes.map((change) => change.record_id)}::uuid[], ${changes.map((change) => change.version)}::bigint[])
      d(record_id, version)
    where c.record_id = d.record_id and c.version = d.version`;
}

/**
 * These are projected once more, also by whoever is just about it.
 * @param hides the index that answers may have what visitors are not to find them by
 */
export async function projectAgain(sql: Sql, ids: readonly string[], hides: boolean): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await sql.begin((tx) => markFor(tx, SEARCH_TARGET, ids, { by: "worker", hides }));
      return;
    } catch (error) {
      // somebody marks the same records in another order: one of the two gives way and begins again
      if (attempt >= 5 || (error as { code?: unknown }).code !== "40P01") throw error;
    }
  }
}

/** Ids of records that wait for their projection, in their order. */
export async function waitingAfter(sql: Sql, after: string | null, limit: number): Promise<string[]> {
  const rows = await sql<{ record_id: string }[]>`
    select record_id from outbox
    where target = ${SEARCH_TARGET} ${after === null ? sql`` : sql`and record_id > ${after}`}
    order by record_id limit ${limit}`;
  return rows.map(({ record_id }) => record_id);
}
