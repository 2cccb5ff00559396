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
 * Runs at the start, before the first write: from then on, writes mark records for these projections, and a rebuild adds older
 * ones. All processes should have the same configuration; if not, the last one to start decides.
 */
export async function enableProjections({ sql, config, log }: Services): Promise<void> {
  const enabled = enabledProjections(config);
  await sql.begin((tx) => saveProjections(tx, enabled));
  for (const { target, is_filled } of await knownProjections(sql)) {
    if (is_filled) continue;
    log.info("a rebuild adds the records from before this was enabled", { target });
    await enqueueRebuild(sql, target, null);
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
