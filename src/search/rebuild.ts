/**
 * Rebuilds the search index: fills a new index while the current one answers, then lets the new one take over. It may fail or be
 * killed at any point; the job is tried again and continues. If the job is cancelled or fails for good, the new index is deleted.
 *
 * No change is lost. The rebuild notes that it runs before it reads the first record. From then on, every process notes a
 * changed record before it writes it to the current index (`noteForRebuild`), and the rebuild also writes noted records to the
 * new index. While it writes the last of them, all others wait to index (stage `swap`), but not to commit. So the new index is
 * complete when it takes over.
 */
import { newId } from "../ids.ts";
import { SEARCH_TARGET } from "../ports/search-index.ts";
import { inHalves } from "../records/batch/in-halves.ts";
import { keepFailure } from "../records/outbox.ts";
import type { Services, Sql } from "../services.ts";
import { noteEdition } from "./edition.ts";
import { documentsOf } from "./project.ts";
import {
  type Build,
  BuildLost,
  countRecords,
  dropChanges,
  forgetBuild,
  insertBuild,
  markAgain,
  notedChanges,
  recordsAfter,
  saveBuild,
  takeBuild,
  waitingAfter,
} from "./rebuild-store.ts";

/** The most records that are read at once. */
const MOST_AT_ONCE = 500;
/** The most rounds of writing noted records. Then writers have to wait, in case they are faster than the rebuild. */
const MOST_ROUNDS = 200;

type IndexServices = Pick<Services, "sql" | "config" | "search">;

type RebuildOptions = {
  jobId: string;
  /** Throws if the work must stop; the next run continues from there. */
  report(progress: { done: number; total: number }): Promise<void>;
};

/** `failed`: records that could not be indexed. They wait for the worker; the outbox has the reasons. */
export type Rebuilt = { records: number; failed: number };

export async function rebuildSearch(
  services: IndexServices,
  { jobId, report }: RebuildOptions,
): Promise<Rebuilt> {
  const { sql, search } = services;
  const { batchSize } = search.generations;
  const run = newId();
  let build = await takeBuild(sql, jobId, run);
  const isBuilding = build !== undefined && (await search.generations.isBuilding());
  if (build?.stage === "swap" && !isBuilding) return finish(services, run, build);
  if (!build || build.stage === "begun" || !isBuilding) {
    build = await insertBuild(sql, jobId, run);
    await search.generations.begin();
    build.stage = "records";
    await saveBuild(sql, run, build);
  }
  const total = await countRecords(sql, null);
  const tell = ({ done }: Build) => report({ done, total: Math.max(done, total) });
  await tell(build);
  if (build.stage === "records") {
    let records = await recordsAfter(sql, build.last_id, batchSize);
    while (records.length > 0) {
      const ids = records.map(({ id }) => id);
      build.last_id = ids.at(-1)!;
      build.done += ids.length;
      await indexBatch(services, run, build, ids);
      await tell(build);
      records = await recordsAfter(sql, build.last_id, batchSize);
    }
    for (let round = 0; round < MOST_ROUNDS; round++) {
      await tell(build);
      if ((await indexChanges(services, run, build)) < batchSize) break;
    }
  }
  if (build.done > 0 && build.failed.length >= build.done)
    throw new Error("No record can be brought into the new search index; the outbox says why");
  await search.generations.settle();
  while ((await indexChanges(services, run, build)) >= batchSize);
  // from here on, writers wait, so nothing is reported any more
  build.stage = "swap";
  await saveBuild(sql, run, build);
  while ((await indexChanges(services, run, build)) > 0);
  await search.generations.swap();
  return finish(services, run, build);
}

/** Ends the rebuild of a job that will not continue: deletes its unfinished index. */
export async function abandonRebuild(services: IndexServices, jobId: string): Promise<void> {
  const { sql, search } = services;
  const run = newId();
  const build = await takeBuild(sql, jobId, run);
  if (!build) return;
  if (build.stage === "swap" && !(await search.generations.isBuilding())) {
    await finish(services, run, build);
    return;
  }
  await search.generations.drop();
  await forgetBuild(sql, run);
}

/** Writes at most one batch of noted records to the new index; returns how many. */
async function indexChanges(services: IndexServices, run: string, build: Build): Promise<number> {
  const { sql, search } = services;
  const changes = await notedChanges(sql, search.generations.batchSize);
  if (changes.length === 0) return 0;
  const ids = changes.map(({ record_id }) => record_id);
  await indexBatch(services, run, build, ids);
  await dropChanges(sql, changes);
  return changes.length;
}

/** Indexes these records and saves the progress. Failed ones are marked in the outbox, so that the worker tries again. */
async function indexBatch(
  services: IndexServices,
  run: string,
  build: Build,
  ids: readonly string[],
): Promise<void> {
  const { sql, search } = services;
  // a separate function, so that the documents can be freed as soon as the index has taken them
  const put = async (part: readonly string[]) => {
    const { documents, gone } = await documentsOf(services, part);
    await search.generations.put(documents);
    if (gone.length > 0) await search.generations.remove(gone);
  };
  const failures = await inHalves(ids, put, () => search.ping());
  for (const failure of failures) await keepFailure(sql, SEARCH_TARGET, failure);
  const before = build.failed.filter((id) => !ids.includes(id));
  build.failed = [...before, ...failures.map(({ id }) => id)];
  try {
    await saveBuild(sql, run, build);
  } catch (error) {
    // this run may have overwritten newer documents with old ones
    if (error instanceof BuildLost) await markAgain(sql, ids, true);
    throw error;
  }
}

/** Ends the rebuild after the new index has taken over. All waiting records are due at once, even those that failed. */
async function finish({ sql, search }: IndexServices, run: string, build: Build): Promise<Rebuilt> {
  await noteEdition(sql);
  await markAllAgain(sql, (after) => waitingAfter(sql, after, MOST_AT_ONCE), false);
  // the catalogue was emptied, or another run took over: the worker checks everything in the index
  if (!(await forgetBuild(sql, run))) {
    const indexed = async (after: string | null) =>
      (await search.walk(after, MOST_AT_ONCE)).map(({ id }) => id);
    await markAllAgain(sql, indexed, true);
  }
  return { records: build.done, failed: build.failed.length };
}

/** @param next returns the next ids after an id, in order */
async function markAllAgain(
  sql: Sql,
  next: (after: string | null) => Promise<string[]>,
  hides: boolean,
): Promise<void> {
  let ids = await next(null);
  while (ids.length > 0) {
    await markAgain(sql, ids, hides);
    ids = await next(ids.at(-1)!);
  }
}
