/** POST /sparql/rebuild: the triple store made to agree with the records by a job (contract §4.5; interface §3). */
import { type Api, accountOf, endpoint } from "../http/endpoint.ts";
import { jobAccepted } from "../jobs/answer.ts";
import { enqueueRebuild } from "../jobs/enqueue-rebuild.ts";
import { JobShape } from "../jobs/shape.ts";
import { Problem } from "../problem.ts";
import { graphProjection } from "./graph-projection.ts";

export function graphRebuildRoutes(api: Api): void {
  const { sql, graphs } = api.services;
  endpoint(api, {
    method: "post",
    path: "/sparql/rebuild",
    tag: "linked-data",
    summary: "Fill the triple store anew",
    description:
      "By a job, while the store is used: each public record gets its named graph, `urn:svc:graph:<type>:<uuid>`, and graphs " +
      "that should not be there go. Asked again while one waits or runs, the answer is that job. Killed, it goes on where it was.",
    access: { feature: "rdf:rebuild" },
    answers: { 202: { description: "The job that does it", schema: JobShape } },
    problems: [409],
    async handle({ c, caller }) {
      if (graphs === null)
        throw new Problem(
          "conflict",
          "The triple store is off: start the service with TRIPLESTORE_ENABLED=true",
        );
      const account = accountOf(caller);
      return jobAccepted(c, account, await enqueueRebuild(sql, graphProjection.target, account.id));
    },
  });
}
