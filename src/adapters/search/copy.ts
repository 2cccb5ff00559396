/** What a process holds of the index in its memory: who and what each record is, and of their words and values what was asked for. */
import type { SearchScope } from "../../search-index.ts";
import { type Bits, bitsFor, has, put, wider } from "./bits.ts";
import { Column } from "./column.ts";
import { collectionStatusLetter, kindLetter, statusLetter } from "./letters.ts";
import { SLOTS } from "./slots.ts";

/** Bytes of sets, and of columns, that are kept; those asked for least recently go first. */
const MOST_BYTES = 64_000_000;
/** Of a set besides its bits, about: for itself, and for each number that it stands for. */
const SET_BYTES = 1_000;
const NUMBER_BYTES = 50;
/** Records times sets that are gone through for changes: with more, sets are read anew when they are asked for again. */
const MOST_FOLLOWED = 50_000;
/** Scopes whose records are kept. */
const MOST_SCOPES = 50;
const ID_BYTES = 16;
/** Of a record in what the constructor is given: number, id, three letters. */
const ROW_BYTES = 4 + ID_BYTES + 3;

/** A record as the place has it now; `no` is null when it has it no more. */
export type ChangedRow = {
  id: string;
  no: number | null;
  record_type: string;
  status: string;
  collection_status: string;
  terms: number[];
  words: number[];
};

/** Records that have one of these words, or one of these terms. */
export type Asked = { of: "words" | "terms"; numbers: readonly number[] };

export const ofWords = (numbers: readonly number[]): Asked => ({ of: "words", numbers });

type KeptSet = { bits: Bits; asked: Asked; numbers: ReadonlySet<number>; bytes: number };

export const keyOf = ({ of, numbers }: Asked): string => `${of}:${numbers.join()}`;

export class Copy {
  /** Positions that there is room for; the number of a record is its position. */
  room: number;
  private ids: Uint8Array;
  /** Three letters of each position: type, status, collection status; 0 where there is no record. */
  private letters: Uint8Array;
  /** Positions by id, the oldest first. */
  private order: Int32Array;
  private size = 0;
  private readonly columns = new Map<number, Column>();
  private readonly sets = new Map<string, KeptSet>();
  private readonly scopes = new Map<string, Bits>();

  /** @param rows records in the order of their ids, packed */
  constructor(rows: Uint8Array) {
    const view = new DataView(rows.buffer, rows.byteOffset, rows.byteLength);
    let last = 0;
    for (let at = 0; at < rows.length; at += ROW_BYTES) last = Math.max(last, view.getInt32(at));
    this.room = roomFor(last);
    this.ids = new Uint8Array(this.room * ID_BYTES);
    this.letters = new Uint8Array(this.room * 3);
    this.order = new Int32Array(this.room);
    for (let at = 0; at < rows.length; at += ROW_BYTES) {
      const position = view.getInt32(at);
      this.ids.set(rows.subarray(at + 4, at + 20), position * ID_BYTES);
      this.letters.set(rows.subarray(at + 20, at + 23), position * 3);
      this.order[this.size++] = position;
    }
  }

  hasColumn(field: number): boolean {
    return this.columns.has(field);
  }

  column(field: number): Column {
    return asLatest(this.columns, field);
  }

  addColumn(field: number, pairs: Uint8Array): void {
    this.columns.set(field, new Column(this.room, pairs));
  }

  hasSet(asked: Asked): boolean {
    return this.sets.has(keyOf(asked));
  }

  addSet(asked: Asked, bits: Bits): void {
    const { numbers } = asked;
    const bytes = bits.byteLength + SET_BYTES + numbers.length * NUMBER_BYTES;
    this.sets.set(keyOf(asked), { bits, asked, numbers: new Set(numbers), bytes });
  }

  set(asked: Asked): Bits {
    return asLatest(this.sets, keyOf(asked)).bits;
  }

  /** Between questions: what is asked for at the moment is all there, however much it is. */
  forgetOld(): void {
    forgetOldest(this.sets);
    forgetOldest(this.columns);
  }

  /** The records that a scope lets find. */
  scope(scope: SearchScope): Bits {
    const key = JSON.stringify(scope);
    const known = this.scopes.get(key);
    if (known) return known;
    const codes = (letters: readonly string[]) => new Set(letters.map((letter) => letter.charCodeAt(0)));
    const kinds = codes(scope.recordTypes.map(kindLetter));
    // whatever was asked for: what the public finds is public
    const statuses = codes((scope.audience === "public" ? ["public"] : scope.statuses).map(statusLetter));
    const held = scope.collectionStatuses && codes(scope.collectionStatuses.map(collectionStatusLetter));
    const object = kindLetter("object").charCodeAt(0);
    const bits = bitsFor(this.room);
    for (let at = 0; at < this.size; at++) {
      const position = this.order[at]!;
      const kind = this.letters[position * 3]!;
      if (!kinds.has(kind) || !statuses.has(this.letters[position * 3 + 1]!)) continue;
      if (held && kind === object && !held.has(this.letters[position * 3 + 2]!)) continue;
      put(bits, position, true);
    }
    if (this.scopes.size >= MOST_SCOPES) this.scopes.clear();
    this.scopes.set(key, bits);
    return bits;
  }

  /** Ids of these records, the newest first. */
  newest(records: Bits, limit: number, offset: number): string[] {
    const ids: string[] = [];
    let passed = 0;
    for (let at = this.size - 1; at >= 0 && ids.length < limit; at--) {
      const position = this.order[at]!;
      if (!has(records, position)) continue;
      if (passed < offset) passed += 1;
      else ids.push(this.id(position));
    }
    return ids;
  }

  /** Those of these records that are here; their ids one behind another. */
  these(ids: Uint8Array): Bits {
    const bits = bitsFor(this.room);
    for (let at = 0; at < ids.length; at += ID_BYTES) {
      const id = ids.subarray(at, at + ID_BYTES);
      const place = this.placeOf(id);
      if (this.isAt(place, id)) put(bits, this.order[place]!, true);
    }
    return bits;
  }

  change(rows: readonly ChangedRow[]): void {
    if (rows.length === 0) return;
    this.scopes.clear();
    const last = rows.reduce((most, { no }) => Math.max(most, no ?? 0), 0);
    if (last >= this.room) this.grow(roomFor(last));
    for (const key of this.sets.keys()) {
      if (this.sets.size * rows.length <= MOST_FOLLOWED) break;
      this.sets.delete(key);
    }
    for (const row of rows) this.changeRow(row);
  }

  /** Sets are as long as there is room: they are made anew when they are asked for again. */
  private grow(room: number): void {
    this.room = room;
    this.ids = wider(this.ids, new Uint8Array(room * ID_BYTES));
    this.letters = wider(this.letters, new Uint8Array(room * 3));
    this.order = wider(this.order, new Int32Array(room));
    this.sets.clear();
  }

  private changeRow(row: ChangedRow): void {
    const id = bytesOf(row.id);
    const place = this.placeOf(id);
    const old = this.isAt(place, id) ? this.order[place]! : null;
    if (old !== null && old !== row.no) {
      this.order.copyWithin(place, place + 1, this.size);
      this.size -= 1;
      this.letters.fill(0, old * 3, old * 3 + 3);
    }
    if (row.no === null) return;
    if (old !== row.no) {
      this.order.copyWithin(place + 1, place, this.size);
      this.order[place] = row.no;
      this.size += 1;
      this.ids.set(id, row.no * ID_BYTES);
    }
    [row.record_type, row.status, row.collection_status].forEach((letter, at) => {
      this.letters[row.no! * 3 + at] = letter.charCodeAt(0);
    });
    for (const { bits, asked, numbers } of this.sets.values())
      put(
        bits,
        row.no,
        row[asked.of].some((number) => numbers.has(number)),
      );
    for (const [field, column] of this.columns) column.change(row.no, termsOf(row.terms, field));
  }

  /** Where the id stands in the order, or would. */
  private placeOf(id: Uint8Array): number {
    let low = 0;
    let high = this.size;
    // a new record is the newest of all
    if (high > 0 && this.compare(this.order[high - 1]!, id) < 0) return high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.compare(this.order[middle]!, id) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private isAt(place: number, id: Uint8Array): boolean {
    return place < this.size && this.compare(this.order[place]!, id) === 0;
  }

  private compare(position: number, id: Uint8Array): number {
    for (let at = 0; at < ID_BYTES; at++) {
      const difference = this.ids[position * ID_BYTES + at]! - id[at]!;
      if (difference !== 0) return difference;
    }
    return 0;
  }

  private id(position: number): string {
    return idAt(this.ids, position * ID_BYTES);
  }
}

/** Positions up to the last, and more that come. */
const roomFor = (last: number): number => Math.ceil((last + 1) * 1.25) + 4_096;

/** What stands under the key, which is the last to go from now on. */
function asLatest<K, T>(kept: Map<K, T>, key: K): T {
  const found = kept.get(key)!;
  kept.delete(key);
  kept.set(key, found);
  return found;
}

function forgetOldest<K>(kept: Map<K, { readonly bytes: number }>): void {
  let all = 0;
  for (const { bytes } of kept.values()) all += bytes;
  for (const [key, { bytes }] of kept) {
    if (all <= MOST_BYTES) return;
    kept.delete(key);
    all -= bytes;
  }
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

function idAt(ids: Uint8Array, from: number): string {
  let hex = "";
  for (let at = from; at < from + ID_BYTES; at++) hex += HEX[ids[at]!];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Ids that stand one behind another. */
export function idsOf(packed: Uint8Array): string[] {
  return Array.from({ length: packed.length / ID_BYTES }, (_, at) => idAt(packed, at * ID_BYTES));
}

export function packedIds(ids: readonly string[]): Uint8Array {
  const packed = new Uint8Array(ids.length * ID_BYTES);
  for (const [at, id] of ids.entries()) packed.set(bytesOf(id), at * ID_BYTES);
  return packed;
}

function bytesOf(id: string): Uint8Array {
  const hex = id.replaceAll("-", "");
  return Uint8Array.from({ length: ID_BYTES }, (_, at) => Number.parseInt(hex.slice(at * 2, at * 2 + 2), 16));
}

/** The terms of one field: one at its place, if it has one there, and those behind the places. */
function termsOf(terms: readonly number[], field: number): number[] {
  return terms.filter((term, at) => term >> 24 === field && term !== 0 && (at >= SLOTS || at === field - 1));
}
