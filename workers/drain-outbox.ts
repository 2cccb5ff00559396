/** Claim → project → finish: makes the projections agree with the records, first by the writer, else by the worker. */
import { errorFields } from "../src/log.ts";
import { Outage } from "../src/records/in-halves.ts";
import { claimDue, claimThese, finish, giveBack } from "../src/records/outbox.ts";
import type { Projection } from "../src/records/projections.ts";
import type { Services, Sql } from "../src/services.ts";
import { enabledProjections } from "./projections.ts";

/** Records projected at once. */
export const BATCH = 500;
/** What is still crossed after so many is left to the worker. */
const MOST_ATTEMPTS = 4;
/** A place that fails only after so long keeps one writer waiting, not each … */
const SLOW_MS = 1_000;
/** … for so long: then the next writer tries again. */
const PAUSE_MS = 10_000;

/** The writer's own attempt right after its commit, at all projections at once. What fails is left to the worker. */
export async function followChange(services: Services, ids: readonly string[]): Promise<void> {
  await Promise.all(
    enabledProjections(services.config).map(async (projection) => {
      for (let at = 0; at < ids.length && !isPaused(services.sql, projection); at += BATCH)
        await attempt(services, projection, ids.slice(at, at + BATCH));
    }),
  );
}

async function attempt(services: Services, projection: Projection, ids: readonly string[]): Promise<void> {
  const begun = performance.now();
  try {
    await followThese(services, projection, ids);
  } catch (error) {
    if (performance.now() - begun > SLOW_MS) pause(services.sql, projection);
    services.log.warn("projection put off", { target: projection.target, ...errorFields(error) });
  }
}

const pauses = new WeakMap<Sql, Map<string, number>>();

function pause(sql: Sql, { target }: Projection): void {
  pauses.set(sql, (pauses.get(sql) ?? new Map()).set(target, performance.now() + PAUSE_MS));
}

function isPaused(sql: Sql, { target }: Projection): boolean {
  return performance.now() < (pauses.get(sql)?.get(target) ?? 0);
}

/** Projects these of its marked records, whoever else is about it; answers how many could not be. */
export async function followThese(
  services: Services,
  projection: Projection,
  ids: readonly string[],
): Promise<number> {
  let { again, failed } = await drainOnce(services, projection, ids);
  // crossed with somebody else's projection of the same records: the next one sees what both did
  for (let attempt = 1; again.length > 0 && attempt < MOST_ATTEMPTS; attempt++) {
    const next = await drainOnce(services, projection, again);
    again = next.again;
    failed += next.failed;
  }
  return failed;
}

/** Works through everything that is due for one projection; answers how many records it projected. */
export async function drainProjection(
  services: Services,
  projection: Projection,
  stopped: () => boolean = () => false,
  report: (projected: number) => void = () => undefined,
): Promise<number> {
  let done = 0;
  while (!stopped()) {
    const { claimed, projected } = await drainOnce(services, projection);
    if (claimed === 0) break;
    done += projected;
    report(projected);
  }
  return done;
}

/** The same for all of them, each by itself; throws what the first that failed has thrown, when all have done what they can. */
export async function drainOutbox(
  services: Services,
  stopped: () => boolean = () => false,
  report: (done: number) => void = () => undefined,
): Promise<number> {
  let done = 0;
  const each = enabledProjections(services.config).map((projection) =>
    drainProjection(services, projection, stopped, (projected) => {
      done += projected;
      report(done);
    }),
  );
  for (const end of await Promise.allSettled(each)) if (end.status === "rejected") throw end.reason;
  return done;
}

type Drained = { claimed: number; projected: number; failed: number; again: string[] };

async function drainOnce(
  services: Services,
  projection: Projection,
  ids?: readonly string[],
): Promise<Drained> {
  const { sql, log } = services;
  const { target } = projection;
  const claims = ids ? await claimThese(sql, target, ids) : await claimDue(sql, target, BATCH);
  if (claims.length === 0) return { claimed: 0, projected: 0, failed: 0, again: [] };
  const work = projection.project(
    services,
    claims.map((claim) => claim.record_id),
  );
  const { failures, outage } = await work.then(
    (failures) => ({ failures, outage: null }),
    (error: unknown) => ({ failures: error instanceof Outage ? error.failures : [], outage: error }),
  );
  for (const { id, reason } of failures)
    log.warn("a record cannot be projected", { target, record: id, error: reason });
  const reasons = new Map(failures.map(({ id, reason }) => [id, reason]));
  const others = claims.filter(({ record_id }) => !reasons.has(record_id));
  const alone = claims.filter(({ record_id }) => reasons.has(record_id));
  await giveBack(sql, target, alone, ({ record_id }) => reasons.get(record_id)!, { alone: true });
  if (outage !== null) {
    const reason = outage instanceof Error ? outage.message : String(outage);
    await giveBack(sql, target, others, () => reason, { alone: false });
    throw outage;
  }
  return {
    claimed: claims.length,
    projected: others.length,
    failed: alone.length,
    again: await finish(sql, target, others),
  };
}
