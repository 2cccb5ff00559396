/** Visitors with many searches wait for their own; others hardly notice. */
import { setTimeout } from "node:timers/promises";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { createConcurrencyLimit } from "../../src/http/concurrency-limit.ts";
import type { Problem } from "../../src/problem.ts";
import { inLong } from "../support/lane/lane.ts";
import { createObject } from "../support/museum/catalogue.ts";
import { museumHere } from "../support/museum/museum.ts";
import { withResolvers } from "../support/with-resolvers.ts";

const LIMITS = { working: 3, workingEach: 2, waiting: 6, waitingEach: 4, patienceMs: 2_000, longestMs: 400 };

describe("a visitor's turn to search", () => {
  /** Work that ends when it is told to. */
  function work() {
    const { promise, resolve } = withResolvers();
    const one = {
      begun: false,
      end: resolve,
      async do(): Promise<string> {
        one.begun = true;
        await promise;
        return "found";
      },
    };
    return one;
  }
  const refusal = (asked: Promise<unknown>) =>
    asked.then(
      () => null,
      ({ status, headers, message }: Problem) => ({ status, headers, message }),
    );

  it("comes after those before, and never takes the places that others have", async () => {
    const { take } = createConcurrencyLimit(LIMITS);
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
    const { take } = createConcurrencyLimit({ ...LIMITS, patienceMs: 150 });
    const all = Array.from({ length: 7 }, work);
    const asked = all.map((one) => refusal(take("one visitor", one.do)));
    const full = await asked[6];
    expect(full).toMatchObject({ status: 503, headers: { "Retry-After": "5" } });
    expect(full!.message).toBe("Too many long requests are waiting at the moment");
    const late = await Promise.all(asked.slice(0, 6));
    expect(new Set(late.map((one) => one?.message))).toEqual(
      new Set(["This takes too long at the moment; ask for less, or try again later"]),
    );
    // those that waited in vain are never begun
    for (const one of all) one.end();
    await setTimeout(5);
    expect(all.map(({ begun }) => begun)).toEqual([true, true, false, false, false, false, false]);
  });

  it("comes to every visitor who waits before it comes to one of them again", async () => {
    const visitors = fc.array(fc.constantFrom("a", "b", "c", "d"), { minLength: 2, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(visitors, async (all) => {
        const { take } = createConcurrencyLimit({ ...LIMITS, working: 1, waiting: 100, waitingEach: 100 });
        const done: string[] = [];
        await Promise.all(all.map((who) => take(who, async () => void done.push(who))));
        expect(done.toSorted()).toEqual(all.toSorted());
        // the first one came before the others asked
        for (const [at, who] of done.entries()) {
          const again = done.indexOf(who, at + 1);
          if (at === 0 || again < 0) continue;
          for (const other of new Set(done.slice(again))) expect(done.slice(at, again)).toContain(other);
        }
      }),
    );
  });

  it("goes to whoever has the least work under way", async () => {
    const { take } = createConcurrencyLimit({ ...LIMITS, working: 2 });
    const own = Array.from({ length: 4 }, work);
    const asked = own.map((one) => take("one visitor", one.do));
    const other = work();
    const others = take("another", other.do);
    own[0]!.end();
    await asked[0];
    await setTimeout(1);
    expect(own.map(({ begun }) => begun)).toEqual([true, true, false, false]);
    expect(other.begun).toBe(true);
    for (const one of [...own, other]) one.end();
    await Promise.all([...asked, others]);
  });

  it("is refused if what waits costs too much, of this visitor or of all", async () => {
    const { take } = createConcurrencyLimit({ ...LIMITS, working: 1, waiting: 100, waitingEach: 50 });
    const all: ReturnType<typeof work>[] = [];
    const ask = (who: string, cost: number) => {
      const one = work();
      all.push(one);
      return refusal(take(who, one.do, { cost }));
    };
    // begins at once: what waits counts, however dear a single one is
    const asked = [ask("a", 1_000), ask("a", 30), ask("a", 30)];
    expect(await ask("a", 1)).toMatchObject({ status: 503 });
    asked.push(ask("b", 40));
    expect(await ask("c", 1)).toMatchObject({ status: 503 });
    for (const one of all) one.end();
    expect(await Promise.all(asked)).toEqual(asked.map(() => null));
  });

  it("is given up at once by a visitor who leaves, and those behind move up", async () => {
    const { take } = createConcurrencyLimit({ ...LIMITS, working: 1, waiting: 4 });
    const gone = new AbortController();
    const [first, ...left] = Array.from({ length: 5 }, work);
    const asked = take("one visitor", first!.do);
    const given = left.map((one) => take("one visitor", one.do, { signal: gone.signal }).catch(String));
    const next = work();
    expect(await refusal(take("another", next.do))).toMatchObject({ status: 503 });
    gone.abort("has left");
    expect(await Promise.all(given)).toEqual(left.map(() => "has left"));
    const others = take("another", next.do);
    first!.end();
    await asked;
    await setTimeout(1);
    expect([next.begun, ...left.map(({ begun }) => begun)]).toEqual([true, false, false, false, false]);
    next.end();
    await others;
    await expect(take("one visitor", next.do, { signal: gone.signal })).rejects.toBe("has left");
  });

  it("keeps its place until its work ends, even if the visitor has left", async () => {
    const { take } = createConcurrencyLimit({ ...LIMITS, working: 1 });
    const gone = new AbortController();
    const [long, next] = [work(), work()];
    const given = take("one visitor", long.do, { signal: gone.signal }).catch(String);
    await setTimeout(1);
    gone.abort("has left");
    expect(await given).toBe("has left");
    const asked = take("another", next.do);
    await setTimeout(1);
    expect(next.begun).toBe(false);
    long.end();
    next.end();
    expect(await asked).toBe("found");
  });

  inLong(it)("comes although the work before it never ends, and when it fails", async () => {
    const { take } = createConcurrencyLimit(LIMITS);
    const silent = [work(), work()].map((one) => refusal(take("one visitor", one.do)));
    expect(await take("one visitor", async () => "found")).toBe("found");
    const failed = Array.from({ length: 4 }, () =>
      refusal(take("one visitor", () => Promise.reject(new Error("no")))),
    );
    expect((await Promise.all(failed)).map((one) => one!.message)).toEqual(Array(4).fill("no"));
    await Promise.all(silent);
  });
});

describe("many searches of one visitor", async () => {
  // one transaction keeps everybody waiting
  const museum = await museumHere({ database: "embedded" });
  beforeAll(async () => {
    const editor = await museum.as("editor");
    await createObject(editor, "The barge", { status: "public" });
  });

  it.each([
    "/portal/v1/search?q=barge",
    "/portal/v1/search/advanced?clause=title:starts:the%20ba",
    "/v1/search?q=barge",
    "/v1/objects?q=barge",
    "/v1/objects?page_size=200",
    "/v1/objects?include=media",
    "/oai?verb=ListRecords&metadataPrefix=oai_dc",
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
      return problems.filter(({ detail }) => detail.startsWith("Too many long")).length;
    };
    expect(await refused(museum.ask)).toBe(19);
    if (path.startsWith("/v1")) expect(await refused(admin)).toBe(0);
  });
});
