/** Search over 59,000 records with two facets, through the whole route. Every query differs from the last. */
import { createApp } from "../../src/app.ts";
import { type Ground, ms, pace, spread } from "./ground.ts";

const ROUNDS = 12;

/** Words by how many records have them: from the index itself, so that the same program serves any data. */
async function wordsOf(ground: Ground): Promise<{ common: string[]; middling: string[]; rare: string[] }> {
  const rows = await ground.services.sql<{ word: string; ndoc: number }[]>`
    select word, ndoc from ts_stat('select words from record_search where status = ''p'' order by id limit 20000')
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

export async function benchSearch(ground: Ground): Promise<void> {
  const app = createApp(ground.services).app;
  const { common, middling, rare } = await wordsOf(ground);
  const [most] = await ground.services.sql<{ value: string }[]>`
    select t.value from search_counts c join search_terms t on t.term = c.term
      join search_fields f on f.field_no = c.term >> 24 and f.name = 'material'
    order by c.n desc limit 1`;
  const facets = "facets=material,date";
  const material = encodeURIComponent(most?.value ?? "");
  const pick = (list: readonly string[], round: number) =>
    list[(round * 7) % Math.max(1, list.length)] ?? "woman";
  const queries: Record<string, (round: number) => string> = {
    "common word (10–60 %)": (round) => `q=${pick(common, round)}&${facets}`,
    "word (1–10 %)": (round) => `q=${pick(middling, round)}&${facets}`,
    "rare word": (round) => `q=${pick(rare, round)}&${facets}`,
    "two words": (round) => `q=${pick(common, round)}+${pick(middling, round)}&${facets}`,
    phrase: (round) => `q=%22${pick(common, round)}+${pick(common, round + 1)}%22&${facets}`,
    prefix: (round) => `q=${pick(middling, round).slice(0, 4)}*&${facets}`,
    "no word": (round) => `page=${round + 1}&${facets}`,
    filter: (round) => `meta_material=${material}&page=${round + 1}&${facets}`,
    "filter and word": (round) => `meta_material=${material}&q=${pick(middling, round)}&${facets}`,
    "page 400": (round) => `page=${400 + round}&page_size=20&${facets}`,
  };
  console.log(`search, ${ground.where} (ms; target p95 50; pace ${pace().toFixed(0)} ms)`);
  const all: number[] = [];
  for (const [name, query] of Object.entries(queries)) {
    const times: number[] = [];
    let hits = 0;
    for (let round = -2; round < ROUNDS; round++) {
      const begun = performance.now();
      const answer = await app.request(`/v1/search?${query(round + 2)}`);
      const body = (await answer.json()) as { total: number };
      if (answer.status !== 200) throw new Error(JSON.stringify(body));
      if (round < 0) continue; // warm-up
      times.push(performance.now() - begun);
      hits = Math.max(hits, body.total);
    }
    all.push(...times);
    const { p50, p95, max } = spread(times);
    console.log(`  ${name.padEnd(24)} p50 ${ms(p50)}  p95 ${ms(p95)}  max ${ms(max)}  most hits ${hits}`);
  }
  const { p50, p95 } = spread(all);
  console.log(`  ${"all together".padEnd(24)} p50 ${ms(p50)}  p95 ${ms(p95)}`);
}
