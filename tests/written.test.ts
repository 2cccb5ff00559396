/** What the search index writes for the database, and how it finds the words of a text that it knows. */
import { describe, expect, it } from "vitest";
import { KnownWords } from "../src/adapters/search/known-words.ts";
import { WordTable } from "../src/adapters/search/word-table.ts";
import { Written } from "../src/adapters/search/written.ts";
import { isAscii, searchWordsOf } from "../src/text.ts";

describe("lines", () => {
  it("of arrays are what PostgreSQL reads, up to its largest number", () => {
    const written = new Written();
    const numbers = [0, 1, 9, 10, 11, 99, 100, 101, 9_999, 10_000, 123_456_789, 2_147_483_647];
    for (const array of [numbers, [], [7]]) {
      written.array(array);
      written.endLine();
    }
    expect(written.lines()).toBe(`{${numbers.join()}}\n{}\n{7}`);
    expect(new Written().lines()).toBe("");
  });

  it("of texts keep every letter, however many there are", () => {
    const written = new Written();
    const texts = [
      "",
      "boat",
      "bœuf",
      "gemälde 1",
      "漁師",
      "🐟🎣",
      "a🐟",
      "x".repeat(40_000),
      "ü".repeat(70_000),
    ];
    for (const text of texts) {
      written.text(text);
      written.text(text);
      written.endLine();
    }
    expect(written.lines()).toBe(texts.map((text) => text + text).join("\n"));
  });
});

describe("the table of words", () => {
  /** The same texts every time: words that come again, new ones, long ones, signs, line ends. */
  function texts(letters: string): string[] {
    let state = 7;
    const next = (below: number) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
      return (state >>> 8) % below;
    };
    return Array.from({ length: 3_000 }, () =>
      Array.from({ length: next(12) }, () => {
        const isLong = next(40) === 0;
        const length = isLong ? 90 + next(60) : 1 + next(5);
        const among = isLong ? 6 : letters.length;
        return Array.from({ length }, () => letters[next(among)]).join("") + " \n-.,"[next(5)];
      }).join(""),
    );
  }

  it("reads a text as searches are read, and gives a word that it knows", () => {
    const table = new WordTable((word) => ({ word }));
    const known = new Map<string, { word: string }>();
    for (const text of texts("abcdefghijklmnopqrstuvwxyz0189/_'")) {
      const words: { word: string }[] = [];
      table.read(text, (word) => words.push(word));
      expect(words.map(({ word }) => word)).toEqual(searchWordsOf(text));
      for (const one of words) {
        expect(known.get(one.word) ?? one).toBe(one);
        expect(table.get(one.word)).toBe(one);
        known.set(one.word, one);
      }
    }
    expect(table.size).toBe(known.size);
    expect(known.size).toBeGreaterThan(5_000);
    expect([...known.keys()].filter((word) => word.length === 100).length).toBeGreaterThan(50);
    table.keep(({ word }) => word < "g");
    for (const [word, one] of known) expect(table.get(word) === one).toBe(word < "g");
  });

  it("has the same words of texts that are not of ASCII alone", () => {
    const known = new KnownWords();
    for (const text of texts("AbÇdéßœ漁ก🐟 1Łé")) {
      const words: string[] = [];
      known.read("", text, ({ word }) => words.push(word));
      expect(words).toEqual(searchWordsOf(text));
    }
    expect(isAscii("plain\r\n\ttext ~")).toBe(true);
    expect(isAscii("é")).toBe(false);
  });
});
