/** What an import remembers of each row in memory that does not grow, or by a bit a row. */

/** Places of a text in the sieve. */
const PLACES = 8;

/**
 * A set of texts that takes 16 MiB, however many they are. It may err to "there already": among two million texts on one
 * in twenty million.
 */
export class Sieve {
  readonly #bits = new Uint32Array(2 ** 22);

  /** Answers whether the text was there already. */
  add(text: string): boolean {
    let there = true;
    for (const place of places(text)) {
      const bit = 1 << (place & 31);
      if ((this.#bits[place >>> 5]! & bit) === 0) there = false;
      this.#bits[place >>> 5]! |= bit;
    }
    return there;
  }

  has(text: string): boolean {
    return places(text).every((place) => (this.#bits[place >>> 5]! & (1 << (place & 31))) !== 0);
  }
}

/** Places among 2^27, from two hashes (FNV-1a and a relative of it). */
function places(text: string): number[] {
  let a = 0x811c9dc5;
  let b = 0x2f0b4c47;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x5bd1e995);
    b ^= b >>> 15;
  }
  a ^= a >>> 16;
  // odd, so that no two places are the same
  b |= 1;
  return Array.from({ length: PLACES }, (_, n) => (a + Math.imul(n, b)) >>> 5);
}

/** A set of row numbers: a bit for each row of the file. */
export class RowSet {
  #bits = new Uint8Array(1024);
  size = 0;

  add(row: number): void {
    if (this.has(row)) return;
    if (row >>> 3 >= this.#bits.length) {
      const more = new Uint8Array(Math.max(2 * this.#bits.length, (row >>> 3) + 1));
      more.set(this.#bits);
      this.#bits = more;
    }
    this.#bits[row >>> 3]! |= 1 << (row & 7);
    this.size += 1;
  }

  has(row: number): boolean {
    return ((this.#bits[row >>> 3] ?? 0) & (1 << (row & 7))) !== 0;
  }
}
