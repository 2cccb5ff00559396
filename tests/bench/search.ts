/**
 * Search through the whole route: usual queries, one by one and eight at once, by a process that is warmed up for
 * each kind of query. No query is repeated, so that no cached answer is measured; most words are searched for the
 * first time.
 */

import { readState, tablesOf } from "../../src/adapters/search/tables/table-sets.ts";
import { createApp } from "../../src/app.ts";
import { type Ground, ms, pace, spread } from "./ground.ts";

const ROUNDS = 24;
const CLIENTS = [1, 8];
/** How often each kind of query is run before measuring: code is slow until it has been compiled. */
const WARMING = 10;

/** Words by their number of records, from the index itself, so that the program works with any data. */
async function wordsOf(ground: Ground): Promise<{ common: string[]; middling: string[]; rare: string[] }> {
  const { sql } = ground.services;
  const { current } = await readState(sql);
  const rows = await sql<{ word: string; ndoc: number }[]>`
    select word, ndoc from ts_stat(${`select t.words from search_rows_${current} s join search_texts_${current} t on t.id = s.id where s.status = 'p' order by s.id limit 20000`})
    where word ~ '^[a-z]{4,}$' order by ndoc desc`;
  const total = Math.min(20_000, rows[0]?.ndoc ?? 1);
  const between = (from: number, to: number) =>
    rows.filter((row) => row.ndoc / total > from && row.ndoc / total <= to).map((row) => row.word);
  return {
    common: between(0.1, 0.6),
    middling: between(0.01, 0.1),
    rare: rows.filter((row) => row.ndoc < 20).map((row) => row.word),
  };
}

/** Two letters in the middle swapped. */
function misspelt(word: string): string {
  const at = Math.floor(word.length / 2);
  return word.slice(0, at - 1) + word[at] + word[at - 1] + word.slice(at + 1);
}

export async function benchSearch(ground: Ground): Promise<void> {
  const app = createApp(ground.services).app;
  const { common, middling, rare } = await wordsOf(ground);
  const long = middling.filter((word) => word.length > 6);
  const { sql } = ground.services;
  const { rows } = tablesOf(sql, (await readState(sql)).current);
  const [most] = await sql<{ value: string }[]>`
    select min(t.value) as value from ${rows} s cross join unnest(s.terms) x(term) join search_terms t on t.term = x.term
      join search_fields f on f.field_no = x.term >> 24 and f.name = 'material'
    group by x.term order by count(*) desc limit 1`;
  const [size] = await sql<{ n: number }[]>`select count(*)::int as n from ${rows}`;
  const material = encodeURIComponent(most?.value ?? "");
  const pick = (list: readonly string[], round: number) =>
    list[(round * 7) % Math.max(1, list.length)] ?? "woman";
  /** A different number of hits each time makes it a different query. */
  const two = (round: number) => `facets=material,date&page_size=${10 + (round % 91)}`;
  const search = (query: string) => `/v1/search?${query}`;
  const queries: Record<string, (round: number) => string> = {
    "common word (10–60 %)": (round) => search(`q=${pick(common, round)}&${two(round)}`),
    "word (1–10 %)": (round) => search(`q=${pick(middling, round)}&${two(round)}`),
    "rare word": (round) => search(`q=${pick(rare, round)}&${two(round)}`),
    "two words": (round) => search(`q=${pick(common, round)}+${pick(middling, round)}&${two(round)}`),
    phrase: (round) => search(`q=%22${pick(common, round)}+${pick(middling, round)}%22&${two(round)}`),
    "empty and 2 facets": (round) => search(two(round)),
    "filter and 2 facets": (round) => search(`meta_material=${material}&${two(round)}`),
    "filter and word": (round) =>
      search(`meta_material=${material}&q=${pick(middling, round)}&${two(round)}`),
    prefix: (round) => search(`q=${pick(middling, round).slice(0, 4)}*&${two(round)}`),
    typo: (round) => search(`q=${misspelt(pick(long, round))}&${two(round)}`),
    "deep page": (round) =>
      search(`q=${pick(common, round)}&page=${400 + (round % 98)}&facets=material,date`),
    suggest: (round) =>
      `/portal/v1/search/suggest?q=${pick(middling, round).slice(0, 1 + (round % 5))}&limit=${5 + (round % 15)}`,
  };
  console.log(`search among ${size!.n} records, ${ground.where} (ms; pace ${pace().toFixed(0)} ms)`);
  let round = 0;
  for (let time = 0; time < WARMING; time++)
    for (const query of Object.values(queries)) await (await app.request(query(round++))).text();
  for (const [name, query] of Object.entries(queries)) {
    const figures: string[] = [];
    let hits = 0;
    for (const clients of CLIENTS) {
      const times: number[] = [];
      const ask = async (measured: boolean) => {
        const begun = performance.now();
        // a different visitor for each, because searches of one visitor wait for each other
        const answer = await app.request(query(round), {}, { remote: `198.18.0.${round++ % 200}` });
        const body = (await answer.json()) as { total?: number };
        if (answer.status !== 200 || answer.headers.has("X-Search-Degraded"))
          throw new Error(JSON.stringify(body));
        if (measured) times.push(performance.now() - begun);
        hits = Math.max(hits, body.total ?? 0);
      };
      await ask(false);
      await ask(false);
      await Promise.all(
        Array.from({ length: clients }, async () => {
          for (let asked = 0; asked < ROUNDS / Math.sqrt(clients); asked++) await ask(true);
        }),
      );
      const { p50, p95 } = spread(times);
      figures.push(`${clients} at once: p50 ${ms(p50)}  p95 ${ms(p95)}`);
    }
    console.log(`  ${name.padEnd(24)} ${figures.join("   ")}   most hits ${hits}`);
  }
}
