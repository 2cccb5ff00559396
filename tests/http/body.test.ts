import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chunksOf, parseJson } from "../../src/http/request/body.ts";
import { said } from "../../src/messages/said.ts";
import { Problem } from "../../src/problem.ts";

it("a large file is not kept in memory while it is read", async () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  const chunks: WeakRef<Uint8Array>[] = [];
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = new Uint8Array(1_000);
      chunks.push(new WeakRef(chunk));
      controller.enqueue(chunk);
      if (chunks.length === 100) controller.close();
    },
  });
  let kept = Number.POSITIVE_INFINITY;
  for await (const _chunk of chunksOf(stream)) {
    if (chunks.length < 100) continue;
    // a weak reference holds its object until the current turn of the event loop ends
    await setImmediate();
    collectGarbage();
    kept = chunks.filter((chunk) => chunk.deref() !== undefined).length;
    break;
  }
  expect(chunks).toHaveLength(100);
  expect(kept).toBeLessThan(10);
});

describe("JSON", () => {
  const read = (text: string): unknown => {
    try {
      return parseJson(new TextEncoder().encode(text));
    } catch (error) {
      if (error instanceof Problem) return error.status;
      throw error;
    }
  };
  const without = /__proto__/;
  /** Texts with what begins, separates and ends values. */
  const text = fc.string({ unit: fc.constantFrom(...'[]{},:"\\\n\u2028é😀a ') });
  // V8 reads "a\"" as "a\\" if an earlier object had that key (github.com/nodejs/node/issues/63785)
  const key = text.filter((each) => !each.endsWith("\\"));
  const json = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 6 },
      fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null)),
      fc.array(tie("value"), { maxLength: 6 }),
      fc.dictionary(key, tie("value"), { maxKeys: 6 }),
    ),
  })).value;

  it("is read as it was written, whatever its texts contain", () => {
    fc.assert(
      fc.property(json, fc.constantFrom(undefined, 1), (value, indent) => {
        const written = JSON.stringify(value, null, indent);
        fc.pre(!without.test(written));
        expect(read(written)).toEqual(JSON.parse(written));
      }),
    );
  });

  it("with a key that an object has twice is refused, and the first one is named, however it is written", () => {
    type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
    const escaped = (key: string) =>
      `"${[...key].map((each) => (each.length > 1 ? each : `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`)).join("")}"`;
    fc.assert(
      fc.property(json, fc.nat(), fc.boolean(), (value, chosen, isEscaped) => {
        const pointers: string[] = [];
        const count = (at: Json): number =>
          typeof at !== "object" || at === null
            ? 0
            : Object.values(at).reduce<number>(
                (sum, each) => sum + count(each),
                Array.isArray(at) ? 0 : Object.keys(at).length,
              );
        const keys = count(value as Json);
        fc.pre(keys > 0 && !without.test(JSON.stringify(value)));
        let left = chosen % keys;
        // the chosen member stands twice, one right behind the other
        const written = (at: Json, pointer: string): string => {
          if (typeof at !== "object" || at === null) return JSON.stringify(at);
          if (Array.isArray(at)) return `[${at.map((each, n) => written(each, `${pointer}/${n}`)).join()}]`;
          const members = Object.entries(at).flatMap(([key, inner]) => {
            const own = `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
            const name = JSON.stringify(key);
            const isChosen = left-- === 0;
            if (isChosen) pointers.push(own);
            const member = `${name} : ${written(inner, own)}`;
            return isChosen ? [member, `${isEscaped ? escaped(key) : name}:null`] : [member];
          });
          return `{${members.join(", ")}}`;
        };
        const text = written(value as Json, "");
        expect(JSON.parse(text)).toBeDefined();
        const fault = (() => {
          try {
            return parseJson(new TextEncoder().encode(text));
          } catch (error) {
            return error instanceof Problem && [error.status, error.errors];
          }
        })();
        expect(fault).toEqual([422, [{ pointer: pointers[0], detail: said("fault.twice_in_json") }]]);
      }),
    );
  });

  it("may have 25,000 values at any depth, and any number of commas and brackets in its texts", () => {
    const texts = Array.from({ length: 24_998 }, () => '[,"{,\\');
    for (const value of [texts, [texts], { a: texts }]) expect(read(JSON.stringify(value))).toEqual(value);
    for (const one of ["1", "[]", '{"a":1}', '"\\\\"', '"\\""'])
      for (const around of [`[${`${one},`.repeat(25_001)}1]`, `{"a":{"b":[[${`${one},`.repeat(25_001)}1]]}}`])
        expect(read(around)).toBe(413);
  });

  it("with too many values or levels is refused before it is parsed", () => {
    const millions = [`[${"1,".repeat(900_000)}`, `{${'"a":{},'.repeat(250_000)}`, "[".repeat(2_000_000)];
    // none of these is JSON, which only a parser would say
    expect(millions.map(read)).toEqual([413, 413, 400]);
    expect(read(`${"[".repeat(40)}${"]".repeat(40)}`)).toBeInstanceOf(Array);
    expect(() => parseJson(new TextEncoder().encode("[".repeat(41)))).toThrow("deeper than 40 levels");
  });
});
