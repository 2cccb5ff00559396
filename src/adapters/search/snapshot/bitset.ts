/** Sets of record positions, one bit each. All sets of a snapshot have the same length. */
export type Bits = Uint32Array;

export const bitsFor = (positions: number): Bits => new Uint32Array((positions + 31) >>> 5);

/** @param packed positions in four bytes each, big-endian; positions beyond the length of the set are ignored */
export function bitsOf(positions: number, packed: Uint8Array): Bits {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const bits = bitsFor(positions);
  for (let at = 0; at < packed.length; at += 4) {
    const position = view.getInt32(at);
    if (position < positions) setBit(bits, position, true);
  }
  return bits;
}

export function hasBit(bits: Bits, position: number): boolean {
  return ((bits[position >>> 5]! >>> (position & 31)) & 1) === 1;
}

export function setBit(bits: Bits, position: number, isIn: boolean): void {
  const mask = 1 << (position & 31);
  if (isIn) bits[position >>> 5]! |= mask;
  else bits[position >>> 5]! &= ~mask;
}

/** Keeps in `bits` only what is also in the other set. */
export function intersect(bits: Bits, other: Bits): void {
  for (let at = 0; at < bits.length; at++) bits[at]! &= other[at]!;
}

/** Removes from `bits` what is in the other set. */
export function subtract(bits: Bits, other: Bits): void {
  for (let at = 0; at < bits.length; at++) bits[at]! &= ~other[at]!;
}

/** Adds to `bits` what is in the other set. */
export function unite(bits: Bits, other: Bits): void {
  for (let at = 0; at < bits.length; at++) bits[at]! |= other[at]!;
}

export function countBits(bits: Bits): number {
  let n = 0;
  for (let at = 0; at < bits.length; at++) {
    let word = bits[at]!;
    word -= (word >>> 1) & 0x55555555;
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
    n += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return n;
}
