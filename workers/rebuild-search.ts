/** The job that rebuilds the search index: POST /v1/search/reindex, svc-manage reindex. */
import { isKind, KINDS } from "../src/records/kinds.ts";
import { abandonRebuild, rebuildSearch } from "../src/search/rebuild.ts";
import type { Services } from "../src/services.ts";
import type { JobInput } from "./job-kind.ts";

export async function reindex({ services, id, params, report }: JobInput): Promise<Record<string, unknown>> {
  const asked = String(params.record_type ?? "");
  return rebuildSearch(services, { jobId: id, kind: isKind(asked) ? asked : null, kinds: KINDS, report });
}

export async function abandonReindex(services: Services, id: string): Promise<void> {
  await abandonRebuild(services, id);
}
