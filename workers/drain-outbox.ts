/** Claim → project → finish: makes the projections agree with the records, first by the writer, else by the worker. */
import { setTimeout } from "node:timers/promises";
import { errorFields } from "../src/log.ts";
import { claimDue, claimThese, finish, giveBack } from "../src/records/outbox.ts";
import { projectToSearch } from "../src/search/project.ts";
import { isSwapping, noteForRebuild } from "../src/search/rebuild-store.ts";
import type { Services } from "../src/services.ts";

/** Records projected at once. */
const BATCH = 500;
/** What is still crossed after so many is left to the worker. */
const MOST_ATTEMPTS = 4;
/** How long a writer waits for a new index that is about to answer; then it is left to the worker. */
const PATIENCE_MS = 2_000;
const LOOK_MS = 20;

/** The writer's own attempt right after its commit. What fails here is left to the worker. */
export async function followChange(services: Services, ids: readonly string[]): Promise<void> {
  for (let at = 0; at < ids.length; at += BATCH) {
    await followThese(services, ids.slice(at, at + BATCH)).catch((error) => {
      services.log.warn("projection put off", errorFields(error));
    });
  }
}

async function followThese(services: Services, ids: readonly string[]): Promise<void> {
  let { again } = await drainOnce(services, ids);
  // crossed with somebody else's projection of the same records: the next one sees what both did
  for (let attempt = 1; again.length > 0 && attempt < MOST_ATTEMPTS; attempt++) {
    ({ again } = await drainOnce(services, again));
  }
}

/** Works through everything that is due; answers how many records it projected. */
export async function drainOutbox(
  services: Services,
  stopped: () => boolean = () => false,
  report: (done: number) => void = () => undefined,
): Promise<number> {
  let done = 0;
  while (!stopped()) {
    const { count } = await drainOnce(services);
    if (count === 0) break;
    done += count;
    report(done);
  }
  return done;
}

async function drainOnce(
  services: Services,
  ids?: readonly string[],
): Promise<{ count: number; again: string[] }> {
  const claims = ids
    ? await claimThese(services.sql, "search", ids)
    : await claimDue(services.sql, "search", BATCH);
  if (claims.length === 0) return { count: 0, again: [] };
  try {
    await project(
      services,
      claims.map((item) => item.record_id),
    );
  } catch (error) {
    await giveBack(services.sql, "search", claims, error instanceof Error ? error.message : String(error));
    throw error;
  }
  return { count: claims.length, again: await finish(services.sql, "search", claims) };
}

/** A new search index that is built hears of it; while it is about to answer, nobody knows which of the two does. */
async function project(services: Services, ids: readonly string[]): Promise<void> {
  const { sql } = services;
  const begun = performance.now();
  for (;;) {
    await projectToSearch(services, ids);
    if (await noteForRebuild(sql, ids)) return;
    do {
      if (performance.now() - begun > PATIENCE_MS)
        throw new Error("the new search index does not answer yet");
      await setTimeout(LOOK_MS);
    } while (await isSwapping(sql));
  }
}
