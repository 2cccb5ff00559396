/** What a mapping may cost: files and mappings made to block the service are refused at once, with a sentence. */

import { describe, expect, test } from "vitest";
import { yieldingRunner } from "../../src/http/yielding.ts";
import { parseMapping } from "../../src/imports/mapping/mapping.ts";
import { mapRow } from "../../src/imports/mapping/row.ts";
import { parseRecordPath } from "../../src/imports/xml/clark.ts";
import { openXmlFile } from "../../src/imports/xml/file.ts";
import { RecordReader } from "../../src/imports/xml/records.ts";
import { compileXPath, type XPath } from "../../src/imports/xml/xpath.ts";
import type { Problem } from "../../src/problem.ts";
import { inEnglish } from "../support/lane/in-english.ts";
import { inLong } from "../support/lane/lane.ts";

/** The processor time of all threads of this process, in milliseconds, which other processes do not affect. */
function costOf<T>(work: () => T): { result: T; ms: number } {
  const before = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(before);
  return { result, ms: (user + system) / 1_000 };
}

/** On an idle machine it takes a tenth of a second, but tests may run on a busy one. */
const LONGEST_MS = 1_500;

const through = (transforms: unknown[], cell: string) =>
  mapRow(parseMapping({ c: { target: "x", transforms } }), "object", { values: new Map([["c", cell]]) });

const faultsOf = (mapping: unknown): string[] => {
  try {
    parseMapping(mapping);
    return [];
  } catch (error) {
    return (error as Problem).errors.map(({ detail }) => inEnglish(detail));
  }
};

describe("a row", () => {
  const grow = { type: "replace", search: "a", replace: "a".repeat(1_000) };
  const twice = { type: "template", template: "{value}{value}" };
  const LONG = "characters, more than 1,048,576";
  const WORK = "takes too much work for one row";
  const split = { type: "split" };
  const template = (text: string) => [{ type: "template", template: text }];
  const longWord = { type: "vocab_map", map: { "*": "z".repeat(400_000) } };
  const heavy = { type: "regex_extract", pattern: "((a{0,30}){0,30})$" };
  const a = (times: number) => "a".repeat(times);
  test.each([
    [
      "140,000 values in a cell",
      [split],
      "abcde; ".repeat(140_000),
      "gives 140,000 values, more than 10,000",
    ],
    ["text that grows by a thousand times, twice", [grow, grow], a(1_000), WORK],
    ["text that is doubled forty times", Array(40).fill(twice), "abc", LONG],
    ["a template with its value a thousand times", template("{value}".repeat(1_000)), a(100_000), WORK],
    ["the same in an optional part", template(`{?${"{value}".repeat(1_000)}}`), a(100_000), WORK],
    ["a long word for each of many", [split, longWord], "a;".repeat(9_000), LONG],
    ["a heavy pattern on a long text", [heavy], `${a(100_000)}b`, WORK],
    ["a hundred passes over a megabyte", Array(100).fill({ type: "trim" }), "a b".repeat(300_000), WORK],
  ])("with %s is refused at once", (_, transforms, cell, sentence) => {
    const { result, ms } = costOf(() => through(transforms, cell));
    expect(result.faults.map(inEnglish)).toEqual([expect.stringContaining(sentence)]);
    expect(inEnglish(result.faults[0]!)).toMatch(/^column "c": /);
    expect(result.fields).toEqual({});
    expect(ms).toBeLessThan(LONGEST_MS);
  });

  test("with much honest text is accepted", () => {
    const names = Array.from({ length: 9_999 }, (_, n) => `name ${n}`);
    const { result, ms } = costOf(() => through([split], [...names, names[0]].join(";")));
    expect(result.faults).toEqual([]);
    expect(result.fields.x!.length).toBe(9_999);
    expect(ms).toBeLessThan(LONGEST_MS);
    const light = { type: "regex_extract", pattern: "^(.+?)(?: on .+)?$" };
    const text = through([{ type: "trim" }, light], "b".repeat(60_000));
    expect(text.fields.x![0]!.value.length).toBe(60_000);
  });

  test("reports at most a hundred faults", () => {
    const words = Array.from({ length: 5_000 }, (_, n) => `word ${n}`).join(";");
    const { faults } = through([split, { type: "vocab_map", map: { a: "b" }, strict: true }], words);
    expect(faults.length).toBe(100);
  });
});

describe("a mapping", () => {
  test("with too many patterns, transforms or entries is refused before it costs time", () => {
    const pattern = (n: number) => ({ type: "regex_extract", pattern: `(?:[a-z]\\pL?){100}(${n})` });
    const many = Array.from({ length: 1_000 }, (_, n) => ({ target: "x", transforms: [pattern(n)] }));
    const { result, ms } = costOf(() => faultsOf({ a: many }));
    expect(result).toEqual(["the mapping is too large: it may contain nothing from here on"]);
    expect(ms).toBeLessThan(LONGEST_MS);
    expect(faultsOf({ a: { target: "x", transforms: Array(101).fill({ type: "trim" }) } })).toEqual([
      "has 101 transforms, more than 100",
    ]);
    const faulty = Array(1_000).fill({ target: "x", transforms: [{ ...pattern(1), group: 2 }] });
    const refused = costOf(() => faultsOf({ a: faulty }));
    expect(refused.result.length).toBe(101);
    expect(refused.result.at(-1)).toBe("is not checked, nor is what follows: correct the faults above first");
    expect(refused.ms).toBeLessThan(LONGEST_MS);
    expect(faultsOf({ a: Array.from({ length: 5_001 }, (_, n) => `f${n}`) })).toEqual([
      "the mapping is too large: it may contain nothing from here on",
    ]);
  });
});

const record = (xml: string) => {
  const reader = new RecordReader(parseRecordPath("/*")!);
  return [...reader.take(xml).records, ...reader.end().records][0]!.element;
};
const compiled = (xpath: string): XPath => {
  const found = compileXPath(xpath);
  if ("fault" in found) expect.fail(`${xpath} ${inEnglish(found.fault)}`);
  return found;
};

describe("an XPath", () => {
  test.each([
    ["for $i in 1 to 100000000 return $i", "uses for or let, which is not supported in a mapping"],
    ["1 to 100000000", "uses a range (to)"],
    ["let $a := 1 return ($a, $a)", "uses for or let"],
    ["some $x in //* satisfies $x = 'a'", "uses some or every"],
    ["function($a) { $a }(1)", "is not supported in a mapping"],
    ["//*/string#0", "is not supported in a mapping"],
    ["[1, 2]?*", "is no"],
    ["fold-left(//*, '', concat#2)", "is not supported in a mapping"],
    ["Q{http://www.w3.org/2005/xpath-functions}string-to-codepoints('a')", "is not supported in a mapping"],
    ["fontoxpath:evaluate('1', map{})", "is not supported in a mapping"],
    ["unparsed-text('/etc/passwd')", 'uses the function "unparsed-text"'],
    ["//* = //*", "compares two lists with each other"],
    ["(1,1,1)!(1,1,1)!(1,1,1)!(1,1,1)!(1,1,1)!(1,1,1)!(1,1,1)", "which multiply its values"],
    ["(.,.)[(.,.)[(.,.)[(.,.)[(.,.)[(.,.)[(.,.)[(.,.)[(.,.)[(.,.)]]]]]]]]]", "which multiply its values"],
    ["matches(., //a)", "must have the pattern of matches() in quotes"],
    ["replace(., 'a*', 'b')", "matches an empty text"],
    ["tokenize(., '(?<=a)b')", "has a lookbehind"],
    [`a${"[a".repeat(600)}${"]".repeat(600)}`, "is nested too deeply"],
    [`${"a/".repeat(1_500)}a`, "is longer than 2,000 characters"],
    [`${"(".repeat(900)}a${")".repeat(900)}`, "is nested too deeply"],
  ])("%s is refused before it is evaluated", (xpath, sentence) => {
    const { result, ms } = costOf(() => compileXPath(xpath));
    expect("fault" in result && inEnglish(result.fault)).toContain(sentence);
    expect(ms).toBeLessThan(LONGEST_MS);
  });

  test("of a kind that real mappings use is accepted", () => {
    const one = record(
      '<r xml:lang="de"><a n="1">x, y</a><a n="2">z</a><b>Oil</b><b>oil</b><c><d>1.5</d></c></r>',
    );
    const gives = (xpath: string) =>
      compiled(xpath)
        .read(one, "")
        .map(({ text }) => text);
    expect(gives("tokenize(a[1], ',\\s*')")).toEqual(["x", "y"]);
    expect(gives("tokenize(a[1])")).toEqual(["x,", "y"]);
    expect(gives("replace(a[1], '(x), (y)', '$2-$1\\$')")).toEqual(["y-x$"]);
    expect(gives("b[matches(., '^O')]")).toEqual(["Oil"]);
    expect(gives("b/lower-case(.)")).toEqual(["oil", "oil"]);
    expect(gives("distinct-values(b/lower-case(.))")).toEqual(["oil"]);
    expect(gives("a[@n = ('2', '3')] | b[last()]")).toEqual(["z", "oil"]);
    expect(gives("(z, a, 'nothing')[1]")).toEqual(["x, y"]);
    expect(gives("string-join(a, '; ')")).toEqual(["x, y; z"]);
    expect(gives("if (a[1] != a[2]) then concat(a[1], '/', a[2]) else ''")).toEqual(["x, y/z"]);
    expect(gives("a ! upper-case(.)")).toEqual(["X, Y", "Z"]);
    expect(gives("c/d * 2")).toEqual(["3"]);
    expect(gives("translate(b[1], 'Oil', 'öl')")).toEqual(["öl"]);
    expect(gives("fn:count(.//*[not(*)])")).toEqual(["5"]);
  });

  const wide = record(`<r>${'<e a="1">t</e>'.repeat(20_000)}</r>`);
  const deep = record(`<r>${"<e>".repeat(400)}${"x".repeat(2_000_000)}${"</e>".repeat(400)}</r>`);
  test.each([
    "//*[//*[//*]]",
    ".//*[.//*[.//*]]",
    "//*/ancestor::*//*",
    "string-join(.//*, 'x')",
    "string-join(.//*/string(), '; ')",
    `string-join(.//* ! '${"x".repeat(1_000)}', '')`,
    "count(.//*[count(..//*) > 1])",
    ".//e/following::*/preceding::*",
    "distinct-values(.//* ! concat(., position()))",
    `replace(., 'x', '${"y".repeat(1_000)}')`,
    `.//e[${"concat('abc', ".repeat(80)}.${")".repeat(80)} = 'a']`,
  ])("%s is too much work for one of two records, and is stopped", (xpath) => {
    const { read } = compiled(xpath);
    let refusals = 0;
    for (const large of [wide, deep]) {
      const { ms } = costOf(() => {
        try {
          read(large, "");
        } catch (error) {
          expect((error as Error).message).toMatch(/^it (?:takes too much work for one XPath|gives)/);
          refusals += 1;
        }
      });
      expect(ms).toBeLessThan(LONGEST_MS);
    }
    expect(refusals).toBeGreaterThan(0);
  });
});

describe("an XML file", () => {
  const faultOf = (xml: string) => {
    const reader = new RecordReader(parseRecordPath("/r")!);
    return costOf(() => (reader.take(xml).fault ?? reader.end().fault)?.message);
  };
  test("with twenty thousand attributes on an element is read up to there", () => {
    const attributes = Array.from({ length: 20_000 }, (_, n) => ` a${n}="${n}"`).join("");
    for (const xml of [`<r><e${attributes}/></r>`, `<list${attributes}><r/></list>`]) {
      const { result, ms } = faultOf(xml);
      expect(result).toBe("line 1: an element has more than 500 attributes");
      expect(ms).toBeLessThan(LONGEST_MS);
    }
  });

  test.each([
    ["attributes", "<list><r", ' a="x"', /^line 1: an element has more than 500 attributes$/],
    ["attributes of its root", "<list", ' a="x"', /^line 1: an element has more than 500 attributes$/],
    ["namespaces", "<list><r", ' xmlns:a="x"', /^line 1: an element has more than 500 attributes$/],
    ["blanks in a tag", "<list><r", " ", /^line 1: what begins here is longer than 1 million characters$/],
    [
      "text in a comment",
      "<list><!--",
      "text ",
      /^line 1: what begins here is longer than 1 million characters$/,
    ],
  ])("without an end to its %s is refused while it is being read", (_, begun, more, sentence) => {
    const reader = new RecordReader(parseRecordPath("/list/r")!);
    let fault = reader.take(begun).fault;
    const piece = more.repeat(1_000);
    for (let characters = 0; fault === undefined && characters < 1_100_000; characters += piece.length)
      fault = reader.take(piece).fault;
    expect(fault?.message).toMatch(sentence);
  });

  test("may have any text outside its records, also more than a record may have", () => {
    const reader = new RecordReader(parseRecordPath("/list/r")!);
    expect(reader.take("<list><logo>").fault).toBeUndefined();
    const piece = "x".repeat(1_000_000);
    for (let n = 0; n < 20; n++) expect(reader.take(piece).fault).toBeUndefined();
    const { records } = reader.take("</logo>\n<r>one</r></list>");
    expect(records.map(({ raw, line, ancestors }) => [raw, line, ancestors])).toEqual([
      ["<r>one</r>", 2, ["<list>"]],
    ]);
  });

  test("gives the thread to others while it is read, however its bytes come", async () => {
    const bytes = new TextEncoder().encode(`<list>${"<a/>".repeat(300_000)}<r>one</r></list>`);
    const source = { name: "list.xml", bytes: bytes.length, open: () => new Response(bytes).body! };
    let turns = 0;
    const ticking = setInterval(() => {
      turns += 1;
    });
    const mapping = parseMapping({ ".": "title" });
    const lines: number[] = [];
    await openXmlFile(source, { recordXPath: "/list/r" }, async ({ rows }) => {
      for await (const batch of (await rows(mapping)).rows) lines.push(...batch.map(({ line }) => line));
    });
    clearInterval(ticking);
    expect(lines).toEqual([1]);
    expect(turns).toBeGreaterThan(5);
  });

  inLong(test)("with a record of 200,001 elements is read up to there", () => {
    const { result } = faultOf(`<r>${"<e/>".repeat(200_001)}</r>`);
    expect(result).toBe("line 1: what begins here has more than 200,000 elements, attributes and texts");
  });
});

test("long work gives the thread to others for as long as it took", async () => {
  const yielding = yieldingRunner();
  let others = 0;
  const ticking = setInterval(() => {
    others += 1;
  }, 1);
  const busy = () => {
    const until = performance.now() + 60;
    while (performance.now() < until);
    return "done";
  };
  for (let n = 0; n < 3; n++) expect(await yielding(busy)).toBe("done");
  clearInterval(ticking);
  expect(others).toBeGreaterThan(3);
});
