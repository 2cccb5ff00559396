/** What people are told about JSON that cannot be read. */
import { expect, it } from "vitest";
import { readJson } from "../../src/http/request/json-text.ts";
import { translator } from "../../src/messages/translate.ts";

const refused = (text: string, language: string): string => {
  try {
    return String(readJson(text, (place) => new Error(translator(language)("fault.file.not_json", place))));
  } catch (error) {
    return (error as Error).message;
  }
};

it.each([
  ["[1 2]", "en", "the content is not valid JSON (line 1, column 4)"],
  ['{\n  "a": 1,\n  b\n}', "en", "the content is not valid JSON (line 3, column 3)"],
  ['{"a": ', "en", "the content is not valid JSON"],
  ["", "en", "the content is not valid JSON"],
])("%s is refused in words of the reader", (text, language, expected) => {
  expect(refused(text, language)).toBe(expected);
});

it("is read", () => {
  expect(readJson('[{"a": [], "b": ""}]', () => new Error("refused"))).toEqual([{ a: [], b: "" }]);
});
