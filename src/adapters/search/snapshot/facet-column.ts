/** The values of one facet field in all records, packed into arrays so that they can be counted quickly over many hits. */
import { type Bits, hasBit } from "./bitset.ts";

/** How many records have a value, which is given by its number (`facet-terms.ts`). */
export type TermCount = { term: number; n: number };

/** With more changed records than this, the column is packed again. */
const MOST_CHANGED = 5_000;

export class Column {
  /** For each position, the index in `values` of its first value. Its values end where those of the next position begin. */
  private starts: Int32Array;
  /** Codes: indexes in `terms`. */
  private values: Int32Array;
  /** How often each code occurs. */
  private totals: Int32Array;
  /** No position from this one on has values. */
  private end: number;
  private readonly terms: number[] = [];
  private readonly codes = new Map<number, number>();
  private readonly changed = new Map<number, readonly number[]>();

  /** @param pairs position and term of each value, four bytes each, big-endian */
  constructor(positions: number, pairs: Uint8Array) {
    const view = new DataView(pairs.buffer, pairs.byteOffset, pairs.byteLength);
    this.starts = new Int32Array(positions + 1);
    this.values = new Int32Array(pairs.length / 8);
    let last = -1;
    for (let at = 0; at < pairs.length; at += 8) {
      const position = view.getInt32(at);
      this.starts[position + 1]! += 1;
      last = Math.max(last, position);
    }
    this.end = last + 1;
    for (let position = 0; position < positions; position++)
      this.starts[position + 1]! += this.starts[position]!;
    const next = this.starts.slice();
    for (let at = 0; at < pairs.length; at += 8) {
      const index = next[view.getInt32(at)]!++;
      this.values[index] = this.code(view.getInt32(at + 4));
    }
    this.totals = new Int32Array(this.terms.length);
    for (const code of this.values) this.totals[code]! += 1;
  }

  get bytes(): number {
    return this.starts.byteLength + this.values.byteLength + this.totals.byteLength;
  }

  private code(term: number): number {
    let code = this.codes.get(term);
    if (code === undefined) {
      code = this.terms.length;
      this.codes.set(term, code);
      this.terms.push(term);
    }
    return code;
  }

  change(position: number, terms: readonly number[]): void {
    this.changed.set(
      position,
      terms.map((term) => this.code(term)),
    );
    if (this.changed.size > MOST_CHANGED) this.pack();
  }

  private pack(): void {
    const { changed, starts, values } = this;
    const end = Math.max(this.end, ...Array.from(changed.keys(), (position) => position + 1));
    const own = (position: number) =>
      changed.get(position) ??
      (position < this.end ? values.subarray(starts[position]!, starts[position + 1]!) : []);
    const next = new Int32Array(end + 1);
    for (let position = 0; position < end; position++)
      next[position + 1] = next[position]! + own(position).length;
    const packed = new Int32Array(next[end]!);
    for (let position = 0; position < end; position++) packed.set(own(position), next[position]!);
    this.starts = next;
    this.values = packed;
    this.end = end;
    this.totals = new Int32Array(this.terms.length);
    for (const code of packed) this.totals[code]! += 1;
    changed.clear();
  }

  /**
   * How often each term occurs in these `n` records. If these are more than half, the other records are counted and
   * subtracted from the totals.
   */
  count(records: Bits, n: number): TermCount[] {
    const { starts, values, changed, totals, end } = this;
    const counts = new Int32Array(this.terms.length);
    const areMost = n * 2 > end;
    const step = areMost ? -1 : 1;
    if (areMost) counts.set(totals);
    // written out, because a function call for each record would take most of the time
    for (let at = 0; at << 5 < end; at++) {
      for (let word = areMost ? ~records[at]! : records[at]!; word !== 0; word &= word - 1) {
        const position = (at << 5) + 31 - Math.clz32(word & -word);
        if (position >= end) break;
        const next = starts[position + 1]!;
        for (let index = starts[position]!; index < next; index++) counts[values[index]!]! += step;
      }
    }
    for (const [position, codes] of changed) {
      if (!hasBit(records, position)) continue;
      for (let index = starts[position]!; index < starts[position + 1]!; index++)
        counts[values[index]!]! -= 1;
      for (const code of codes) counts[code]! += 1;
    }
    return this.terms.flatMap((term, code) => (counts[code]! > 0 ? [{ term, n: counts[code]! }] : []));
  }
}
