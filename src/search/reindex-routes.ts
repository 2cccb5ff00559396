/** POST /v1/search/reindex[/{type}]: queues a rebuild of the search index (contract §4.5; interface §3). */
import { z } from "zod";
import type { Account } from "../caller.ts";
import { type Api, accountOf, type Ctx, endpoint } from "../http/endpoint.ts";
import { jobAccepted } from "../jobs/answer.ts";
import { JobShape } from "../jobs/shape.ts";
import { KINDS } from "../records/kinds.ts";
import { enqueueReindex } from "./enqueue-reindex.ts";

const COMMON =
  "Queues a job whose `total` and `done` count records. A request for the same records returns the job that is queued or " +
  "running; a job for other records waits. A killed job continues where it stopped.";

const ReindexParams = z.object({ type: z.enum(KINDS) });

export function reindexRoutes(api: Api): void {
  const { sql } = api.services;
  const common = {
    method: "post",
    tag: "search",
    access: { feature: "search:reindex" },
    answers: { 202: { description: "The queued or running job", schema: JobShape } },
  } as const;
  const accept = async (c: Ctx, kind: string | null, caller: Account) =>
    jobAccepted(c, caller, await enqueueReindex(sql, kind, caller.id));

  endpoint(api, {
    ...common,
    path: "/v1/search/reindex",
    summary: "Rebuild the search index",
    description: `${COMMON} The current index answers until the new one is complete and has all changes made meanwhile. A cancelled job changes nothing.`,
    handle: ({ c, caller }) => accept(c, null, accountOf(caller)),
  });

  endpoint(api, {
    ...common,
    path: "/v1/search/reindex/{type}",
    summary: "Rebuild the search index for one type of record",
    description: `${COMMON} The current index answers meanwhile, and its records of this type are written again in batches.`,
    params: ReindexParams,
    handle: ({ c, caller, params }) => accept(c, params.type, accountOf(caller)),
  });
}
