/** The search index as a projection: `workers/drain-outbox.ts` claims changed records and calls `project`. */
import { said } from "../messages/said.ts";
import { SEARCH_TARGET } from "../ports/search-index.ts";
import { type Failure, inHalves } from "../records/batch/in-halves.ts";
import type { Projection } from "../records/projections.ts";
import type { Services } from "../services.ts";
import { projectToSearch } from "./project.ts";
import { noteForRebuild } from "./rebuild-store.ts";

/** Milliseconds that a writer waits while a new index takes over. Then it leaves the records to the worker. */
const PATIENCE_MS = 2_000;
const LOOK_MS = 20;

export const searchProjection: Projection = {
  target: SEARCH_TARGET,
  title: said("projection.search"),
  about: "all",
  isEnabled: () => true,
  fillsItself: false,
  // triggers follow the names of terms (sql/0064_other_names.sql)
  showsConfiguration: false,
  project,
  idsAfter: async ({ search }, after, limit) => (await search.walk(after, limit)).map(({ id }) => id),
};

/** Notes the records for a running rebuild, then indexes them. Waits while the new index of a rebuild takes over. */
async function project(services: Services, ids: readonly string[]): Promise<Failure[]> {
  const { sql, search } = services;
  const begun = performance.now();
  while (!(await noteForRebuild(sql, ids))) {
    if (performance.now() - begun > PATIENCE_MS) throw new Error("the new search index does not answer yet");
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return inHalves(
    ids,
    (part) => projectToSearch(services, part),
    () => search.ping(),
  );
}
