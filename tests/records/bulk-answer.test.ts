/** Bulk writes by clients that read no result before they have sent everything, and the numbers of refused lines. */
import { describe, expect, test } from "vitest";
import { answerStream } from "../../src/records/batch/bulk-answer.ts";
import { bulk } from "../support/museum/catalogue.ts";
import { databases, museumHere } from "../support/museum/museum.ts";
import { withResolvers } from "../support/with-resolvers.ts";

type Line = { line: number; outcome: string; idno?: string; errors?: { detail: string }[] };
const results = (text: string): Line[] =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("a bulk client that sends everything before it reads", async () => {
  const museum = await museumHere();
  const ask = await museum.as("editor");

  test("can send to the end, and then read every result", async () => {
    const lines = 900;
    let sent = 0;
    const { promise: all, resolve: allSent } = withResolvers();
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          if (sent === lines) {
            controller.close();
            allSent();
          } else controller.enqueue(new TextEncoder().encode(`{"idno":"L-${sent++}"}\n`));
        },
      },
      { highWaterMark: 0 },
    );
    const headers = { "Content-Type": "application/x-ndjson" };
    const answer = await ask("/v1/objects/bulk", { method: "POST", headers, body, duplex: "half" } as never);
    await all;
    expect(results(await answer.text()).map(({ idno }) => idno)).toEqual(
      Array.from({ length: lines }, (_, n) => `L-${n}`),
    );
  });

  test("reads where the service stopped, if it did not read for too long", async () => {
    const state = { unread: false };
    let taken = 0;
    async function* lines() {
      for (let line = 1; line <= 1_000; line++) {
        taken = line;
        if (!state.unread) yield `result ${line}\n`;
      }
      yield "the rest was left\n";
    }
    const stream = answerStream(
      lines(),
      () => {
        state.unread = true;
      },
      { most: 100, patienceMs: 10 },
    );
    await expect.poll(() => taken).toBe(1_000);
    const text = await new Response(stream).text();
    expect(text).toMatch(/^result 1\n/);
    expect(text).toMatch(/\nresult \d\d\nthe rest was left\n$/);
  });

  test("gets every result if it reads slowly", async () => {
    async function* lines() {
      for (let line = 1; line <= 20; line++) yield `result ${line}\n`;
    }
    const stream = answerStream(lines(), () => expect.fail("the slow client was given up"), {
      most: 20,
      patienceMs: 2_000,
    });
    let text = "";
    for await (const chunk of stream) {
      text += new TextDecoder().decode(chunk);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(text.trim().split("\n")).toHaveLength(20);
  });
});

describe.each(databases)("lines that are refused on the %s database", async (database) => {
  const museum = await museumHere({ database });

  test("use up no numbers, whatever the reason", async () => {
    const ask = await museum.as("editor");
    const good = { metadata_: { title: [{ value: "Boat" }] } };
    const lines = [
      good,
      { metadata_: { titel: [{ value: "no such field" }] } },
      { ...good, parent_id: "00000000-0000-4000-8000-000000000000" },
      good,
      { status: "public" },
      { ...good, idno: "OBJ-000002" },
      { ...good, id: "00000000-0000-4000-8000-000000000000" },
      good,
    ];
    const results = await bulk(ask, "objects", lines);
    const given = results.flatMap(({ outcome, idno }) => (outcome === "created" ? [idno] : []));
    expect(given.sort()).toEqual(given.map((_, n) => `OBJ-00000${n + 1}`));
    const rows = await museum.services
      .sql`select next_number::int from idno_patterns where record_type = 'object'`;
    expect([...rows]).toEqual([{ next_number: given.length + 1 }]);
  });
});
