/** How often a page waits for the database: statements that do not need each other's rows are sent together. */
import { expect, it } from "vitest";
import { createApp } from "../../src/app.ts";
import { kinds, PUBLIC_KINDS } from "../../src/records/kinds.ts";
import { museumHere } from "../support/museum/museum.ts";
import { countRounds } from "../support/rounds.ts";

const museum = await museumHere({ database: "embedded", demo: true });
const rounds = countRounds(museum.services.sql);
const api = createApp({ ...museum.services, sql: rounds.sql });

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
