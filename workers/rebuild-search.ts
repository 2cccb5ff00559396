/** The job that rebuilds the search index: POST /v1/search/reindex[/{type}], svc-manage reindex. */
import { isKind } from "../src/records/kinds.ts";
import { searchProjection } from "../src/search/projection.ts";
import { abandonRebuild, rebuildSearch } from "../src/search/rebuild.ts";
import type { Services } from "../src/services.ts";
import type { JobInput } from "./job-kind.ts";
import { projectAll } from "./rebuild-projection.ts";

/** Indexes records of one type again in the index that answers, or all types in a new index. */
export async function reindex(input: JobInput): Promise<Record<string, unknown>> {
  const { services, id, params, report } = input;
  const asked = String(params.record_type ?? "");
  if (isKind(asked)) return projectAll(input, searchProjection, asked);
  return rebuildSearch(services, { jobId: id, report });
}

export async function abandonReindex(services: Services, id: string): Promise<void> {
  await abandonRebuild(services, id);
}
