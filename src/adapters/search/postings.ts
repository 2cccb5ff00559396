/**
 * Which records have which words: all words of all records, in the memory of the process. Records stand in blocks in the
 * order in which they were read; of each word a block has the places of its records, as a list or, where many have the
 * word, as bits. Records that change leave their block, and stand beside the blocks until they fill one of their own.
 */
import { type Bits, bitsFor, each, put, wider } from "./bits.ts";

/** Records of a block: so few that making one keeps nobody waiting, and that their places are numbers of two bytes. */
const BLOCK = 16_384;
/** A word that more records of a block have takes less as bits. */
const MANY = BLOCK / 16;
/** Records beside the blocks, which are looked through one by one. */
const MOST_LOOSE = 1_000;
/** A block that has no more records is small; of many small ones are made large ones. */
const SMALL = BLOCK / 8;
const MOST_SMALL = 16;
/** Of all blocks; where words take more, those that are asked for are read one by one. */
export const MOST_WORD_BYTES = 256_000_000;

export type Block = {
  /** Of each place: the position of the record, or -1 when the record has left. */
  positions: Int32Array;
  /** Words in rising order, where the places of each begin, and the places. */
  words: Int32Array;
  starts: Int32Array;
  places: Uint16Array;
  common: ReadonlyMap<number, Bits>;
};

/** Makes blocks, one after the other. */
export class BlockMaker {
  private readonly positions = new Int32Array(BLOCK);
  private size = 0;
  private words = new Int32Array(BLOCK);
  private places = new Uint16Array(BLOCK);
  private pairs = 0;
  private highest = 0;

  get isFull(): boolean {
    return this.size === BLOCK;
  }

  /** The words that follow are those of this record. */
  begin(position: number): void {
    this.positions[this.size++] = position;
  }

  add(word: number): void {
    this.pair(word, this.size - 1);
  }

  /** The records that a block still has, whose number there is room for. */
  take({ positions, words, starts, places, common }: Block): void {
    const moved = positions.map((position) => (position === -1 ? -1 : this.size++));
    for (let place = 0; place < positions.length; place++)
      if (moved[place] !== -1) this.positions[moved[place]!] = positions[place]!;
    const move = (word: number, place: number) => {
      if (moved[place] !== -1) this.pair(word, moved[place]!);
    };
    for (let at = 0; at < words.length; at++)
      for (let next = starts[at]!; next < starts[at + 1]!; next++) move(words[at]!, places[next]!);
    for (const [word, bits] of common) each(bits, (place) => move(word, place));
  }

  hasRoomFor(records: number): boolean {
    return this.size + records <= BLOCK;
  }

  private pair(word: number, place: number): void {
    if (this.pairs === this.words.length) {
      this.words = wider(this.words, new Int32Array(this.pairs * 2));
      this.places = wider(this.places, new Uint16Array(this.pairs * 2));
    }
    this.words[this.pairs] = word;
    this.places[this.pairs++] = place;
    if (word > this.highest) this.highest = word;
  }

  /** What was added as a block; the next one begins empty. */
  block(): Block {
    const { pairs, words, places, size } = this;
    const next = new Int32Array(this.highest + 2);
    for (let at = 0; at < pairs; at++) next[words[at]!]! += 1;
    const common = new Map<number, Bits>();
    const rare: number[] = [];
    const starts: number[] = [];
    let listed = 0;
    for (let word = 0; word <= this.highest; word++) {
      const n = next[word]!;
      if (n === 0) continue;
      if (n > MANY) {
        common.set(word, bitsFor(BLOCK));
        next[word] = -1;
        continue;
      }
      rare.push(word);
      starts.push(listed);
      next[word] = listed;
      listed += n;
    }
    starts.push(listed);
    const lists = new Uint16Array(listed);
    for (let at = 0; at < pairs; at++) {
      const word = words[at]!;
      if (next[word] === -1) put(common.get(word)!, places[at]!, true);
      else lists[next[word]!++] = places[at]!;
    }
    this.size = 0;
    this.pairs = 0;
    this.highest = 0;
    return {
      positions: this.positions.slice(0, size),
      words: Int32Array.from(rare),
      starts: Int32Array.from(starts),
      places: lists,
      common,
    };
  }
}

export class Postings {
  private room: number;
  private readonly maker = new BlockMaker();
  private blocks: Block[] = [];
  /** Of each block: records that have not left it. */
  private sizes: number[] = [];
  /** Where the words of a position are: block and place there; -1: in no block. */
  private owners: Int32Array;
  private readonly loose = new Map<number, readonly number[]>();
  /** Of the blocks, about. */
  bytes = 0;
  /** Everything was read. */
  isWhole = false;

  constructor(room: number) {
    this.room = room;
    this.owners = new Int32Array(room).fill(-1);
  }

  grow(room: number): void {
    this.owners = wider(this.owners, new Int32Array(room).fill(-1));
    this.room = room;
  }

  /** Records as they were read; those that have changed since this was made are known better already. */
  fill(blocks: readonly Block[]): void {
    for (const block of blocks) {
      const { positions } = block;
      for (let place = 0; place < positions.length; place++) {
        const position = positions[place]!;
        const isKnown = this.loose.has(position) || this.owners[position] !== -1;
        if (isKnown || position >= this.room) positions[place] = -1;
      }
      this.add(block);
    }
    this.isWhole = true;
  }

  private add(block: Block): void {
    const { positions } = block;
    let size = 0;
    for (let place = 0; place < positions.length; place++) {
      if (positions[place] === -1) continue;
      this.owners[positions[place]!] = this.blocks.length * BLOCK + place;
      size += 1;
    }
    this.blocks.push(block);
    this.sizes.push(size);
    this.bytes += bytesOfBlock(block);
  }

  /** The record has these words now; none when it is gone. */
  change(position: number, words: readonly number[]): void {
    const owner = this.owners[position]!;
    if (owner !== -1) {
      const at = Math.floor(owner / BLOCK);
      this.blocks[at]!.positions[owner % BLOCK] = -1;
      this.sizes[at]! -= 1;
    }
    this.owners[position] = -1;
    this.loose.set(position, words);
    if (this.loose.size > MOST_LOOSE) this.settle();
  }

  private settle(): void {
    for (const [position, words] of this.loose) {
      this.maker.begin(position);
      for (const word of words) this.maker.add(word);
    }
    this.add(this.maker.block());
    this.loose.clear();
    const isSmall = (at: number) => this.sizes[at]! <= SMALL;
    if (this.blocks.filter((_, at) => isSmall(at)).length > MOST_SMALL) this.merge(isSmall);
  }

  private merge(isSmall: (at: number) => boolean): void {
    const all: Block[] = [];
    for (const [at, block] of this.blocks.entries()) {
      if (!isSmall(at)) {
        all.push(block);
        continue;
      }
      if (!this.maker.hasRoomFor(this.sizes[at]!)) all.push(this.maker.block());
      this.maker.take(block);
    }
    all.push(this.maker.block());
    this.blocks = [];
    this.sizes = [];
    this.bytes = 0;
    for (const block of all) this.add(block);
  }

  /** The positions that have one of these words. */
  having(words: readonly number[]): Bits {
    const bits = bitsFor(this.room);
    for (const { positions, ...block } of this.blocks) {
      const set = (place: number) => {
        const position = positions[place]!;
        if (position !== -1) put(bits, position, true);
      };
      for (const word of words) {
        const many = block.common.get(word);
        if (many) {
          each(many, set);
          continue;
        }
        const at = placeOf(block.words, word);
        if (block.words[at] !== word) continue;
        for (let place = block.starts[at]!; place < block.starts[at + 1]!; place++) set(block.places[place]!);
      }
    }
    const wanted = new Set(words);
    for (const [position, own] of this.loose)
      if (own.some((word) => wanted.has(word))) put(bits, position, true);
    return bits;
  }
}

/** Of a block, about. */
export function bytesOfBlock({ positions, words, starts, places, common }: Block): number {
  const lists = positions.byteLength + words.byteLength + starts.byteLength + places.byteLength;
  return lists + common.size * (BLOCK / 8);
}

/** Where the word stands, or would, in a rising list. */
function placeOf(words: Int32Array, word: number): number {
  let low = 0;
  let high = words.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (words[middle]! < word) low = middle + 1;
    else high = middle;
  }
  return low;
}

const [DIGIT_0, DIGIT_9, CLOSED, OPENED] = [..."09}{"].map((sign) => sign.charCodeAt(0)) as [
  number,
  number,
  number,
  number,
];

/**
 * Reads records as the database writes them: `12{3,4}13{}`, a position and its words.
 * @param full is told whenever the maker is full
 */
export function readRecords(text: string, maker: BlockMaker, full: () => void): void {
  let number = 0;
  let isNumber = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign >= DIGIT_0 && sign <= DIGIT_9) {
      number = number * 10 + (sign - DIGIT_0);
      isNumber = true;
      continue;
    }
    if (sign === OPENED) maker.begin(number);
    else if (isNumber) maker.add(number);
    number = 0;
    isNumber = false;
    if (sign === CLOSED && maker.isFull) full();
  }
}
