/** The search index follows the records: `workers/drain-outbox.ts` claims marks, calls `project` and finishes them. */
import { type Failure, inHalves } from "../records/in-halves.ts";
import type { Projection } from "../records/projections.ts";
import { SEARCH_TARGET } from "../search-index.ts";
import type { Services } from "../services.ts";
import { projectToSearch } from "./project.ts";
import { isSwapping, noteForRebuild } from "./rebuild-store.ts";

/** How long a writer waits for a new index that is about to answer; then it is left to the worker. */
const PATIENCE_MS = 2_000;
const LOOK_MS = 20;

export const searchProjection: Projection = {
  target: SEARCH_TARGET,
  title: "the search index",
  about: "all",
  isEnabled: () => true,
  fillsItself: false,
  // its facets follow what is changed record by record
  showsConfiguration: false,
  project,
  idsAfter: async ({ search }, after, limit) => (await search.walk(after, limit)).map(({ id }) => id),
};

/**
 * Notes what was projected for a rebuild in progress. While its new index is about to answer, the change may be in neither
 * index, so this waits and projects again.
 */
async function project(services: Services, ids: readonly string[]): Promise<Failure[]> {
  const { sql, search } = services;
  const begun = performance.now();
  for (;;) {
    const failures = await inHalves(
      ids,
      (part) => projectToSearch(services, part),
      () => search.ping(),
    );
    if (await noteForRebuild(sql, ids)) return failures;
    do {
      if (performance.now() - begun > PATIENCE_MS)
        throw new Error("the new search index does not answer yet");
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    } while (await isSwapping(sql));
  }
}
