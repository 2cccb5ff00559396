/** Values of authority fields: which authority they are of, and how else the same identifier may be written. */
import { expect, test } from "vitest";
import { authorityOf } from "../../src/records/write/authority-ids.ts";

const PAGE = "https://www.wikidata.org/wiki/Q5582";

test("a record with the address of a web page is looked for by that address, too", () => {
  expect(authorityOf("wikidata", PAGE)?.forms).toEqual(
    expect.arrayContaining([PAGE, "http://www.wikidata.org/entity/Q5582", "Q5582"]),
  );
});

test("a number and the address of its page are the same identifier", () => {
  expect(authorityOf("wikidata", "Q5582")?.iri).toBe(authorityOf("wikidata", PAGE)?.iri);
});

test("what no authority knows has no other forms", () => {
  expect(authorityOf("wikidata", "https://example.org/Q5582")).toBeNull();
  expect(authorityOf("own_number", "17")).toBeNull();
});
