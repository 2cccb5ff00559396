import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inProcessCounter } from "../../src/adapters/counter/in-process.ts";
import type { NamedLimit, Tally } from "../../src/services.ts";

const PER_MINUTE: NamedLimit = { name: "default", limit: 10, windowSeconds: 60 };

function turnstile(most?: number) {
  const clock = { at: 5_000 };
  const counter = inProcessCounter({ now: () => clock.at, ...(most ? { most } : {}) });
  const hit = (who = "visitor", limit = PER_MINUTE) => counter.hit(limit, who) as Tally;
  return { clock, counter, hit };
}

describe("the counter in the process", () => {
  it("allows as many requests as the limit, then says when the next one may come", () => {
    const { hit, clock } = turnstile();
    for (let left = 9; left >= 0; left--)
      expect(hit()).toEqual({ allowed: true, remaining: left, resetSeconds: 60 });
    clock.at += 15_500;
    expect(hit()).toEqual({ allowed: false, remaining: 0, resetSeconds: 45 });
    expect(hit("another").allowed).toBe(true);
    expect(hit("visitor", { ...PER_MINUTE, name: "search" }).allowed).toBe(true);
  });

  it("does not allow a second full share where two windows meet", () => {
    const { hit, clock } = turnstile();
    hit();
    clock.at += 59_000;
    for (let n = 0; n < 9; n++) expect(hit().allowed).toBe(true);
    clock.at += 2_000; // in the next window, which the previous one still fills
    expect([hit().allowed, hit().allowed]).toEqual([true, false]);
    clock.at += 30_000;
    const after = Array.from({ length: 10 }, () => hit().allowed);
    expect(after.filter((allowed) => allowed)).toHaveLength(5);
  });

  it("does not count refused requests", () => {
    const { hit, clock } = turnstile();
    for (let n = 0; n < 1_000; n++) hit();
    clock.at += 120_000;
    expect(hit()).toMatchObject({ allowed: true, remaining: 9 });
  });

  it("allows a request after the wait that it demanded", () => {
    const visit = fc.record({ pause: fc.nat({ max: 70_000 }), hits: fc.integer({ min: 1, max: 15 }) });
    fc.assert(
      fc.property(fc.array(visit, { minLength: 1, maxLength: 30 }), (visits) => {
        const { hit, clock } = turnstile();
        for (const { pause, hits } of visits) {
          clock.at += pause;
          for (let n = 0; n < hits; n++) {
            const tally = hit();
            if (tally.allowed) continue;
            clock.at += tally.resetSeconds * 1000;
            expect(hit().allowed).toBe(true);
          }
        }
      }),
    );
  });

  it("never allows twice the limit within any window", () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 20_000 }), { minLength: 1, maxLength: 200 }), (pauses) => {
        const { hit, clock } = turnstile();
        const times: number[] = [];
        for (const pause of pauses) {
          clock.at += pause;
          for (let n = 0; n < 12; n++) if (hit().allowed) times.push(clock.at);
        }
        for (const from of times) {
          const within = times.filter((at) => at >= from && at < from + 60_000).length;
          expect(within).toBeLessThan(20);
        }
      }),
      { numRuns: 30 },
    );
  });

  it("remembers a limited number of clients for each limit, and first forgets those whose time is over", () => {
    const { hit, clock } = turnstile(100);
    const lock: NamedLimit = { name: "password", limit: 1, windowSeconds: 900 };
    hit("locked", lock);
    for (let n = 0; n < 50; n++) hit(`early ${n}`);
    clock.at += 130_000;
    for (let n = 0; n < 50; n++) for (let twice = 0; twice < 2; twice++) hit(`late ${n}`);
    hit("one more");
    expect(hit("late 0").remaining).toBe(7);
    for (let n = 0; n < 10_000; n++) hit(`flood ${n}`);
    expect(hit("late 0").remaining).toBe(9);
    expect(hit("locked", lock).allowed).toBe(false);
  });

  it("forgets a client on request", () => {
    const { hit, counter } = turnstile();
    for (let n = 0; n < 11; n++) hit();
    void counter.forget(PER_MINUTE, "visitor");
    expect(hit().remaining).toBe(9);
  });
});
