/** SQL for a rebuild of the search index: its state, and the records that change while it runs. */

import { type IndexedRecord, SEARCH_TARGET } from "../ports/search-index.ts";
import { markFor } from "../records/outbox.ts";
import type { Sql } from "../services.ts";

export type Build = {
  job_id: string;
  stage: "begun" | "records" | "swap";
  last_id: string | null;
  done: number;
  /** Records that could not be indexed. */
  failed: string[];
};

/** This run no longer owns the rebuild: another run has continued it, or the catalogue was emptied. */
export class BuildLost extends Error {
  override readonly name = "BuildLost";
}

/** Continues the rebuild of an earlier run of the same job, if there is one. */
export async function takeBuild(sql: Sql, jobId: string, run: string): Promise<Build | undefined> {
  const [build] = await sql<Build[]>`
    update search_rebuild set run = ${run} where job_id = ${jobId}
    returning job_id, stage, last_id, done, failed`;
  return build;
}

/** Starts a rebuild: from now on, changes are noted. Replaces the unfinished rebuild of another job. */
export async function insertBuild(sql: Sql, jobId: string, run: string): Promise<Build> {
  const [build] = await sql<Build[]>`
    insert into search_rebuild (job_id, run) values (${jobId}, ${run})
    on conflict (one) do update set job_id = excluded.job_id, run = excluded.run,
      stage = 'begun', last_id = null, done = 0, failed = '{}'
    returning job_id, stage, last_id, done, failed`;
  return build!;
}

/**
 * Saves the progress. Throws a `BuildLost` if this run no longer owns the rebuild. Does not wait for the disk: if the database
 * crashes and loses this, it also loses everything written afterwards.
 */
export async function saveBuild(
  sql: Sql,
  run: string,
  { stage, last_id, done, failed }: Build,
): Promise<void> {
  const saved = await sql`
    update search_rebuild set stage = ${stage}, last_id = ${last_id}, done = ${done}, failed = ${failed}::uuid[]
    where run = ${run} and (select set_config('synchronous_commit', 'off', true)) = 'off'`;
  if (saved.count === 0)
    throw new BuildLost(
      "The rebuild of the search index was taken over by another run, or its catalogue was emptied",
    );
}

/** Deletes the state of the rebuild; returns whether this run still owned it. */
export async function forgetBuild(sql: Sql, run: string): Promise<boolean> {
  return sql.begin(async (tx) => {
    const gone = await tx`delete from search_rebuild where run = ${run}`;
    if (gone.count > 0) await tx`delete from search_rebuild_changes`;
    return gone.count > 0;
  });
}

/** The next records that belong in the index, in order of their ids. */
export async function recordsAfter(sql: Sql, after: string | null, limit: number): Promise<IndexedRecord[]> {
  return sql<IndexedRecord[]>`
    select id, record_type as "recordType", status from records
    where deleted_at is null ${after === null ? sql`` : sql`and id > ${after}`}
    order by id limit ${limit}`;
}

/** @param kind null: all kinds */
export async function countRecords(sql: Sql, kind: string | null): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from records
    where deleted_at is null ${kind === null ? sql`` : sql`and record_type = ${kind}`}`;
  return row!.n;
}

/**
 * Called before changed records are written to the current index, so that a running rebuild writes their later state to the new
 * one. While the new index takes over, notes nothing and returns false: the caller must wait.
 *
 * Locks the row of the rebuild for a moment, so that no caller acts on an earlier stage.
 */
export async function noteForRebuild(sql: Sql, ids: readonly string[]): Promise<boolean> {
  const [build] = await sql<{ swapping: boolean }[]>`
    with build as (
        select b.stage = 'swap' and exists (
          select 1 from jobs j where j.id = b.job_id and j.state in ('queued', 'running')) as swapping
        from search_rebuild b for share of b),
      noted as (
        insert into search_rebuild_changes as c (record_id)
        select x.id from build, unnest(${ids as string[]}::uuid[]) x(id) where not build.swapping order by 1
        on conflict (record_id) do update set version = c.version + 1)
    select swapping from build`;
  return build?.swapping !== true;
}

export type Change = { record_id: string; version: number };

export async function notedChanges(sql: Sql, limit: number): Promise<Change[]> {
  return sql<Change[]>`
    select record_id, version::int from search_rebuild_changes order by record_id limit ${limit}`;
}

/** Deletes these notes, except for records that have changed again. */
export async function dropChanges(sql: Sql, changes: readonly Change[]): Promise<void> {
  await sql`
    delete from search_rebuild_changes c
    using unnest(${changes.map((change) => change.record_id)}::uuid[], ${changes.map((change) => change.version)}::bigint[])
      d(record_id, version)
    where c.record_id = d.record_id and c.version = d.version`;
}

/**
 * Marks these records to be indexed again, even those that are being indexed now.
 * @param hides whether the current index may have words by which visitors must not find them
 */
export async function markAgain(sql: Sql, ids: readonly string[], hides: boolean): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await sql.begin((tx) => markFor(tx, SEARCH_TARGET, ids, { by: "worker", hides }));
      return;
    } catch (error) {
      // deadlock: another process marks the same records in another order
      if (attempt >= 5 || (error as { code?: unknown }).code !== "40P01") throw error;
    }
  }
}

/** The next ids of records that wait to be indexed, in order. */
export async function waitingAfter(sql: Sql, after: string | null, limit: number): Promise<string[]> {
  const rows = await sql<{ record_id: string }[]>`
    select record_id from outbox
    where target = ${SEARCH_TARGET} ${after === null ? sql`` : sql`and record_id > ${after}`}
    order by record_id limit ${limit}`;
  return rows.map(({ record_id }) => record_id);
}
