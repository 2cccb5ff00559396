/** GET /health (contract §7.2): checks the service's dependencies, under the names of the contract. */

import { z } from "zod";
import type { Config } from "../config/read.ts";
import { type Api, endpoint } from "../http/endpoint.ts";
import { wordsFor } from "../http/words.ts";
import { countWaiting } from "../jobs/store.ts";
import { said, sayAll, type Told } from "../messages/said.ts";
import { backlog } from "../records/outbox.ts";
import type { Sql } from "../services.ts";
import { backupAge } from "./backlog-store.ts";
import { type Measure, measure } from "./measure.ts";
import { UnhealthyError } from "./reason.ts";

/** A worker writes a heartbeat every ten seconds. */
const HEARTBEAT_SECONDS = 60;
/** Milliseconds for which the database counts as unhealthy after a request failed because of it, since the next request may be far off. */
const BROKEN_MS = 60_000;
/** Milliseconds for which a report is shared, so that requests for it cannot overload the database. */
const SHARED_MS = 1_000;

const Check = z.string().openapi({ description: "`ok`, or a short reason", example: "ok" });

const Health = z
  .object({
    status: z.enum(["ok", "degraded"]).openapi({ description: "degraded if any check is not ok" }),
    checks: z.object({
      database: Check,
      elasticsearch: Check.openapi({ description: "The search index" }),
      redis: Check.openapi({ description: "The queue, and the counters of rate limits" }),
      beat_heartbeat: Check.openapi({
        description: `A worker without hanging work was seen within ${HEARTBEAT_SECONDS} seconds`,
      }),
      cantaloupe: Check.openapi({
        description:
          "The image server at CANTALOUPE_URL, or the built-in one: it can render a picture, and MEDIA_ROOT is writable. With S3_BUCKET, also whether the bucket answers",
      }),
      oxigraph: Check.optional().openapi({ description: "The triple store, if enabled" }),
    }),
    queue_backlog: z.int().openapi({
      description:
        "Jobs waiting to run, and records waiting to be indexed; also 0 if it cannot be read, which " +
        "checks.redis shows",
    }),
    backup_age_hours: z.number().nullable().openapi({
      description: "Hours since the last complete backup; null before the first",
    }),
  })
  .openapi("Health");

/** The reasons become words when somebody reads it. */
export type HealthReport = Omit<z.infer<typeof Health>, "checks"> & { checks: Record<string, Told> };

/** The report of a service whose database is not ready yet. */
export function reportWithoutDatabase({ triplestore }: Config, database: Told): HealthReport {
  const wait = said("health.waits_for_database");
  return {
    status: "degraded",
    checks: {
      database,
      elasticsearch: wait,
      redis: wait,
      beat_heartbeat: wait,
      cantaloupe: wait,
      ...(triplestore.enabled ? { oxigraph: wait } : {}),
    },
    queue_backlog: 0,
    backup_age_hours: null,
  };
}

/** Checks the dependencies, at most once a second. */
export const healthReporter = (api: Api): (() => Promise<HealthReport>) => shared(reporter(api));

export function healthRoutes(api: Api, report: () => Promise<HealthReport>): void {
  endpoint(api, {
    method: "get",
    path: "/health",
    tag: "service",
    summary: "Read the health of the service",
    description: "Backlog and backup age are informational and never change the status.",
    access: "public",
    produces: [],
    answers: {
      200: { description: "Healthy", schema: Health },
      503: { description: "Degraded", schema: Health },
    },
    async handle({ c }) {
      const body = await report();
      return c.json(sayAll(wordsFor(c), body), body.status === "ok" ? 200 : 503, {
        "Cache-Control": "no-store",
      });
    },
  });
}

function reporter({ services, meter }: Api): () => Promise<HealthReport> {
  const { sql, search, images, imageServer, bucket, graphs, counter, log } = services;
  let queued = 0;
  let age: number | null = null;
  const well: Record<string, Measure> = {
    database: measure(
      "database",
      async () => {
        const seconds = await backupAge(sql);
        age = seconds === null ? null : Math.round(seconds / 36) / 100;
        if (meter.broken && performance.now() - meter.broken.at < BROKEN_MS) throw meter.broken.error;
      },
      log,
    ),
    elasticsearch: measure("elasticsearch", () => search.ping(), log),
    redis: measure(
      "redis",
      async () => {
        queued = 0;
        queued = (await backlog(sql)) + (await countWaiting(sql));
        await counter.ping();
      },
      log,
    ),
    beat_heartbeat: measure("beat_heartbeat", () => demandHeartbeat(sql), log),
    cantaloupe: measure(
      "cantaloupe",
      () => Promise.all([(imageServer ?? images).ping(), bucket?.ping()]),
      log,
    ),
  };
  if (graphs) well.oxigraph = measure("oxigraph", () => graphs.ping(), log);
  return async () => {
    const answers = Object.entries(well).map(async ([name, ask]) => [name, await ask()] as const);
    const checks = Object.fromEntries(await Promise.all(answers));
    return {
      status: Object.values(checks).every((check) => check === "ok") ? "ok" : "degraded",
      checks,
      queue_backlog: queued,
      backup_age_hours: age,
    };
  };
}

async function demandHeartbeat(sql: Sql): Promise<void> {
  const [row] = await sql<{ age: number }[]>`
    select extract(epoch from clock_timestamp() - at)::float8 as age from heartbeats where name = 'worker'`;
  if (!row) throw new UnhealthyError(said("health.no_worker"));
  if (row.age > HEARTBEAT_SECONDS) {
    throw new UnhealthyError(said("health.worker_gone", { seconds: Math.round(row.age) }));
  }
  // a live worker corrects the time within seconds
  if (row.age < -HEARTBEAT_SECONDS) {
    throw new UnhealthyError(said("health.clock_set_back"));
  }
}

/** Requests during a measurement, or soon after, get the same report. */
function shared(make: () => Promise<HealthReport>): () => Promise<HealthReport> {
  let made: Promise<HealthReport> | null = null;
  let at = 0;
  return () => {
    if (made && performance.now() - at < SHARED_MS) return made;
    at = Number.POSITIVE_INFINITY;
    made = make().finally(() => {
      at = performance.now();
    });
    return made;
  };
}
