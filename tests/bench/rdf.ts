/**
 * The embedded triple store with 59,000 records: its rebuild, the start of a process, memory, the delay until a
 * published record is found, exports, and other queries beside an endless one. BENCH_RECORDS: use fewer records.
 */
import { execFileSync } from "node:child_process";
import { setTimeout } from "node:timers/promises";
import { embeddedGraphs } from "../../src/adapters/graph/embedded.ts";
import { createApp } from "../../src/app.ts";
import { enqueueRebuild } from "../../src/jobs/enqueue.ts";
import { findJob } from "../../src/jobs/store.ts";
import type { Services } from "../../src/services.ts";
import { KIND_WORK } from "../../workers/job-kinds.ts";
import { startJobLoop } from "../../workers/job-loop.ts";
import { enableProjections } from "../../workers/projections.ts";
import { TIMING } from "../../workers/timing.ts";
import { ENDLESS } from "../ports/graph.ts";
import { newAccount, signedIn } from "../support/museum/signed-in.ts";
import { type Ground, ms, openGround, pace, spread, type Where } from "./ground.ts";
import { importInto } from "./import.ts";

const TIMEOUT_SECONDS = 10;
const EXPORTS = 500;
const PUBLISHED = 50;
const COUNT = "SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } }";

type Ask = (path: string, headers?: Record<string, string>) => Promise<{ text: string; took: number }>;

export async function benchRdf(where: Where): Promise<void> {
  const ground = await openGround(where);
  await importInto(ground, "skip", Number(process.env.BENCH_RECORDS ?? 59_031));
  const graphs = embeddedGraphs(
    ground.services.sql,
    { timeoutSeconds: TIMEOUT_SECONDS },
    async () => undefined,
  );
  try {
    const services = withStore(ground, graphs);
    await enableProjections(services);
    const app = createApp(services).app;
    let asked = 0;
    const ask: Ask = async (path, headers = {}) => {
      const begun = performance.now();
      // a different client each time, because one client's requests wait for each other
      const remote = `198.18.${(asked >> 8) & 255}.${asked++ & 255}`;
      const answer = await app.request(path, { headers }, { remote });
      const text = await answer.text();
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text.slice(0, 200)}`);
      return { text, took: performance.now() - begun };
    };
    await rebuild(services, where);
    await fill(ask);
    await exports(services, ask);
    await publish(services, ask);
    await besideEndless(ask);
  } finally {
    graphs.close();
    await ground.close();
  }
}

function withStore({ services }: Ground, graphs: Services["graphs"]): Services {
  const { config } = services;
  const sparql = { ...config.sparql, enabled: true, requireAuth: false, timeoutSeconds: TIMEOUT_SECONDS };
  return {
    ...services,
    graphs,
    config: { ...config, triplestore: { ...config.triplestore, enabled: true }, sparql },
  };
}

async function rebuild(services: Services, where: Where): Promise<void> {
  const { sql } = services;
  const { id } = await enqueueRebuild(sql, "graph", null);
  const loop = startJobLoop(services, { rebuild: KIND_WORK.rebuild }, TIMING, async () => undefined);
  let job = (await findJob(sql, id))!;
  while (job.state === "queued" || job.state === "running") {
    await setTimeout(100);
    job = (await findJob(sql, id))!;
  }
  await loop.stop();
  if (job.state !== "done") throw new Error(JSON.stringify(job));
  const seconds = (Date.parse(`${job.finished_at}Z`) - Date.parse(`${job.started_at}Z`)) / 1_000;
  console.log(
    `rdf, ${where}: rebuild ${(job.done / seconds).toFixed(0)} records/s (${job.done} in ${seconds.toFixed(1)} s; ` +
      `target 3000/s; pace ${pace().toFixed(0)} ms)`,
  );
}

const sparql = (query: string) => `/sparql?query=${encodeURIComponent(query)}`;

/** What queries are answered while a process is being filled. */
function waiting(error: Error): null {
  if (!error.message.includes(": 503 ")) throw error;
  return null;
}

/** A process that starts empty; meanwhile queries are answered that the store is being filled. */
async function fill(ask: Ask): Promise<void> {
  const begun = performance.now();
  for (;;) {
    const answer = await ask(sparql(COUNT)).catch(waiting);
    if (answer !== null) {
      const quads = /"value":"(\d+)"/.exec(answer.text)?.[1];
      const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
      console.log(`  a process is filled in ${seconds} s: ${quads} quads, ${resident()}`);
      return;
    }
  }
}

/** Of the processes of the store. */
function resident(): string {
  const processes = execFileSync("ps", ["-Ao", "rss=,ppid=,args="], { encoding: "utf8" }).split("\n");
  return processes
    .filter(
      (line) => line.includes("store-process.mjs") && line.trim().split(/ +/)[1] === String(process.pid),
    )
    .map((line) => `${(Number.parseInt(line.trim(), 10) / 1024).toFixed(0)} MB`)
    .join(" and ");
}

async function exports({ sql }: Services, ask: Ask): Promise<void> {
  const rows = await sql<{ id: string }[]>`
    select id from records where record_type = 'object' and status = 'public' order by md5(id::text) limit ${EXPORTS}`;
  for (const format of ["jsonld", "turtle"]) {
    const times: number[] = [];
    for (const { id } of rows) times.push((await ask(`/v1/objects/${id}/export?format=${format}`)).took);
    const { p50, p95, max } = spread(times);
    console.log(
      `  export as ${format}: p50 ${ms(p50)}, p95 ${ms(p95)}, max ${ms(max)} ms (pace ${pace().toFixed(0)} ms)`,
    );
  }
}

/** The time from publishing a record until a query finds it. */
async function publish(services: Services, ask: Ask): Promise<void> {
  const { sql } = services;
  const become = await editorOf(services);
  const rows = await sql<{ id: string }[]>`
    select id from records where record_type = 'object' and status = 'public' order by md5(id::text) limit ${PUBLISHED}`;
  const times: number[] = [];
  for (const { id } of rows) {
    await become(id, "internal");
    const begun = performance.now();
    await become(id, "public");
    const isThere = sparql(`ASK { GRAPH <urn:svc:graph:object:${id}> { ?s ?p ?o } }`);
    while (!(await ask(isThere)).text.includes("true")) await setTimeout(5);
    times.push(performance.now() - begun);
  }
  const { p50, p95, max } = spread(times);
  console.log(`  published and found: p50 ${ms(p50)}, p95 ${ms(p95)}, max ${ms(max)} ms (target 1000)`);
}

async function editorOf(services: Services): Promise<(id: string, status: string) => Promise<void>> {
  const id = await newAccount(services.sql, "editor@example.org");
  const token = await signedIn(services, { id, token_version: 1 });
  const { app } = createApp(services);
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  return async (object, status) => {
    const body = JSON.stringify({ status });
    const answer = await app.request(`/v1/objects/${object}/status`, { method: "POST", headers, body });
    if (answer.status !== 200) throw new Error(await answer.text());
  };
}

async function besideEndless(ask: Ask): Promise<void> {
  const LOOKUP = sparql("SELECT * { ?s <http://www.w3.org/2000/01/rdf-schema#label> ?o } LIMIT 100");
  const alone = await times(20, ask, LOOKUP);
  const begun = performance.now();
  let ended = 0;
  const endless = ask(sparql(ENDLESS)).catch(() => {
    ended = performance.now() - begun;
  });
  // the other process must be filled first
  while (!(await ask(LOOKUP).catch(waiting))) await setTimeout(100);
  const beside = await times(20, ask, LOOKUP);
  await endless;
  console.log(
    `  a query alone: p95 ${ms(alone.p95)} ms, beside an endless one ${ms(beside.p95)} ms; that one ended after ` +
      `${(ended / 1_000).toFixed(1)} s of ${TIMEOUT_SECONDS}`,
  );
}

async function times(count: number, ask: Ask, path: string) {
  const all: number[] = [];
  for (let n = 0; n < count; n++) all.push((await ask(path)).took);
  return spread(all);
}
