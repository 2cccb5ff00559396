import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compilePattern, type Extraction } from "../../src/imports/mapping/patterns.ts";
import { inEnglish } from "../support/lane/in-english.ts";

const compiled = (pattern: string, group?: number | string, caseSensitive?: boolean): Extraction => {
  const found = compilePattern(pattern, group, caseSensitive);
  if ("fault" in found) expect.fail(`${pattern} ${inEnglish(found.fault)}`);
  return found;
};

describe("the pattern of a mapping", () => {
  test.each([
    "(\\d+) x (\\d+)",
    "^(.+?)(?: on .+)?$",
    "^(?!0+(?:\\.0+)?$)(\\d+(?:\\.\\d*[1-9])?)",
    "^(?!(?:anonymous|unknown)\\b)(?!.*(?:\\?|x y)).+$",
    "^(?=.*x)(a+)",
    "[^\\S\\n]+",
    "\\S+",
    "^\\s*(\\S+)",
    "[\\s\\S]+x",
    "[\\s,]+$",
    "a.b",
    "\\bab\\b",
    "(?<y>\\d{4})$",
    "(a|b)c+",
    "[(a+)+]+",
    "\\(a+\\)+",
    "(\\d{2}\\.)*",
    "(a+)?",
    "(a+)+b",
    "x{2,3}?",
    "(a)|b",
    "\\p{Lu}\\p{Ll}+",
    "\\p{Script=Greek}+",
    "\\u00e4|\\xd6",
  ])("%s finds the same as in JavaScript", (pattern) => {
    const { find } = compiled(pattern);
    const known = new RegExp(pattern, "u");
    const group = new RegExp(`${pattern}|`, "u").exec("")!.length > 1 ? 1 : 0;
    const letters = [..."abxy 0159.,?|;()\n\r\u00a0\u2028ÄäÖßλ😀", "anonymous", "unknown", " on "];
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...letters) }), (value) => {
        expect(find(value)).toBe(known.exec(value)?.[group]);
      }),
      { numRuns: 300 },
    );
  });

  test("returns the requested group, and ignores case on request", () => {
    expect(compiled("(\\d+) x (\\d+)", 2).find("12 x 34")).toBe("34");
    expect(compiled("(?<w>\\d+) x", "w").find("12 x 34")).toBe("12");
    expect(compiled("ÄHRE", undefined, false).find("eine Ähre")).toBe("Ähre");
  });

  test.each([
    ["x".repeat(501), undefined, "longer than 500"],
    ["(a", undefined, "is not a regular expression"],
    ["^(?!a", undefined, "is not a regular expression"],
    ["(a)", 2, "has 1 group, so there is no group 2"],
    ["(a)", "b", 'has no group named "b"'],
    ["(a)\\1", undefined, "has a reference back to a group (\\1), which is not supported"],
    ["(?<n>a)\\k<n>", undefined, "has a reference back to a group"],
    ["(?<=a)b", undefined, "has a lookbehind ((?<=), which is not supported"],
    ["(?<!a)b", undefined, "has a lookbehind"],
    ["a(?=b)", undefined, "has a lookahead ((?=) that is not at its beginning"],
    ["^(?!a)b|c", undefined, "has a lookahead in one of several alternatives"],
    ["^(?!(a))b", undefined, "has a group inside a lookahead: write it as (?:…)"],
    ["(a{100}){100}", undefined, "parts when its repeats are written out, more than 1,000"],
    ["(?:a{600}|b{600})", undefined, "parts when its repeats are written out, more than 1,000"],
  ])("%s with group %s is a fault", (pattern, group, sentence) => {
    const found = compilePattern(pattern, group);
    expect("fault" in found && inEnglish(found.fault)).toContain(sentence);
  });

  // with JavaScript's engine, one of these on a short cell blocks a service for its whole life
  test.each([
    "^(a+){00000000001,}$",
    "^a*a*a*a*a*a*a*a*$",
    "(a+)+$",
    "^(a|aa)+$",
    "(x+x+)+y",
    "(.*)(.*)(.*)(.*)(.*)x",
    "^(?!(?:a+)+b)(a*a*)*c",
  ])("%s quickly fails on the text that was made for it", (pattern) => {
    const { find } = compiled(pattern);
    const before = process.cpuUsage().user;
    expect(find(`${"a".repeat(10_000)}!`)).toBeUndefined();
    expect(process.cpuUsage(undefined).user - before).toBeLessThan(2_000_000);
  });
});
