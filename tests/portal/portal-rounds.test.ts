/** How often a page waits for the database: statements that do not need each other's rows are sent together. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { createApp } from "../../src/app.ts";
import type { Api } from "../../src/http/endpoint.ts";
import { kinds, PUBLIC_KINDS } from "../../src/records/kinds.ts";
import type { Sql } from "../../src/services.ts";
import { type Museum, openMuseum } from "../support/museum/museum.ts";

type Statement = { handle(): Promise<unknown>; then(done: () => void, failed: () => void): unknown };

let museum: Museum;
let api: Api;
/** The round of the last statement that has ended, and the latest round of any statement. */
let ended = 0;
let rounds = 0;

beforeAll(async () => {
  museum = await openMuseum({ database: "embedded", demo: true });
  api = createApp({ ...museum.services, sql: counted(museum.services.sql) });
});
afterAll(() => museum.close());

/** A statement is one round later than those that had ended when it was sent. */
function counted(sql: Sql): Sql {
  return new Proxy(sql, {
    apply(target, self, parameters) {
      const statement: Statement = Reflect.apply(target as never, self, parameters);
      const send = statement.handle?.bind(statement);
      if (!send) return statement;
      let isSent = false;
      statement.handle = () => {
        if (isSent) return send();
        isSent = true;
        const round = ended + 1;
        rounds = Math.max(rounds, round);
        const end = () => {
          ended = Math.max(ended, round);
        };
        const sent = send();
        Promise.prototype.then.call(statement, end, end);
        return sent;
      };
      return statement;
    },
  });
}

async function roundsOf(path: string): Promise<number> {
  ended = 0;
  rounds = 0;
  const answer = await api.app.request(path, { headers: { Accept: "text/html, */*;q=0.1" } });
  expect([path, answer.status]).toEqual([path, 200]);
  await answer.arrayBuffer();
  return rounds;
}

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
