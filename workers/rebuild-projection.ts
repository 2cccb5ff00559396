/**
 * The job that rebuilds one projection while it is in use. It projects all records that belong to it (or those of one kind),
 * then removes strays, which do not belong to it. After a kill, it continues where it was.
 */

import { reasonOf } from "../src/health/reason.ts";
import { findJob } from "../src/jobs/store.ts";
import { said } from "../src/messages/said.ts";
import { Problem } from "../src/problem.ts";
import { Outage } from "../src/records/batch/in-halves.ts";
import type { Kind } from "../src/records/kinds.ts";
import { markFor } from "../src/records/outbox.ts";
import {
  countProjected,
  noteFilled,
  notProjected,
  type Projection,
  projectedAfter,
} from "../src/records/projections.ts";
import { currentSchema } from "../src/records/schema.ts";
import { Refusal } from "../src/refusal.ts";
import type { Services } from "../src/services.ts";
import { BATCH, followThese } from "./drain-outbox.ts";
import type { JobInput } from "./job-kind.ts";
import { enabledProjections } from "./projections.ts";

/**
 * `after`: the last processed id, of records or, in the stage `strays`, of entries of the projection. `configuration`: the
 * version of the configuration at the start.
 */
type Progress = {
  configuration: number;
  stage: "records" | "strays";
  after: string | null;
  records: number;
  removed: number;
  failed: number;
};

const BEGINNING: Omit<Progress, "configuration"> = {
  stage: "records",
  after: null,
  records: 0,
  removed: 0,
  failed: 0,
};

export async function rebuildProjection(input: JobInput): Promise<Record<string, unknown>> {
  const { target } = input.params;
  const projection = enabledProjections(input.services.config).find((each) => each.target === target);
  if (!projection) throw new Refusal(said("problem.projection.not_enabled", { target: String(target) }));
  return projectAll(input, projection, null);
}

/** @param kind null: records of all kinds */
export async function projectAll(
  { services, id, report }: JobInput,
  projection: Projection,
  kind: Kind | null,
): Promise<Record<string, unknown>> {
  const { sql } = services;
  const total = await countProjected(sql, projection, kind);
  const left = (await findJob(sql, id))?.result;
  const { version } = await currentSchema(sql);
  let progress: Progress = { ...BEGINNING, configuration: version, ...(left?.stage ? left : {}) };
  for (;;) {
    await report({ done: progress.records, total: Math.max(total, progress.records), result: progress });
    const ids =
      progress.stage === "records"
        ? await projectedAfter(sql, projection, kind, progress.after, BATCH)
        : await projection.idsAfter(services, progress.after, BATCH);
    if (ids.length === 0 && progress.stage === "strays") break;
    progress =
      ids.length === 0
        ? { ...progress, stage: "strays", after: null }
        : await projectBatch(services, projection, progress, ids);
  }
  if (kind === null) await noteFilled(sql, projection.target, progress.configuration);
  const { records, removed, failed } = progress;
  return { records, removed, failed };
}

async function projectBatch(
  services: Services,
  projection: Projection,
  progress: Progress,
  ids: readonly string[],
): Promise<Progress> {
  const isStray = progress.stage === "strays";
  const affected = isStray ? await notProjected(services.sql, projection, ids) : ids;
  // marked in the outbox, so that writers do not conflict with it and a kill loses nothing
  const mark = { by: "writer", hides: false } as const;
  await services.sql.begin((tx) => markFor(tx, projection.target, affected, mark));
  const failed = await followThese(services, projection, affected).catch((error: unknown) => {
    if (!(error instanceof Outage)) throw error;
    throw new Problem(
      "unavailable",
      said("problem.projection.unavailable", { title: projection.title, reason: reasonOf(error) }),
      { cause: error },
    );
  });
  return {
    ...progress,
    after: ids.at(-1)!,
    records: progress.records + (isStray ? 0 : ids.length),
    removed: progress.removed + (isStray ? affected.length - failed : 0),
    failed: progress.failed + failed,
  };
}
