/** Updates the projections after changes to records: claim → project → finish. The writer tries first, then the worker. */

import { errorFields } from "../src/log.ts";
import { say, toldOf } from "../src/messages/said.ts";
import { ENGLISH } from "../src/messages/translate.ts";
import { Outage } from "../src/records/batch/in-halves.ts";
import { claimDue, claimRecords, finish, kindsOf, releaseFailed } from "../src/records/outbox.ts";
import type { Projection } from "../src/records/projections.ts";
import type { Services, Sql } from "../src/services.ts";
import { enabledProjections } from "./projections.ts";

/** Records per batch. */
export const BATCH = 500;
/** After this many conflicts, the worker takes over. */
const MOST_ATTEMPTS = 4;
/** After a failure that took longer than this, writers skip the projection … */
const SLOW_MS = 1_000;
/** … for this long. Then one writer tries again. */
const PAUSE_MS = 10_000;

/** The writer's attempt right after its commit, for all projections at once. The worker retries what fails. */
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
    services.log.warn("records could not be processed and are retried later", {
      target: projection.target,
      ...errorFields(error),
    });
  }
}

const pauses = new WeakMap<Sql, Map<string, number>>();

function pause(sql: Sql, { target }: Projection): void {
  pauses.set(sql, (pauses.get(sql) ?? new Map()).set(target, performance.now() + PAUSE_MS));
}

function isPaused(sql: Sql, { target }: Projection): boolean {
  return performance.now() < (pauses.get(sql)?.get(target) ?? 0);
}

/** Projects these marked records, even if others do so at the same time; returns how many failed. */
export async function followThese(
  services: Services,
  projection: Projection,
  ids: readonly string[],
): Promise<number> {
  let { again, failed } = await drainOnce(services, projection, ids);
  // the records have changed again, or somebody else projected them too: the next attempt sees both results
  for (let attempt = 1; again.length > 0 && attempt < MOST_ATTEMPTS; attempt++) {
    const next = await drainOnce(services, projection, again);
    again = next.again;
    failed += next.failed;
  }
  return failed;
}

/** Processes everything that is due for one projection; returns how many records it projected. */
export async function drainProjection(
  services: Services,
  projection: Projection,
  stopped: () => boolean | Promise<boolean> = () => false,
  report: (projected: number) => void = () => undefined,
): Promise<number> {
  let done = 0;
  while (!(await stopped())) {
    const { claimed, projected } = await drainOnce(services, projection);
    if (claimed === 0) break;
    done += projected;
    report(projected);
  }
  return done;
}

/** The same for all projections, independently. After all have finished, throws the first error. */
export async function drainOutbox(
  services: Services,
  stopped: () => boolean | Promise<boolean> = () => false,
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
  const claims = ids ? await claimRecords(sql, target, ids) : await claimDue(sql, target, BATCH);
  if (claims.length === 0) return { claimed: 0, projected: 0, failed: 0, again: [] };
  const work = projection.project(
    services,
    claims.map((claim) => claim.record_id),
  );
  const { failures, outage } = await work.then(
    (failures) => ({ failures, outage: null }),
    (error: unknown) => ({ failures: error instanceof Outage ? error.failures : [], outage: error }),
  );
  const reasons = new Map(failures.map(({ id, reason }) => [id, reason]));
  const types = reasons.size === 0 ? null : await kindsOf(sql, [...reasons.keys()]);
  for (const [id, error] of reasons)
    log.warn("a record could not be processed", {
      target,
      type: types?.get(id),
      record: id,
      error: say(ENGLISH, error),
    });
  const others = claims.filter(({ record_id }) => !reasons.has(record_id));
  const failed = claims.filter(({ record_id }) => reasons.has(record_id));
  const gone = new Set(failures.flatMap(({ id, isGone }) => (isGone ? [id] : [])));
  for (const isGone of [true, false]) {
    const some = failed.filter(({ record_id }) => gone.has(record_id) === isGone);
    await releaseFailed(sql, target, some, ({ record_id }) => reasons.get(record_id)!, {
      alone: true,
      gone: isGone,
    });
  }
  if (outage !== null) {
    const reason = toldOf(outage);
    await releaseFailed(sql, target, others, () => reason, { alone: false });
    throw outage;
  }
  return {
    claimed: claims.length,
    projected: others.length,
    failed: failed.length,
    again: await finish(sql, target, others),
  };
}
