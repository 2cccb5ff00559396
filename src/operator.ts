/**
 * The operator's routes: what `svc-manage` asks of the process that has the catalogue open. A service has them on the socket
 * in its data directory alone, never on a port. They are not part of the API: nobody signs in, and answers have sentences as
 * keys and values, which the command says in the language of the terminal.
 */
import { Hono } from "hono";
import { z } from "zod";
import { parseJson, readBytes } from "./http/body.ts";
import { readAs } from "./http/faults.ts";
import { UUID } from "./ids.ts";
import { enqueueJob, enqueueRebuild } from "./jobs/enqueue.ts";
import { JOB_STATES, type Job } from "./jobs/job.ts";
import { JOB_KIND_NAMES } from "./jobs/kinds.ts";
import { cancelJob, findJob, listJobs, retryJob } from "./jobs/store.ts";
import { said } from "./messages/said.ts";
import { invalid, Problem } from "./problem.ts";
import { KINDS } from "./records/kinds.ts";
import { failedRecords } from "./records/outbox.ts";
import { enqueueReindex } from "./search/enqueue-reindex.ts";
import type { Services, Sql } from "./services.ts";

/** Bytes of a request. */
const LONGEST = 100_000;
/** Jobs in a list. */
export const MOST_LISTED = 50;
/** Records that a rebuild names. */
const NAMED = 20;

const Filter = z.strictObject({
  kind: z.enum(JOB_KIND_NAMES).optional(),
  state: z.enum(JOB_STATES).optional(),
});
const Reindex = z.strictObject({ type: z.enum(KINDS).nullable() });
const Rebuild = z.strictObject({ target: z.string().max(100) });

/** Throws what is wrong: a `Problem`, or a fault of the database. */
export function createOperator({ sql }: Pick<Services, "sql">): Hono {
  const app = new Hono();
  app.onError((error) => {
    throw error;
  });
  app.get("/jobs", async (c) => {
    const filter = read(Filter, c.req.query());
    return c.json(await listJobs(sql, filter, { limit: MOST_LISTED, offset: 0 }));
  });
  app.get("/jobs/:id", async (c) => c.json((await jobOf(sql, c.req.param("id"))) ?? null));
  app.post("/jobs/:id/cancel", async (c) => c.json(await change(sql, c.req.param("id"), "cancel")));
  app.post("/jobs/:id/retry", async (c) => c.json(await change(sql, c.req.param("id"), "retry")));
  app.post("/reindex", async (c) => {
    const { type } = await body(Reindex, c.req.raw);
    return c.json(await enqueueReindex(sql, type, null));
  });
  app.post("/rebuild", async (c) => {
    const { target } = await body(Rebuild, c.req.raw);
    return c.json(await enqueueRebuild(sql, target, null));
  });
  app.get("/rebuild/:target/failed", async (c) =>
    c.json(await failedRecords(sql, c.req.param("target"), NAMED)),
  );
  for (const kind of ["dump", "ark-mint"] as const)
    app.post(`/${kind}`, async (c) =>
      c.json((await enqueueJob(sql, { kind, createdBy: null, uniqueKey: kind })).job),
    );
  return app;
}

async function body<S extends z.ZodType>(shape: S, request: Request): Promise<z.output<S>> {
  return read(shape, parseJson(await readBytes(request, LONGEST)));
}

function read<S extends z.ZodType>(shape: S, value: unknown): z.output<S> {
  const found = readAs(shape, value);
  if ("faults" in found) throw invalid(found.faults);
  return found.data;
}

async function jobOf(sql: Sql, id: string): Promise<Job | undefined> {
  return UUID.test(id) ? findJob(sql, id) : undefined;
}

/** The job after the change. */
async function change(sql: Sql, id: string, what: "cancel" | "retry"): Promise<Job> {
  const job = await jobOf(sql, id);
  if (!job) throw new Problem("not_found", said("cli.jobs.not_found", { id }));
  const after = await (what === "cancel" ? cancelJob : retryJob)(sql, id);
  if (after) return after;
  const { state } = job;
  throw new Problem(
    "conflict",
    said(what === "cancel" ? "problem.job.over" : "problem.job.not_retryable", { state }),
  );
}
