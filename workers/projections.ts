/** The projections, for writers, the worker, rebuilds and doctor. */
import { datesProjection } from "../src/aggregation/dates-projection.ts";
import type { Config } from "../src/config/read.ts";
import { enqueueRebuild } from "../src/jobs/enqueue.ts";
import { graphProjection } from "../src/linked-data/graph-projection.ts";
import {
  knownProjections,
  outdatedProjections,
  type Projection,
  saveProjections,
} from "../src/records/projections.ts";
import { followEdition } from "../src/search/edition.ts";
import { searchProjection } from "../src/search/projection.ts";
import type { Services } from "../src/services.ts";

export const PROJECTIONS: readonly Projection[] = [searchProjection, datesProjection, graphProjection];

export function enabledProjections(config: Config): Projection[] {
  return PROJECTIONS.filter((projection) => projection.isEnabled(config));
}

/**
 * Runs at the start, before the first write: from then on, writes mark records for these projections. All processes should
 * have the same configuration; if not, the last one to start decides.
 */
export async function enableProjections({ sql, config }: Services): Promise<void> {
  const enabled = enabledProjections(config);
  await sql.begin((tx) => saveProjections(tx, enabled));
  const known = await knownProjections(sql);
  for (const { target, fillsItself } of enabled) {
    const isFilled = known.find((each) => each.target === target)?.is_filled;
    if (fillsItself && !isFilled) await enqueueRebuild(sql, target, null);
  }
  await followEdition(sql);
}

/**
 * A changed configuration rebuilds the projections that contain labels or mappings of fields, terms, subtypes or relation
 * types. One rebuild covers all changes since the previous one started.
 */
export async function followConfiguration({ sql, config }: Services): Promise<void> {
  const behind = await outdatedProjections(sql);
  for (const { target, showsConfiguration } of enabledProjections(config))
    if (showsConfiguration && behind.includes(target)) await enqueueRebuild(sql, target, null);
}
