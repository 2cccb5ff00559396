/** How often a page waits for the database: statements that do not need each other's rows are sent together. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { createApp } from "../../src/app.ts";
import type { Api } from "../../src/http/endpoint.ts";
import { kinds, PUBLIC_KINDS } from "../../src/records/kinds.ts";
import { type Museum, openMuseum } from "../support/museum/museum.ts";
import { countRounds, type Rounds } from "../support/rounds.ts";

let museum: Museum;
let api: Api;
let rounds: Rounds;

beforeAll(async () => {
  museum = await openMuseum({ database: "embedded", demo: true });
  rounds = countRounds(museum.services.sql);
  api = createApp({ ...museum.services, sql: rounds.sql });
});
afterAll(() => museum.close());

const roundsOf = (path: string): Promise<number> =>
  rounds.of(async () => {
    const answer = await api.app.request(path, { headers: { Accept: "text/html, */*;q=0.1" } });
    expect([path, answer.status]).toEqual([path, 200]);
    await answer.arrayBuffer();
  });

it("the page of a record and its exports wait for the database at most five times", async () => {
  const { sql } = museum.services;
  const records = await sql<{ id: string; record_type: (typeof PUBLIC_KINDS)[number] }[]>`
    select distinct on (record_type) id, record_type from records r
    where status = 'public' and record_type = any(${PUBLIC_KINDS as string[]})
    order by record_type, (select count(*) from relations where r.id in (from_id, to_id)) desc`;
  expect(records).toHaveLength(PUBLIC_KINDS.length);
  const pages = records.map(({ id, record_type }) => `/${kinds[record_type].plural}/${id}`);
  // the first page also reads the configuration
  await roundsOf(pages[0]!);
  for (const page of pages) {
    for (const path of [`${page}?part=1`, `${page}?part=2`, `/v1${page}/export?format=dc`]) {
      const count = await roundsOf(path);
      expect(count, path).toBeGreaterThan(1);
      expect(count, path).toBeLessThanOrEqual(5);
    }
  }
});
