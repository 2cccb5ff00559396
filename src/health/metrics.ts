/** GET /metrics for Prometheus: the counters of this process, and the waiting work in the database. */

import { VERSION } from "../config/version.ts";
import { type Api, endpoint } from "../http/endpoint.ts";
import { BOUNDS, type Meter, type RouteMeter } from "../http/meter.ts";
import { JOB_STATES } from "../jobs/job.ts";
import { JOB_KIND_NAMES } from "../jobs/kinds.ts";
import type { Services } from "../services.ts";
import {
  backupAge,
  connections,
  type JobCount,
  jobCounts,
  mailBacklog,
  outboxBacklog,
} from "./backlog-store.ts";
import { EXPOSITION_TYPE, metric, type Sample } from "./exposition.ts";

/** `metrics:read` permits nothing else, so that a scraper's key in a file can do nothing more. */
export function metricsRoutes(api: Api): void {
  endpoint(api, {
    method: "get",
    path: "/metrics",
    tag: "service",
    summary: "Read the metrics for Prometheus",
    description:
      "Requests, latencies and memory are of this process since its start; waiting work is read from the database.",
    access: { feature: "metrics:read" },
    produces: [],
    answers: { 200: { description: "Text format 0.0.4", type: EXPOSITION_TYPE } },
    async handle() {
      const text =
        requestMetrics(api.meter) + processMetrics(api.services) + (await databaseMetrics(api.services));
      return new Response(text, {
        headers: { "Content-Type": EXPOSITION_TYPE, "Cache-Control": "no-store" },
      });
    },
  });
}

function requestMetrics(meter: Meter): string {
  const used = [...meter.routes, meter.unrouted].filter(({ statuses }) => statuses.some((n) => n > 0));
  const counts = used.flatMap(({ method, route, statuses }) =>
    statuses.flatMap((value, digit) =>
      value === 0 ? [] : [{ labels: { method, route, status: `${digit}xx` }, value }],
    ),
  );
  return (
    metric(
      "svc_http_requests_total",
      "counter",
      "Requests by route; the empty route counts requests without a route.",
      counts,
    ) +
    metric(
      "svc_http_request_duration_seconds",
      "histogram",
      "Time until the answer started.",
      used.flatMap(histogram),
    ) +
    metric("svc_http_requests_in_flight", "gauge", "Requests that are not answered yet.", [
      { value: meter.inFlight },
    ])
  );
}

function histogram({ method, route, statuses, buckets, seconds }: RouteMeter): Sample[] {
  const total = statuses.reduce((sum, n) => sum + n, 0);
  let below = 0;
  const samples: Sample[] = BOUNDS.map((bound, at) => {
    below += buckets[at]!;
    return { suffix: "_bucket", labels: { method, route, le: String(bound) }, value: below };
  });
  return [
    ...samples,
    { suffix: "_bucket", labels: { method, route, le: "+Inf" }, value: total },
    { suffix: "_sum", labels: { method, route }, value: seconds },
    { suffix: "_count", labels: { method, route }, value: total },
  ];
}

function processMetrics({ vitals, database }: Services): string {
  const build = metric("svc_build_info", "gauge", "Version of the service, and its database.", [
    { labels: { version: VERSION, database }, value: 1 },
  ]);
  if (vitals === null) return build;
  const { residentBytes, heapBytes, cpuSeconds, startedAt } = vitals.read();
  return (
    build +
    metric("process_resident_memory_bytes", "gauge", "Memory of the process.", [{ value: residentBytes }]) +
    metric("svc_heap_used_bytes", "gauge", "JavaScript heap in use.", [{ value: heapBytes }]) +
    metric("process_cpu_seconds_total", "counter", "CPU time of the process.", [{ value: cpuSeconds }]) +
    metric("process_start_time_seconds", "gauge", "Start of the process, in seconds since 1970.", [
      { value: startedAt },
    ])
  );
}

async function databaseMetrics({ sql, database }: Services): Promise<string> {
  const outbox = await outboxBacklog(sql);
  const mail = await mailBacklog(sql);
  const jobs = await jobCounts(sql);
  const sinceBackup = await backupAge(sql);
  // the embedded database has only one session, which this query uses
  const open = database === "external" ? await connections(sql) : [];
  const byTarget = (of: "rows" | "failing" | "overdue"): Sample[] =>
    outbox.map((row) => ({ labels: { target: row.target }, value: row[of] }));
  return (
    metric("svc_outbox_rows", "gauge", "Records waiting for a projection.", byTarget("rows")) +
    metric(
      "svc_outbox_failing_rows",
      "gauge",
      "Of those, records whose last attempt failed.",
      byTarget("failing"),
    ) +
    metric(
      "svc_outbox_overdue_seconds",
      "gauge",
      "How long the oldest waiting record has been due.",
      byTarget("overdue"),
    ) +
    metric("svc_mail_queue_rows", "gauge", "Waiting mails, and mails that were given up.", [
      { labels: { state: "waiting" }, value: mail.waiting },
      { labels: { state: "given_up" }, value: mail.given_up },
    ]) +
    metric("svc_mail_queue_overdue_seconds", "gauge", "How long the oldest waiting mail has been due.", [
      { value: mail.overdue },
    ]) +
    metric(
      "svc_jobs",
      "gauge",
      "Jobs by kind and state; done and cancelled jobs are kept for two weeks, failed ones for three months.",
      jobSamples(jobs),
    ) +
    metric(
      "svc_backup_age_seconds",
      "gauge",
      "Time since the last complete backup; missing before the first.",
      sinceBackup === null ? [] : [{ value: sinceBackup }],
    ) +
    metric(
      "svc_database_connections",
      "gauge",
      "Database connections of all processes of this service.",
      open.map(({ state, n }) => ({ labels: { state }, value: n })),
    ) +
    metric("svc_database_connections_max", "gauge", "Most connections that this process opens.", [
      { value: sql.options.max },
    ])
  );
}

/** Every kind and state, including zeros, since alerts cannot use a series that comes and goes. */
function jobSamples(counts: readonly JobCount[]): Sample[] {
  const others = counts
    .map(({ kind }) => kind)
    .filter((kind) => !JOB_KIND_NAMES.some((name) => name === kind));
  return [...JOB_KIND_NAMES, ...new Set(others)].flatMap((kind) =>
    JOB_STATES.map((state) => ({
      labels: { kind, state },
      value: counts.find((each) => each.kind === kind && each.state === state)?.n ?? 0,
    })),
  );
}
