/** POST /sparql/rebuild: starts a job that rebuilds the triple store (contract §4.5; interface §3). */
import { type Api, accountOf, endpoint } from "../../http/endpoint.ts";
import { jobAccepted } from "../../jobs/answer.ts";
import { enqueueRebuild } from "../../jobs/enqueue.ts";
import { JobShape } from "../../jobs/shape.ts";
import { said } from "../../messages/said.ts";
import { Problem } from "../../problem.ts";
import { graphProjection } from "../graph-projection.ts";

export function graphRebuildRoutes(api: Api): void {
  const { sql, graphs } = api.services;
  endpoint(api, {
    method: "post",
    path: "/sparql/rebuild",
    tag: "linked-data",
    summary: "Rebuild the triple store",
    description:
      "A job does this while the store stays in use: each public record gets its named graph, `urn:svc:graph:<type>:<uuid>`, and other graphs " +
      "are removed. If such a job is already waiting or running, the answer is that job. After an interruption it continues.",
    access: { feature: "rdf:rebuild" },
    answers: { 202: { description: "The job that does it", schema: JobShape } },
    problems: [409],
    async handle({ c, caller }) {
      if (graphs === null) throw new Problem("conflict", said("problem.triplestore.off"));
      const account = accountOf(caller);
      return jobAccepted(c, account, await enqueueRebuild(sql, graphProjection.target, account.id));
    },
  });
}
