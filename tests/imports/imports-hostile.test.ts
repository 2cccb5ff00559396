/** Files and mappings made to block a service, sent to the real program, which must still answer everybody else. */
import { setTimeout } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import type { Started } from "../runtimes/started.ts";
import { oneOrAll } from "../support/lane/lane.ts";
import { quickest } from "../support/museum/museum.ts";
import { officeHere } from "../support/programs/command.ts";

/** Answers take a tenth of a second on an idle machine. A busy one gets more time. */
const LONGEST_MS = 5_000;
const SHORT_MS = 1_000;

/** Milliseconds. */
type Waits = { p95: number; longest: number };

const csv = (cell: string, ...transforms: object[]) => ({
  fields: { type: "object", mapping: JSON.stringify({ c: { target: "title", transforms } }) },
  name: "list.csv",
  text: `c\n${cell}\n`,
});
const xml = (text: string, xpath: string) => ({
  fields: {
    type: "object",
    mapping: JSON.stringify({ [xpath]: "title" }),
    record_xpath: "/list/one",
  },
  name: "list.xml",
  text: `<list>${text}</list>`,
});
const pattern = (pattern: string) => ({ type: "regex_extract", pattern });
const grow = { type: "replace", search: "a", replace: "a;".repeat(400) };
const values = Array.from({ length: 140_000 }, (_, n) => n).join(";");
const attributes = (count: number) => Array.from({ length: count }, (_, n) => ` a${n}="${n}"`).join("");
const marks = `a${"\u0301\u0316".repeat(100_000)}`;

describe("the service, while a hostile import is sent and run,", async () => {
  const office = await officeHere(quickest);
  let service: Started;
  let token: string;
  let idle: Waits;
  beforeAll(async () => {
    ({ service, token } = await office.serve());
    const watched = bystander();
    await setTimeout(1_000);
    idle = await watched.end();
  });

  /** The answer. Fails if there is none in time. */
  const ask = async (path: string, init: RequestInit = {}) => {
    const signal = AbortSignal.timeout(LONGEST_MS);
    const headers = { Authorization: `Bearer ${token}` };
    return fetch(new URL(path, service.url), { headers, signal, ...init }).catch((error) => {
      throw new Error(`${path} had no answer within ${LONGEST_MS} ms`, { cause: error });
    });
  };

  /** Asks for the health of the service again and again. `end` answers how long that took. */
  function bystander(): { end(): Promise<Waits> } {
    let ended = false;
    const times: number[] = [];
    const asking = (async () => {
      while (!ended || times.length === 0) {
        const begun = performance.now();
        expect((await ask("/health")).status).toBe(200);
        times.push(performance.now() - begun);
        await setTimeout(10);
      }
    })();
    asking.catch(() => undefined);
    return {
      async end() {
        ended = true;
        await asking;
        times.sort((a, b) => a - b);
        return { p95: times[Math.floor(times.length * 0.95)]!, longest: times.at(-1)! };
      },
    };
  }

  it.each(
    oneOrAll([
      ["a pattern with nested repeats", csv(`${"a".repeat(52)}!`, pattern("^(a+){00000000001,}$"))],
      ["a pattern of many repeats", csv(`${"a".repeat(300)}!`, pattern("^a*a*a*a*a*a*a*a*$"))],
      ["an XPath that counts to a hundred million", xml("<one/>", "for $i in 1 to 100000000 return $i")],
      ["text that grows with each transform", csv("a".repeat(400), grow, grow, { type: "split" })],
      ["an element with 60,000 attributes", xml(`<one${attributes(60_000)}/>`, "@a1")],
      ["an element with 700,000 attributes", xml(`<one${attributes(700_000)}/>`, "@a1")],
      ["two million elements", xml(`${"<a/>".repeat(2_000_000)}<one/>`, ".")],
      ["a column with 200,000 marks on a letter", { ...csv("b"), text: `${marks}\nb\n` }],
      ["a cell that is split into 140,000 values", csv(values, { type: "split" })],
    ]),
  )(
    "still answers, and the job ends: %s",
    async (_, { fields, name, text }) => {
      const begun = performance.now();
      const watched = bystander();
      const body = new FormData();
      for (const [key, value] of Object.entries(fields)) body.append(key, value);
      body.append("file", new Blob([text]), name);
      const sent = await ask("/v1/imports", { method: "POST", body });
      if (sent.status === 202) {
        const { job_id } = (await sent.json()) as { job_id: string };
        const state = async () =>
          ((await (await ask(`/v1/jobs/${job_id}`)).json()) as { state: string }).state;
        await expect.poll(state, { timeout: 6 * LONGEST_MS, interval: 50 }).toMatch(/^(done|failed)$/);
      } else expect(sent.status).toBe(422);
      const { p95, longest } = await watched.end();
      console.log(`the bystander's p95 is ${(p95 / idle.p95).toFixed(1)} times that of an idle service`);
      // reading the file has taken most of this time
      expect(longest).toBeLessThan(Math.max(SHORT_MS, (performance.now() - begun) / 3));
    },
    60_000,
  );
});
