/**
 * Builds a new search index beside the one that answers, and lets it answer when it is complete. May be killed at any
 * point and begun again: it goes on where it was.
 *
 * No change is lost. Whoever projects a record puts it into the index that answers and notes it (`noteForRebuild`) before
 * it says that it has; the build notes that it goes on before it reads its first record, and brings over what is noted.
 * The last of it is brought over while writers wait (stage `swap`), so that the new index has everything from its first
 * answer on. A projection that crosses the end of that stage finds its mark changed, and is repeated.
 */
import { newId } from "../ids.ts";
import { inHalves } from "../records/in-halves.ts";
import { keepFailure } from "../records/outbox.ts";
import { SEARCH_TARGET, type SearchIndex } from "../search-index.ts";
import type { Services } from "../services.ts";
import { documentsOf } from "./project.ts";
import {
  type Build,
  BuildLost,
  countRecords,
  dropChanges,
  forgetBuild,
  idsAfter,
  insertBuild,
  notedChanges,
  projectAgain,
  saveBuild,
  takeBuild,
  waitingAfter,
} from "./rebuild-store.ts";

/** Records that are looked through at once. */
const MOST_AT_ONCE = 500;
/** Rounds after which writers have to wait for the rest, were they ever quicker than the build. */
const MOST_ROUNDS = 200;

type World = Pick<Services, "sql" | "config" | "search">;

export type RebuildOptions = {
  jobId: string;
  /** Null: all of them. The others are taken over from the index that answers. */
  kind: string | null;
  kinds: readonly string[];
  /** Throws when the work is to stop; what is there is kept for the next run. */
  report(progress: { done: number; total: number }): Promise<void>;
};

/** `failed`: of those that were looked through, could not be brought over; they wait for the worker, with the reason. */
export type Rebuilt = { records: number; failed: number };

export async function rebuildSearch(
  world: World,
  { jobId, kind, kinds, report }: RebuildOptions,
): Promise<Rebuilt> {
  const { sql, search } = world;
  const { records } = search.generations.batch;
  const run = newId();
  let build = await takeBuild(sql, jobId, run);
  if (build?.stage === "swap" && !(await search.generations.isBuilding())) return finish(world, run, build);
  if (!build || build.stage === "begun" || !(await search.generations.isBuilding())) {
    build = await insertBuild(sql, { jobId, run, kind });
    const kept = kind === null ? [] : kinds.filter((other) => other !== kind);
    await search.generations.begin(kept);
    build = await saveProgress(world, run, { ...build, stage: "records" });
  }
  const total = await countRecords(sql, kind);
  const tell = ({ done }: Build) => report({ done, total: Math.max(done, total) });
  await tell(build);
  if (build.stage === "records") {
    build = await indexAllRecords(world, run, build, tell);
    for (let round = 0; round < MOST_ROUNDS; round++) {
      await tell(build);
      if ((await indexChanges(world, run, build)) < records) break;
    }
  }
  if (build.done > 0 && build.failed.size >= build.done)
    throw new Error("No record can be brought into the new search index; the outbox says why");
  await search.generations.settle();
  while ((await indexChanges(world, run, build)) >= records);
  // from here to the end writers wait, and nothing is asked any more
  build = await saveProgress(world, run, { ...build, stage: "swap" });
  while ((await indexChanges(world, run, build)) > 0);
  await search.generations.swap();
  return finish(world, run, build);
}

/** Throws away what a job that will not go on has left. */
export async function abandonRebuild(world: World, jobId: string): Promise<void> {
  const { sql, search } = world;
  const run = newId();
  const build = await takeBuild(sql, jobId, run);
  if (!build) return;
  const isBuilding = await search.generations.isBuilding();
  if (build.stage === "swap" && !isBuilding) {
    await finish(world, run, build);
    return;
  }
  await search.generations.drop();
  await forgetBuild(sql, run);
}

async function saveProgress({ sql }: World, run: string, build: Build): Promise<Build> {
  await saveBuild(sql, run, build);
  return build;
}

/** What cannot be brought over stays in the outbox, so that the worker goes on trying. */
async function indexRecords(world: World, build: Build, ids: readonly string[]): Promise<void> {
  const { sql, search } = world;
  // a function of its own, so that the documents are let go when the index has made of them what it needs
  const put = async (part: readonly string[]) => {
    const { documents, gone } = await documentsOf(world, part);
    await search.generations.put(documents);
    if (gone.length > 0) await search.generations.remove(gone);
  };
  const failures = await inHalves(ids, put, () => search.ping());
  for (const id of ids) build.failed.delete(id);
  for (const failure of failures) {
    await keepFailure(sql, SEARCH_TARGET, failure);
    build.failed.add(failure.id);
  }
}

/** The index says how many batches are read and put at once. What is said to be there is there with everything before it. */
async function indexAllRecords(
  world: World,
  run: string,
  from: Build,
  tell: (build: Build) => Promise<void>,
): Promise<Build> {
  const { sql, search } = world;
  const { records, atOnce } = search.generations.batch;
  const begun: { ids: readonly string[]; brought: Promise<void> }[] = [];
  let build = from;
  let next = handledLater(idsAfter(sql, from.record_type, from.last_id, records));
  try {
    for (;;) {
      const ids = await next;
      const isLast = ids.length === 0;
      if (!isLast) {
        next = handledLater(idsAfter(sql, from.record_type, ids.at(-1)!, records));
        begun.push({ ids, brought: handledLater(indexRecords(world, from, ids)) });
      }
      while (begun.length > (isLast ? 0 : atOnce - 1)) {
        const oldest = begun[0]!;
        await oldest.brought;
        build = { ...build, last_id: oldest.ids.at(-1)!, done: build.done + oldest.ids.length };
        await saveProgress(world, run, build);
        begun.shift();
        await tell(build);
      }
      if (isLast) return build;
    }
  } catch (error) {
    // nothing is put any more when somebody else goes on with the build, or throws it away
    await Promise.allSettled(begun.map(({ brought }) => brought));
    await projectAgainIfLost(
      world,
      begun.flatMap(({ ids }) => ids),
      error,
    );
    throw error;
  }
}

/** What is not waited for at once, or never because something else failed first, is not a failure of its own. */
function handledLater<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/** Brings over what was noted, at most a batch; answers how many. */
async function indexChanges(world: World, run: string, build: Build): Promise<number> {
  const { sql, search } = world;
  const changes = await notedChanges(sql, search.generations.batch.records);
  if (changes.length === 0) return 0;
  const ids = changes.map(({ record_id }) => record_id);
  await indexRecords(world, build, ids);
  try {
    await saveProgress(world, run, build);
  } catch (error) {
    await projectAgainIfLost(world, ids, error);
    throw error;
  }
  await dropChanges(sql, changes);
  return changes.length;
}

/** A run that was taken for dead may have put what is old by now where another one has put what is new. */
async function projectAgainIfLost({ sql }: World, ids: readonly string[], error: unknown): Promise<void> {
  if (error instanceof BuildLost) await projectAgain(sql, ids, true);
}

/** The new index answers. Whoever was projecting meanwhile does so again: it may have been into the old one. */
async function finish(world: World, run: string, build: Build): Promise<Rebuilt> {
  const { sql, search } = world;
  for (let after: string | null = null; ; ) {
    const ids: string[] = await waitingAfter(sql, after, MOST_AT_ONCE);
    if (ids.length === 0) break;
    await projectAgain(sql, ids, false);
    after = ids.at(-1)!;
  }
  const own = await forgetBuild(sql, run);
  // a catalogue that was emptied meanwhile: what the index still has of it goes
  if (!own) await projectAllIndexed(world, search);
  return { records: build.done, failed: build.failed.size };
}

async function projectAllIndexed({ sql }: World, search: SearchIndex): Promise<void> {
  for (let after: string | null = null; ; ) {
    const found: { id: string }[] = await search.walk(after, MOST_AT_ONCE);
    if (found.length === 0) return;
    await projectAgain(
      sql,
      found.map(({ id }) => id),
      true,
    );
    after = found.at(-1)!.id;
  }
}
