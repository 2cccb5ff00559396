/** GET /v1/jobs/{id}/events: the progress of a job as server-sent events (WHATWG HTML §9.2). */

import { z } from "zod";
import { identified } from "../accounts/identify.ts";
import type { Account } from "../caller.ts";
import { type Api, accountOf, type Ctx, endpoint } from "../http/endpoint.ts";
import { wordsFor } from "../http/words.ts";
import { errorFields } from "../log.ts";
import { said } from "../messages/said.ts";
import { Problem } from "../problem.ts";
import { demandJob } from "./change.ts";
import { watchJob } from "./events.ts";
import { isOver, type Job } from "./job.ts";
import { JobParams } from "./shape.ts";
import { JOBS_READ, jobFor, maySee } from "./shown.ts";
import { findJob } from "./store.ts";

/** Milliseconds between two checks that the watcher still has the permission. */
const LET_IN_MS = 3_000;
/** In this process. Each asks the database once a second. */
const MOST_STREAMS = 50;

export function jobEventRoutes(api: Api): void {
  const { services } = api;
  const { sql, log, stopping } = services;
  let open = 0;

  /** The current caller; null if the account was disabled, its role or password changed, or the key was revoked. */
  async function stillLetIn(c: Ctx, job: Job): Promise<Account | null> {
    try {
      const { authorization, "x-api-key": key } = c.req.header();
      const account = await identified(services, authorization, key, c.req.path);
      return !account.mustChangePassword && maySee(account, job) ? account : null;
    } catch (error) {
      if (error instanceof Problem && error.status < 500) return null;
      throw error;
    }
  }

  endpoint(api, {
    method: "get",
    path: "/v1/jobs/{id}/events",
    tag: "jobs",
    summary: "Watch a job",
    description:
      "Server-sent events. `progress` contains the job as in `GET /v1/jobs/{id}`, at once and after each change; " +
      "`done`, `failed` or `cancelled` is the last event. The stream also ends after a quarter of an hour: reconnect with " +
      "`Last-Event-ID` to get only newer events, or 204 if there will be none. The stream closes within seconds when the " +
      "caller loses the permission, or when its token or key expires.",
    access: { feature: JOBS_READ, orMaker: true },
    params: JobParams,
    produces: ["text/event-stream"],
    problems: [404],
    answers: {
      200: { description: "Events until the job ends", schema: z.string(), type: "text/event-stream" },
      204: { description: "The job has ended, and its last event was already received" },
    },
    async handle({ c, caller, params }) {
      let account = accountOf(caller);
      const job = await demandJob(sql, account, params.id);
      const seen = Number(c.req.header("Last-Event-ID") ?? Number.NaN);
      if (isOver(job) && seen === job.revision) return c.body(null, 204);
      const headers = {
        "Content-Type": "text/event-stream",
        "Cache-Control": "private, no-store",
        // nginx would buffer the events
        "X-Accel-Buffering": "no",
      };
      if (c.req.method === "HEAD") return c.body(null, 200, headers);
      if (open >= MOST_STREAMS) {
        const told = said("problem.job.watched", { most: MOST_STREAMS, id: job.id });
        throw new Problem("too_many", told, { headers: { "Retry-After": "30" } });
      }
      open += 1;
      let checkedAt = performance.now();
      const look = async () => {
        if (performance.now() - checkedAt > LET_IN_MS) {
          const now = await stillLetIn(c, job);
          if (!now) return undefined;
          account = now;
          checkedAt = performance.now();
        }
        return findJob(sql, job.id);
      };
      const events = watchJob(job, seen, look, {
        show: (shown) => jobFor(wordsFor(c), account, shown),
        until: stopping,
        closed: () => {
          open -= 1;
        },
        failed: (error) => log.warn("a job can no longer be watched", { job: job.id, ...errorFields(error) }),
      });
      return c.body(events, 200, headers);
    },
  });
}
