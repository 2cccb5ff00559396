/** A set in which an import remembers something about each row, in memory of fixed size. */

/** Bits per text. */
const PLACES = 8;

/**
 * A set of texts that takes 16 MiB, however many they are. It may say "present" for a text that was never added: with two
 * million texts, for one in twenty million.
 */
export class BloomFilter {
  readonly #bits = new Uint32Array(2 ** 22);

  /** Returns whether the text was in the set already. */
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

/** Bit positions below 2^27, from two hashes (FNV-1a and a variant of it). */
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
  // odd, so that all positions differ
  b |= 1;
  return Array.from({ length: PLACES }, (_, n) => (a + Math.imul(n, b)) >>> 5);
}
