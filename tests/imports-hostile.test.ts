/** Files and mappings made to block a service, sent to the real program, which must still answer everybody else. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Started } from "./runtimes/started.ts";
import { type Office, openOffice } from "./support/command.ts";
import { oneOrAll } from "./support/lane.ts";
import { quickest } from "./support/museum.ts";

/** Answers take a tenth of a second on an idle machine. A busy one gets more time. */
const LONGEST_MS = 5_000;

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
const attributes = Array.from({ length: 60_000 }, (_, n) => ` a${n}="${n}"`).join("");

describe("the service, while a hostile import is sent and run,", () => {
  let office: Office;
  let service: Started;
  let token: string;
  beforeAll(async () => {
    office = await openOffice(quickest);
    ({ service, token } = await office.serve());
  });
  afterAll(() => office.close());

  /** The answer. Fails if there is none in time. */
  const ask = async (path: string, init: RequestInit = {}) => {
    const signal = AbortSignal.timeout(LONGEST_MS);
    const headers = { Authorization: `Bearer ${token}` };
    return fetch(new URL(path, service.url), { headers, signal, ...init }).catch((error) => {
      throw new Error(`${path} had no answer within ${LONGEST_MS} ms`, { cause: error });
    });
  };

  it.each(
    oneOrAll([
      ["a pattern with nested repeats", csv(`${"a".repeat(52)}!`, pattern("^(a+){00000000001,}$"))],
      ["a pattern of many repeats", csv(`${"a".repeat(300)}!`, pattern("^a*a*a*a*a*a*a*a*$"))],
      ["an XPath that counts to a hundred million", xml("<one/>", "for $i in 1 to 100000000 return $i")],
      ["text that grows with each transform", csv("a".repeat(400), grow, grow, { type: "split" })],
      ["an element with 60,000 attributes", xml(`<one${attributes}/>`, "@a1")],
      ["a cell that is split into 140,000 values", csv(values, { type: "split" })],
    ]),
  )("still answers, and the job ends: %s", async (_, { fields, name, text }) => {
    const body = new FormData();
    for (const [key, value] of Object.entries(fields)) body.append(key, value);
    body.append("file", new Blob([text]), name);
    const sent = await ask("/v1/imports", { method: "POST", body });
    if (sent.status !== 202) return expect(sent.status).toBe(422);
    const { job_id } = (await sent.json()) as { job_id: string };
    const state = async () => ((await (await ask(`/v1/jobs/${job_id}`)).json()) as { state: string }).state;
    await expect.poll(state, { timeout: 4 * LONGEST_MS, interval: 50 }).toMatch(/^(done|failed)$/);
    expect((await ask("/health")).status).toBe(200);
  });
});
