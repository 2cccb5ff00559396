/** The answer to a request that queued a job: 202, with the address of the job (interface §3). */

import type { Account } from "../caller.ts";
import type { Ctx } from "../http/endpoint.ts";
import { wordsFor } from "../http/words.ts";
import type { Job } from "./job.ts";
import { jobFor } from "./shown.ts";

export function jobAccepted(c: Ctx, caller: Account, job: Job): Response {
  // with the prefix of the request
  const prefix = new URL(c.req.url).pathname.startsWith("/api/") ? "/api/v1" : "/v1";
  const headers = { Location: `${prefix}/jobs/${job.id}`, "Cache-Control": "private, no-store" };
  return c.json(jobFor(wordsFor(c), caller, job), 202, headers);
}
