/**
 * Portal pages through the whole service: records, a maker of thousands, the home page, and searches requested for
 * the first time; their sizes, and what a browser loads besides.
 */
import { gzipSync } from "node:zlib";
import { createApp } from "../../src/app.ts";
import { type Ground, ms, pace, spread } from "./ground.ts";

const CLIENTS = 8;
const RECORDS = 400;
/** Each search has different words: half of them by all clients at once, half by one alone. */
const SEARCHES = 120;
const WARMING = 20;

export async function benchPortal(ground: Ground): Promise<void> {
  const { app } = createApp(ground.services);
  const { sql } = ground.services;
  const rows = await sql<{ id: string }[]>`
    select id from records where record_type = 'object' and status = 'public' order by md5(id::text) limit ${RECORDS}`;
  const [hub] = await sql<{ id: string; n: number }[]>`
    select l.to_id as id, count(*)::int as n from relations l join records r on r.id = l.to_id
    where r.record_type = 'entity' group by 1 order by 2 desc limit 1`;
  const words = await sql<{ word: string }[]>`
    select word from (select distinct lower(unnest(regexp_split_to_array(title, '[^A-Za-z]+'))) as word
      from records where id = any(${rows.map(({ id }) => id)})) w
    where length(word) > 3 order by md5(word) limit ${2 * SEARCHES}`;
  let visitor = 0;
  const ask = async (path: string): Promise<string> => {
    const remote = `198.18.${(visitor >> 8) & 255}.${visitor++ & 255}`;
    const answer = await app.request(path, { headers: { Accept: "text/html" } }, { remote });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text.slice(0, 300)}`);
    return text;
  };
  console.log(`portal, ${ground.where}, ${CLIENTS} at once (ms; pace ${pace().toFixed(0)} ms)`);
  const measure = async (name: string, paths: readonly string[], clients = CLIENTS) => {
    for (const path of paths.slice(0, WARMING)) await ask(path);
    const queue = paths.slice(paths.length > WARMING ? WARMING : 0);
    const times: number[] = [];
    let largest = 0;
    let at = 0;
    const begun = performance.now();
    await Promise.all(
      Array.from({ length: clients }, async () => {
        while (at < queue.length) {
          const path = queue[at++]!;
          const start = performance.now();
          largest = Math.max(largest, (await ask(path)).length);
          times.push(performance.now() - start);
        }
      }),
    );
    const { p50, p95 } = spread(times);
    const rate = (1_000 * times.length) / (performance.now() - begun);
    console.log(
      `  ${name.padEnd(24)} ${rate.toFixed(0)}/s   p50 ${ms(p50)}  p95 ${ms(p95)}   largest ${(largest / 1000).toFixed(0)} kB`,
    );
  };
  await measure(
    "record",
    rows.map(({ id }) => `/objects/${id}`),
  );
  if (hub) {
    const path = `/entities/${hub.id}`;
    await measure(
      `maker of ${hub.n}`,
      Array.from({ length: 100 }, () => path),
    );
  }
  await measure(
    "first page",
    Array.from({ length: 100 }, () => "/"),
  );
  const searches = words.map(({ word }) => `/search?q=${word}`);
  await measure("search", searches.slice(0, SEARCHES));
  await measure("search, one at a time", searches.slice(SEARCHES), 1);
  await weigh(ask, `/search?q=${words[0]?.word ?? ""}`);
}

/** Styles and scripts that a page refers to, compressed as they are sent. */
async function weigh(ask: (path: string) => Promise<string>, path: string): Promise<void> {
  const page = await ask(path);
  const files = [...new Set(page.match(/\/assets\/[\w.-]+\.(css|js)/g) ?? [])];
  let bytes = 0;
  for (const file of files) bytes += gzipSync(await ask(file)).length;
  console.log(`  styles and scripts of a search page: ${(bytes / 1000).toFixed(1)} kB compressed`);
}
