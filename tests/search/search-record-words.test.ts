/** The words of a record, as its row and its text in the search index have them. */
import { describe, expect, it } from "vitest";
import { splitMark, wordsOfRecord } from "../../src/adapters/search/tables/words.ts";
import { record } from "../support/search/search-documents.ts";

const read = (told: Parameters<typeof record>[1]) => wordsOfRecord(record(1, { idno: "", ...told }));

describe("the words of a record", () => {
  it("stand in its text with all their places, and once in its row; those of its title a second time", () => {
    const description = [{ weight: "C", text: "the boat" }] as const;
    expect(read({ title: "Boat, boat 12", publicText: description })).toEqual({
      text: "'boat':2A,3A,7C '12':4A 'the':6C",
      words: ["boat", "12", "the", "=boat"],
    });
    expect(read({ title: "" })).toEqual({ text: "", words: [] });
  });

  it("carry a mark where visitors may not find by them, and where they are stems", () => {
    const { words } = read({
      title: "Boats",
      publicText: [{ weight: "D", text: "nets", stems: ["en:net"] }],
      staffText: [{ weight: "A", text: "price" }],
      linkedText: [{ weight: "B", text: "maker" }],
    });
    expect(words).toEqual(["boats", "nets", "~price", "^maker", ">net", "=boats", "~=price"]);
    expect(["=boats", "~=price", "^maker", ">net", "boats"].map((word) => splitMark(word))).toEqual([
      { mark: "=", word: "boats" },
      { mark: "~=", word: "price" },
      { mark: "^", word: "maker" },
      { mark: ">", word: "net" },
      { mark: "", word: "boats" },
    ]);
  });

  it("have each stem once for all languages, and none that is a word of the record", () => {
    const stems = ["en:boat", "de:boat", "fr:boat", "en:chair", "de:chairs"];
    const { words } = read({ title: "Boat", publicText: [{ weight: "C", text: "boats chairs", stems }] });
    expect(words).toEqual(["boat", "boats", "chairs", ">chair", "=boat"]);
  });
});
