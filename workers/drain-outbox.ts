/** Claim → project → finish: makes the projections agree with the records, first by the writer, else by the worker. */
import { setTimeout } from "node:timers/promises";
import { errorFields } from "../src/log.ts";
import { type Failure, inHalves, Outage } from "../src/records/in-halves.ts";
import { claimDue, claimThese, finish, giveBack, type Target } from "../src/records/outbox.ts";
import { projectToSearch } from "../src/search/project.ts";
import { isSwapping, noteForRebuild } from "../src/search/rebuild-store.ts";
import type { Services } from "../src/services.ts";

const TARGET: Target = "search";
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
    const { claimed, projected } = await drainOnce(services);
    if (claimed === 0) break;
    done += projected;
    report(done);
  }
  return done;
}

type Drained = { claimed: number; projected: number; again: string[] };

async function drainOnce(services: Services, ids?: readonly string[]): Promise<Drained> {
  const { sql } = services;
  const claims = ids ? await claimThese(sql, TARGET, ids) : await claimDue(sql, TARGET, BATCH);
  if (claims.length === 0) return { claimed: 0, projected: 0, again: [] };
  const { failures, outage } = await project(
    services,
    claims.map((claim) => claim.record_id),
  ).then(
    (failures) => ({ failures, outage: null }),
    (error: unknown) => ({ failures: error instanceof Outage ? error.failures : [], outage: error }),
  );
  const reasons = new Map(failures.map(({ id, reason }) => [id, reason]));
  const others = claims.filter(({ record_id }) => !reasons.has(record_id));
  const alone = claims.filter(({ record_id }) => reasons.has(record_id));
  await giveBack(sql, TARGET, alone, ({ record_id }) => reasons.get(record_id)!, { alone: true });
  if (outage !== null) {
    const reason = outage instanceof Error ? outage.message : String(outage);
    await giveBack(sql, TARGET, others, () => reason, { alone: false });
    throw outage;
  }
  return {
    claimed: claims.length,
    projected: others.length,
    again: await finish(sql, TARGET, others),
  };
}

/**
 * A new search index that is built hears of it; while it is about to answer, nobody knows which of the two does. Answers
 * the records that cannot be projected.
 */
async function project(services: Services, ids: readonly string[]): Promise<Failure[]> {
  const { sql, search, log } = services;
  const begun = performance.now();
  for (;;) {
    const failures = await inHalves(
      ids,
      (part) => projectToSearch(services, part),
      () => search.ping(),
    );
    if (await noteForRebuild(sql, ids)) {
      for (const { id, reason } of failures)
        log.warn("a record cannot be projected", { target: TARGET, record: id, error: reason });
      return failures;
    }
    do {
      if (performance.now() - begun > PATIENCE_MS)
        throw new Error("the new search index does not answer yet");
      await setTimeout(LOOK_MS);
    } while (await isSwapping(sql));
  }
}
