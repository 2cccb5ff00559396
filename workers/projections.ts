/** What is made from the records and follows them: the table that the writers, the worker, a rebuild and doctor walk. */
import { datesProjection } from "../src/aggregation/dates-projection.ts";
import type { Config } from "../src/config/read.ts";
import { enqueueRebuild } from "../src/jobs/enqueue-rebuild.ts";
import { graphProjection } from "../src/linked-data/graph-projection.ts";
import {
  behindConfiguration,
  knownProjections,
  type Projection,
  saveProjections,
} from "../src/records/projections.ts";
import { searchProjection } from "../src/search/projection.ts";
import type { Services } from "../src/services.ts";

export const PROJECTIONS: readonly Projection[] = [searchProjection, datesProjection, graphProjection];

export function enabledProjections(config: Config): Projection[] {
  return PROJECTIONS.filter((projection) => projection.isEnabled(config));
}

/**
 * At a start, before anything is written: from now on these are marked. The processes of one service have one
 * configuration; when it changes, the last one that starts decides.
 */
export async function enableProjections({ sql, config }: Services): Promise<void> {
  const enabled = enabledProjections(config);
  await sql.begin((tx) => saveProjections(tx, enabled));
  const known = await knownProjections(sql);
  for (const { target, fillsItself } of enabled) {
    const isFilled = known.find((each) => each.target === target)?.is_filled;
    if (fillsItself && !isFilled) await enqueueRebuild(sql, target, null);
  }
}

/**
 * What fields, terms, subtypes and relation types are called, and what they mean, is shown with the records: what shows it
 * is rebuilt when the configuration has become another. One rebuild for all that changed since the last one began.
 */
export async function followConfiguration({ sql, config }: Services): Promise<void> {
  const behind = await behindConfiguration(sql);
  for (const { target, showsConfiguration } of enabledProjections(config))
    if (showsConfiguration && behind.includes(target)) await enqueueRebuild(sql, target, null);
}
