import { describe, expect, it } from "vitest";
import { placeOfFault, readJson } from "../../src/http/request/json-text.ts";

const at = (text: string) => Object.values(placeOfFault(text)).join(":");

describe("text that is not JSON", () => {
  it.each([
    ["", "1:1"],
    ["  nothing", "1:3"],
    ['{"a": 1 "b": 2}', "1:9"],
    ['{\n  "a": [1, 2,]\n}', "2:14"],
    ['{\n  "a": "open\n}', "2:13"],
    ['{"a": "open', "1:7"],
    ['{"a": "\\x"}', "1:8"],
    ['{"a": 01}', "1:7"],
    ['{"a": 1', "1:8"],
    ['{"a" 1}', "1:6"],
    ["{a: 1}", "1:2"],
    ["{,}", "1:2"],
    ["[1}", "1:3"],
    ["[true, truer]", "1:8"],
    ['{"a": {"b": [{"c": null}, -1.5e+3, "\\u00e9"]}} x', "1:48"],
  ])("has its fault where it stops being JSON: %j", (text, place) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(at(text)).toBe(place);
  });

  it("is refused without the words of the engine", () => {
    expect(() => readJson("[1 2]", ({ line, column }) => new Error(`${line}:${column}`))).toThrow(/^1:4$/);
    expect(readJson('[{"a": [], "b": ""}]', () => new Error("refused"))).toEqual([{ a: [], b: "" }]);
  });

  it("is read to the end of what is valid", () => {
    for (const value of [{ a: [1, "x", null, { b: {} }], c: true }, [], "", -0.5, [[], [{}]], { "": "\n" }]) {
      const text = JSON.stringify(value, null, 1);
      expect(placeOfFault(`${text}\n#`)).toEqual({ line: text.split("\n").length + 1, column: 1 });
    }
  });
});
