import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { toldIn } from "../src/admin/fault-words.ts";
import type { MessageKey } from "../src/pages/messages-en.ts";

const WORDS = "src/admin/fault-words.ts";
/** The key of the message that a page shows for a sentence. */
const keyOf = (sentence: string): string => toldIn(((key: MessageKey) => key) as never, sentence);

it("every sentence that pages translate is said by a rule", () => {
  const rules = readdirSync("src", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.includes("messages-") && join("src", name) !== WORDS)
    .map((name) => readFileSync(join("src", name), "utf8"))
    .join("\n");
  const patterns = readFileSync(WORDS, "utf8").matchAll(/^ {2}\[\/(.+)\/[is]*, "faults\./gm);
  const words = [...patterns].flatMap(([, pattern]) => pattern!.split(/\\.|[\^$.*+?()[\]|{}]+:?/));
  const said = words.map((each) => each.replace(/^(?::|") /, "").trim()).filter(({ length }) => length > 5);
  expect(said.length).toBeGreaterThan(40);
  expect(said.filter((each) => !rules.includes(each))).toEqual([]);
});

it.each([
  ["is not an e-mail address, for example jo@museum.example", "faults.email"],
  ["is not a name: a lower-case letter, then up to 62 lower-case letters, digits and _", "faults.name"],
  ["there are already 127 facets, which is the limit of the search index", "faults.facetsFull"],
  ["title is the title of the records and must stay public", "faults.titleStays"],
  ['"sepia" is not one of light, dark; did you mean "serif"?', "faults.oneOf"],
  ['"cup" is not a valid object_type; choose one of: vase, other', "faults.oneOf"],
  ["The vocabulary already has this term", "faults.exists"],
  ["A role with this name already exists", "faults.exists"],
  ["This relation with this role already exists; PATCH changes its metadata_", "faults.exists"],
])("%s", (sentence, key) => expect(keyOf(sentence)).toBe(key));
