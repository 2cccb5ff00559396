/** Visitors with many searches wait for their own; others hardly notice. */
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTurns } from "../src/http/turns.ts";
import type { Problem } from "../src/problem.ts";
import { createObject, english } from "./support/catalogue.ts";
import { inLong } from "./support/lane.ts";
import { type Museum, openMuseum } from "./support/museum.ts";

const LIMITS = { working: 3, workingEach: 2, waiting: 6, waitingEach: 4, patienceMs: 2_000, longestMs: 400 };

describe("a visitor's turn to search", () => {
  /** Work that ends when it is told to. */
  function work() {
    let end = () => {};
    const ended = new Promise<string>((resolve) => {
      end = () => resolve("found");
    });
    const one = { begun: false, end: () => end(), do: () => ended };
    one.do = () => {
      one.begun = true;
      return ended;
    };
    return one;
  }
  const refusal = (asked: Promise<unknown>) =>
    asked.then(
      () => null,
      ({ status, headers, message }: Problem) => ({ status, headers, message }),
    );

  it("comes after those before, and never takes the places that others have", async () => {
    const { take } = createTurns(LIMITS);
    const [first, second, third, other] = [work(), work(), work(), work()];
    const asked = [first, second, third].map((one) => take("one visitor", one.do));
    const others = take("another", other.do);
    await setTimeout(1);
    expect([first, second, third, other].map(({ begun }) => begun)).toEqual([true, true, false, true]);
    second.end();
    expect(await asked[1]).toBe("found");
    await setTimeout(1);
    expect(third.begun).toBe(true);
    for (const one of [first, third, other]) one.end();
    expect(await Promise.all([...asked, others])).toEqual(Array(4).fill("found"));
  });

  it("is refused, with when to ask again, where too many wait, and after waiting too long", async () => {
    const { take } = createTurns({ ...LIMITS, patienceMs: 150 });
    const all = Array.from({ length: 7 }, work);
    const asked = all.map((one) => refusal(take("one visitor", one.do)));
    const full = await asked[6];
    expect(full).toMatchObject({ status: 503, headers: { "Retry-After": "5" } });
    expect(full!.message).toBe("Too many searches are waiting at the moment");
    const late = await Promise.all(asked.slice(0, 6));
    expect(new Set(late.map((one) => one?.message))).toEqual(
      new Set(["This search takes too long at the moment; narrow it down, or try again later"]),
    );
    // those that waited in vain are never begun
    for (const one of all) one.end();
    await setTimeout(5);
    expect(all.map(({ begun }) => begun)).toEqual([true, true, false, false, false, false, false]);
  });

  inLong(it)("comes although the work before it never ends, and when it fails", async () => {
    const { take } = createTurns(LIMITS);
    const silent = [work(), work()].map((one) => refusal(take("one visitor", one.do)));
    expect(await take("one visitor", async () => "found")).toBe("found");
    const failed = Array.from({ length: 4 }, () =>
      refusal(take("one visitor", () => Promise.reject(new Error("no")))),
    );
    expect((await Promise.all(failed)).map((one) => one!.message)).toEqual(Array(4).fill("no"));
    await Promise.all(silent);
  });
});

describe("many searches of one visitor", () => {
  let museum: Museum;
  beforeAll(async () => {
    museum = await openMuseum();
    const editor = await museum.as("editor");
    await createObject(editor, "The barge", { status: "public", metadata_: { title: english("The barge") } });
  });
  afterAll(() => museum.close());

  it.each([
    "/portal/v1/search?q=barge",
    "/portal/v1/search/advanced?clause=title:starts:the%20ba",
    "/v1/search?q=barge",
    "/v1/objects?q=barge",
  ])("%s: are refused beyond a short queue, and those of staff are not", async (path) => {
    const admin = await museum.as("admin");
    /** Asked at once, while the database is busy with something else: those that are refused. */
    const refused = async (ask: typeof admin) => {
      const asked = await museum.services.sql.begin(async (tx) => {
        await tx`select 1`;
        const all = Array.from({ length: 40 }, () => ask(path, { remote: "192.0.2.7" }));
        await setTimeout(100);
        return () => Promise.all(all);
      });
      const answers = (await asked()).filter(({ status }) => status === 503);
      const problems = await Promise.all(
        answers.map((answer) => answer.json() as Promise<{ detail: string }>),
      );
      return problems.filter(({ detail }) => detail.startsWith("Too many searches")).length;
    };
    expect(await refused(museum.ask)).toBe(19);
    if (path.startsWith("/v1")) expect(await refused(admin)).toBe(0);
  });
});
