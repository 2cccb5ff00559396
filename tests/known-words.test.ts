/** What a process remembers: of words those that many records have, of anything what was asked for lately. */
import { describe, expect, it } from "vitest";
import { type KnownWord, KnownWords } from "../src/adapters/search/known-words.ts";
import { wordsOfDocuments } from "../src/adapters/search/words.ts";
import { TextLines } from "../src/adapters/search/written.ts";
import { Recent } from "../src/recent.ts";

/** More words than are kept, each in one record. */
const TOO_MANY = 130_000;

const documentOf = (title: string, description = "") => ({
  id: "018f2d3c-0000-7000-8000-000000000001",
  publicText: [
    { weight: "A" as const, text: title },
    { weight: "C" as const, text: description },
  ],
  staffText: [],
  linkedText: [],
});

function wordsOf(known: KnownWords, text: string): KnownWord[] {
  const words: KnownWord[] = [];
  known.read("", text, (word) => words.push(word));
  return words;
}

describe("known words", () => {
  it("are the same wherever they stand, and others under another mark", () => {
    const known = new KnownWords();
    const [boat] = wordsOf(known, "Boat");
    expect(
      wordsOf(known, "a boat, which is longer than what is kept as a whole, so it is read again")[1],
    ).toBe(boat);
    expect(known.word("", "boat")).toBe(boat);
    expect(known.word("~", "boat")).not.toBe(boat);
  });

  it("keep their numbers when many records have them; those that one record had are forgotten", () => {
    const known = new KnownWords();
    wordsOfDocuments(
      ["Boat with net", "Boat"].map((title) => documentOf(title)),
      known,
      new TextLines(),
    );
    known.word("", "boat").no = 7;
    known.word("", "net").no = 8;
    known.forget();
    expect(known.word("", "net").no).toBe(8);
    for (let n = 0; n < TOO_MANY; n++) known.word("", `w${n}`);
    known.forget();
    expect([known.word("", "boat").no, known.word("", "net").no]).toEqual([7, 0]);
    // in a title that was read before, a forgotten word is the one that is known now
    expect(wordsOf(known, "Boat with net")[2]).toBe(known.word("", "net"));
    for (let n = 0; n < TOO_MANY; n++) known.word("", `w${n}`);
    known.forget();
    expect(known.word("", "boat").no).toBe(0);
  });

  it("of a record stand in its text with all their places, and once in its row", () => {
    const known = new KnownWords();
    const documents = [documentOf("Boat, boat 12", "the boat"), documentOf(""), documentOf("Boat")];
    const texts = new TextLines();
    const words = wordsOfDocuments(documents, known, texts);
    // each record begins anew
    expect(texts.lines().split("\n")).toEqual([" 'boat':1A,2A,6C '12':3A 'the':5C", " ", " 'boat':1A"]);
    expect(words.map((all) => all.map(({ mark, word }) => mark + word))).toEqual([
      ["boat", "12", "the", "=boat"],
      [],
      ["boat", "=boat"],
    ]);
    const next = new TextLines();
    wordsOfDocuments([documentOf("net")], known, next);
    expect(next.lines()).toBe(" 'net':1A");
  });
});

describe("what was asked for lately", () => {
  it("is kept, and what nobody asked for since is forgotten first", () => {
    const recent = new Recent<string, number>(2);
    for (const [n, key] of ["a", "b", "c"].entries()) recent.set(key, n);
    expect(recent.get("a")).toBe(0);
    recent.set("d", 3);
    expect([recent.get("a"), recent.get("b"), recent.get("d")]).toEqual([0, undefined, 3]);
    expect([recent.getOr("a", () => 9), recent.getOr("e", () => 9), recent.get("e")]).toEqual([0, 9, 9]);
  });
});
