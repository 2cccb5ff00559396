import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { textFault } from "../../../src/text.ts";
import { createObject } from "../../support/museum/catalogue.ts";
import { museumHere, quickest } from "../../support/museum/museum.ts";
import { breakdowns, refusal } from "../../support/refusals.ts";

describe.each([quickest])("any body in the %s database", async (database) => {
  const museum = await museumHere({ database });
  const editor = await museum.as("editor");

  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 40 }),
    fc.constantFrom("\u0000", "\ud800", "__proto__", "constructor", "painting", "title", "1887~", "en", ""),
  );
  const something = fc.oneof(fc.jsonValue({ maxDepth: 3 }), text);
  const entry = fc.record(
    { value: fc.oneof(text, something), lang: fc.oneof(text, something) },
    { requiredKeys: [] },
  );
  const entries = fc.oneof(fc.array(fc.oneof(entry, something), { maxLength: 4 }), something);
  const draft = fc.record(
    {
      object_type: fc.oneof(fc.constantFrom("painting", "coin"), something),
      idno: something,
      status: fc.oneof(fc.constantFrom("draft", "internal", "public"), something),
      collection_status: something,
      metadata_: fc.oneof(
        fc.dictionary(
          fc.oneof(fc.constantFrom("title", "date", "material", "rights", "dimensions"), text),
          entries,
        ),
        something,
      ),
      id: something,
      created_at: something,
      colour: something,
    },
    { requiredKeys: [] },
  );

  it("is accepted or refused, and never breaks the service", async () => {
    const statuses = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(
        fc.oneof({ weight: 4, arbitrary: draft }, { weight: 1, arbitrary: something }),
        async (json) => {
          const answer = await editor("/v1/objects", { json });
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
          if (answer.status !== 201 && answer.status !== 409) await refusal(answer, "/v1/objects", 400, 422);
        },
      ),
      { numRuns: 400 },
    );
    expect(statuses.get(422)).toBeGreaterThan(100);
    expect(breakdowns(museum)).toEqual([]);
  });

  it("with valid text in any script is stored unchanged but for outer blanks, found and sorted, at any length", async () => {
    const scripts = fc.constantFrom(
      "a",
      "é",
      "ß",
      "Ω",
      "漢",
      "𠀀",
      "𐌰",
      "🚢",
      "👩🏽‍🔧",
      "\u0301",
      "ﬁ",
      "İ",
      "9",
      " ",
      "'",
      "\\",
      "%",
      "_",
      '"',
    );
    const title = fc.oneof(
      fc.array(scripts, { minLength: 1, maxLength: 30 }).map((all) => all.join("")),
      fc
        .tuple(scripts, scripts, fc.integer({ min: 90, max: 2_050 }))
        .map(([one, two, n]) => two + one.repeat(n)),
    );
    await fc.assert(
      fc.asyncProperty(
        // tests/records/text.test.ts tests letters with more marks than a text may have
        title.filter((value) => value.trim() !== "" && textFault(value) === null),
        async (value) => {
          const object = await createObject(editor, value);
          expect(object.metadata_.title).toEqual([{ value: value.trim(), lang: "en" }]);
          const query = encodeURIComponent(value.slice(0, 200).toWellFormed());
          for (const path of [
            `/v1/objects?q=${query}`,
            `/v1/search?q=${query}`,
            "/v1/objects?sort_by=title",
          ]) {
            expect((await editor(path)).status).toBe(200);
          }
        },
      ),
      { numRuns: 150 },
    );
    expect(breakdowns(museum)).toEqual([]);
  });
});
