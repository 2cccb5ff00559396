/** All words of all records in memory: whatever was read, changed and taken out, each word has the records that have it. */
import { describe, expect, it } from "vitest";
import { each } from "../src/adapters/search/bits.ts";
import {
  type Block,
  BlockMaker,
  bytesOfBlock,
  Postings,
  readRecords,
} from "../src/adapters/search/postings.ts";

const ROOM = 200_000;

const written = (records: ReadonlyMap<number, readonly number[]>) =>
  [...records].map(([position, words]) => `${position}{${words.join(",")}}`).join("");

function blocksOf(text: string) {
  const maker = new BlockMaker();
  const blocks: Block[] = [];
  readRecords(text, maker, () => blocks.push(maker.block()));
  return [...blocks, maker.block()];
}

function positions(postings: Postings, ...words: number[]): number[] {
  const found: number[] = [];
  each(postings.having(words), (position) => found.push(position));
  return found;
}

/** What should be found, looked up the slow way. */
const expected = (records: ReadonlyMap<number, readonly number[]>, ...words: number[]) =>
  [...records]
    .filter(([, own]) => own.some((word) => words.includes(word)))
    .map(([position]) => position)
    .sort((a, b) => a - b);

describe("the words of all records", () => {
  /** One in so many records has the word. */
  const words = (n: number) => [1, 2, 3, 17, 5_000].filter((word) => n % word === 0).concat(9_000 + n);
  const many = (from: number, to: number) =>
    new Map(Array.from({ length: to - from }, (_, n) => [from + n, words(from + n)] as const));

  it("are found, common and rare ones, in as many blocks as they need", () => {
    const records = many(1, 40_000);
    const blocks = blocksOf(written(records));
    expect(blocks.map(({ positions }) => positions.length)).toEqual([16_384, 16_384, 39_999 - 2 * 16_384]);
    const postings = new Postings(ROOM);
    postings.fill(blocks);
    for (const word of [1, 2, 17, 5_000, 9_001, 48_999, 49_000, 4]) {
      expect(positions(postings, word), String(word)).toEqual(expected(records, word));
    }
    expect(positions(postings, 17, 9_001, 5_000)).toEqual(expected(records, 17, 9_001, 5_000));
    // those that every second has are bits: an eighth of a byte for each record instead of two
    expect(blocks.reduce((sum, block) => sum + bytesOfBlock(block), 0)).toBeLessThan(40_000 * 16);
  });

  it("of no records at all are none, and a record may have none", () => {
    for (const text of ["", "7{}", "7{}8{}"]) {
      const postings = new Postings(ROOM);
      postings.fill(blocksOf(text));
      expect(positions(postings, 0, 7, 8)).toEqual([]);
    }
  });

  it("follow what changes, before everything was read and after", () => {
    const records = many(1, 20_000);
    const blocks = blocksOf(written(records));
    const postings = new Postings(ROOM);
    const change = (position: number, own: number[] | null) => {
      postings.change(position, own ?? []);
      if (own) records.set(position, own);
      else records.delete(position);
    };
    let state = 1;
    const below = (n: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * n);
    };
    const changes = (n: number) => {
      for (; n > 0; n--) {
        const position = 1 + below(25_000);
        change(position, below(4) === 0 ? null : [1 + below(30), 9_000 + below(50)]);
      }
    };
    changes(3_500);
    expect(postings.isWhole).toBe(false);
    postings.fill(blocks);
    expect(postings.isWhole).toBe(true);
    for (let round = 0; round < 5; round++) {
      for (const word of [1, 2, 17, 29, 9_007, 10_000])
        expect(positions(postings, word), `${word} after ${round}`).toEqual(expected(records, word));
      changes(1_700);
    }
  });

  it("stay in few blocks, however many records come and change, beyond the room that there was", () => {
    const postings = new Postings(1_000);
    postings.grow(ROOM);
    postings.fill(blocksOf(written(many(1, 900))));
    const records = many(1, 60_000);
    for (const [position, own] of records) postings.change(position, own);
    const { bytes } = postings;
    for (let round = 0; round < 3; round++)
      for (const [position, own] of records) if (position % 4 === 0) postings.change(position, own);
    expect(postings.bytes).toBeLessThan(bytes * 2);
    for (const word of [1, 2, 17, 5_000, 9_001, 68_999])
      expect(positions(postings, word), String(word)).toEqual(expected(records, word));
  });

  it("leave out what was read and for which there is no room", () => {
    const postings = new Postings(10);
    postings.fill(blocksOf("9{1}10{1}11{1}"));
    expect(positions(postings, 1)).toEqual([9]);
  });
});
