/** The answer to whoever has asked for a job: it waits for its turn, and there it can be looked after (interface §3). */
import type { Ctx } from "../http/endpoint.ts";
import { type Job, jobJson } from "./job.ts";

export function jobAccepted(c: Ctx, job: Job): Response {
  return c.json(jobJson(job), 202, { Location: `/v1/jobs/${job.id}`, "Cache-Control": "private, no-store" });
}
