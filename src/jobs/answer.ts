/** The answer to whoever has asked for a job: it waits for its turn, and there it can be looked after (interface §3). */

import type { Account } from "../caller.ts";
import type { Ctx } from "../http/endpoint.ts";
import type { Job } from "./job.ts";
import { jobFor } from "./shown.ts";

export function jobAccepted(c: Ctx, caller: Account, job: Job): Response {
  // under the name of the prefix that was used
  const prefix = new URL(c.req.url).pathname.startsWith("/api/") ? "/api/v1" : "/v1";
  const headers = { Location: `${prefix}/jobs/${job.id}`, "Cache-Control": "private, no-store" };
  return c.json(jobFor(caller, job), 202, headers);
}
