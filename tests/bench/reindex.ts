/** A rebuild of the search index by its job, alone and during searches, all of which must find every record. */
import { setTimeout } from "node:timers/promises";
import { createApp } from "../../src/app.ts";
import { enqueueJob } from "../../src/jobs/enqueue.ts";
import { findJob } from "../../src/jobs/store.ts";
import { KIND_WORK } from "../../workers/job-kinds.ts";
import { startJobLoop } from "../../workers/job-loop.ts";
import { TIMING } from "../../workers/timing.ts";
import { type Ground, ms, pace, spread } from "./ground.ts";

/** Between an answer and the next request of a visitor. */
const PAUSE_MS = 100;

export async function benchReindex(ground: Ground): Promise<void> {
  for (const visitors of [0, 4]) await once(ground, visitors);
}

async function once({ services, where }: Ground, visitors: number): Promise<void> {
  const app = createApp(services).app;
  const { sql } = services;
  const [all] = await sql<{ n: number }[]>`
    select count(*)::int as n from records where status = 'public' and deleted_at is null`;
  const times: number[] = [];
  const faults: string[] = [];
  let over = false;
  const ask = async (address: string) => {
    const begun = performance.now();
    const answer = await app.request(address);
    const body = (await answer.json()) as { total: number };
    times.push(performance.now() - begun);
    if (answer.status !== 200 || answer.headers.has("X-Search-Degraded") || body.total === 0)
      faults.push(`${address}: ${answer.status}, ${body.total} hits`);
    return body.total;
  };
  const visit = async (visitor: number) => {
    for (let round = visitor; !over; round += visitors) {
      const word = ["woman", "street", "portrait", "school", "por*", "game"][round % 6];
      await ask(`/v1/search?q=${word}&facets=material,date&page_size=${10 + (round % 91)}`);
      const total = await ask(`/v1/search?page_size=${10 + (round % 91)}`);
      if (total !== all!.n) faults.push(`${total} records of ${all!.n}`);
      await setTimeout(PAUSE_MS);
    }
  };
  const loop = startJobLoop(services, { reindex: KIND_WORK.reindex }, TIMING, async () => undefined);
  const { job } = await enqueueJob(sql, { kind: "reindex", createdBy: null });
  const visiting = Promise.all(Array.from({ length: visitors }, (_, visitor) => visit(visitor)));
  let longest = 0;
  let ended = job;
  while (ended.state === "queued" || ended.state === "running") {
    await setTimeout(10);
    const asked = performance.now();
    ended = (await findJob(sql, job.id))!;
    if (ended.state === "running") longest = Math.max(longest, performance.now() - asked);
  }
  over = true;
  await visiting;
  await loop.stop();
  if (ended.state !== "done") throw new Error(JSON.stringify(ended));
  const seconds = (Date.parse(`${ended.finished_at}Z`) - Date.parse(`${ended.started_at}Z`)) / 1000;
  const asked = times.length > 0 ? spread(times) : null;
  console.log(
    `reindex, ${where}, ${visitors} visitors: ${(ended.done / seconds).toFixed(0)} records/s (${ended.done} in ` +
      `${seconds.toFixed(1)} s; target 5000/s; pace ${pace().toFixed(0)} ms), a small statement beside it waited ` +
      `${longest.toFixed(0)} ms at most${asked ? `; ${times.length} searches, p50 ${ms(asked.p50)}, p95 ${ms(asked.p95)}, ${faults.length} wrong` : ""}`,
  );
  for (const fault of faults.slice(0, 5)) console.log(`  ${fault}`);
}
