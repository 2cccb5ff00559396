/** What any text may contain. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { textFault } from "../src/text.ts";
import { createObject, english, faults } from "./support/catalogue.ts";
import { type Museum, openMuseum, quickest } from "./support/museum.ts";

let museum: Museum;
beforeAll(async () => {
  museum = await openMuseum({ database: quickest });
});
afterAll(() => museum.close());

const ABOVE = "\u0300";
const BELOW = "\u0316";

it("a letter may have as many combining marks as real scripts use", () => {
  expect(textFault(`a${ABOVE.repeat(60)} b`)).toBeNull();
  expect(textFault(`ab${ABOVE.repeat(61)}`)).toBe(
    "has more than 60 marks on one letter, from U+0300 as character 3 on",
  );
});

it("a letter with tens of thousands of combining marks is refused quickly", async () => {
  const editor = await museum.as("editor");
  const { id } = await createObject(editor, "Harbour at dusk");
  const text = `a${ABOVE.repeat(100_000)}${BELOW.repeat(100_000)}`;
  const begun = process.cpuUsage();
  const json = { metadata_: { title: english(text), description: [{ value: text }] } };
  const answer = await editor(`/v1/objects/${id}`, { method: "PATCH", json });
  const { user } = process.cpuUsage(begun);
  expect(await faults(answer)).toEqual(["/metadata_/title/0/value", "/metadata_/description/0/value"]);
  expect(user / 1_000).toBeLessThan(1_000);
});
