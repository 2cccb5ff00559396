/**
 * Parts of the index in memory: the id, kind, status and collection status of every record and,
 * for words and facets that were searched for, the sets of records that have them and the columns of facet fields.
 * A record's number in the index (`no`) is its position in all of these.
 */
import { LruCache } from "../../../lru-cache.ts";
import type { SearchScope } from "../../../ports/search-index.ts";
import {
  bytesOf,
  collectionStatusCode,
  ID_BYTES,
  idAt,
  kindCode,
  statusCode,
} from "../tables/packed-rows.ts";
import { type Bits, bitsFor, hasBit, setBit, unite } from "./bitset.ts";
import { Column } from "./facet-column.ts";

/** The most bytes of all sets, and again of all columns. The least recently used are dropped first. */
const MOST_BYTES = 64_000_000;
/** Estimated bytes that a set takes besides its bits: for itself, and for each of its words or values. */
const SET_BYTES = 1_000;
const NUMBER_BYTES = 50;
/** Changed records × sets. With more, sets are dropped instead of updated. */
const MOST_UPDATES = 50_000;
/** Scopes whose sets of records are kept. */
const MOST_SCOPES = 50;
/** Room for new records, besides a quarter of the records. */
const MORE_ROOM = 4_096;
/** A record in the constructor's input: number, id, three codes. */
export const ROW_BYTES = 4 + ID_BYTES + 3;

/** A record as it is in the index now; `no` is null if it has been removed. */
export type ChangedRow = {
  id: string;
  no: number | null;
  record_type: string;
  status: string;
  collection_status: string;
  terms: number[];
  words: number[];
};

/** Names the set of the records that have one of these words, or one of these facet values. */
export type SetName = { of: "words" | "terms"; numbers: readonly number[] };

export const ofWords = (numbers: readonly number[]): SetName => ({ of: "words", numbers });

type KeptSet = { bits: Bits; name: SetName; numbers: ReadonlySet<number> };

const bytesOfSet = ({ bits, numbers }: KeptSet): number =>
  bits.byteLength + SET_BYTES + numbers.size * NUMBER_BYTES;

const keyOf = ({ of, numbers }: SetName): string => `${of}:${numbers.join()}`;

export class Snapshot {
  /** Number of positions, including unused ones for new records. */
  readonly room: number;
  private readonly ids: Uint8Array;
  /** Three bytes for each position: codes of kind, status and collection status; 0 if there is no record. */
  private readonly codes: Uint8Array;
  /** Positions of the records in order of their ids, which is oldest first. */
  private readonly order: Int32Array;
  private size = 0;
  private readonly columns = new LruCache<number, Column>(MOST_BYTES, ({ bytes }) => bytes);
  /** For columns that are being read: the terms of records that have changed since, by position. */
  private readonly coming = new Map<number, Map<number, number[]>>();
  private readonly sets = new LruCache<string, KeptSet>(MOST_BYTES, bytesOfSet);
  private scopes = new LruCache<string, Bits>(MOST_SCOPES);

  /** @param rows records in the order of their ids, packed */
  constructor(rows: Uint8Array) {
    const view = new DataView(rows.buffer, rows.byteOffset, rows.byteLength);
    let last = 0;
    for (let at = 0; at < rows.length; at += ROW_BYTES) last = Math.max(last, view.getInt32(at));
    this.room = Math.ceil((last + 1) * 1.25) + MORE_ROOM;
    this.ids = new Uint8Array(this.room * ID_BYTES);
    this.codes = new Uint8Array(this.room * 3);
    this.order = new Int32Array(this.room);
    for (let at = 0; at < rows.length; at += ROW_BYTES) {
      const position = view.getInt32(at);
      this.ids.set(rows.subarray(at + 4, at + 20), position * ID_BYTES);
      this.codes.set(rows.subarray(at + 20, at + 23), position * 3);
      this.order[this.size++] = position;
    }
  }

  hasColumn(field: number): boolean {
    return this.columns.get(field) !== undefined;
  }

  column(field: number): Column {
    const column = this.columns.get(field)!;
    // measured again, because it grows with the changes
    this.columns.add(field, column);
    return column;
  }

  /** Call it before the column is read while other changes are applied. */
  expectColumn(field: number): void {
    this.coming.set(field, new Map());
  }

  addColumn(field: number, pairs: Uint8Array): void {
    const column = new Column(this.room, pairs);
    for (const [position, terms] of this.coming.get(field) ?? []) column.change(position, terms);
    this.coming.delete(field);
    this.columns.add(field, column);
  }

  hasSet(name: SetName): boolean {
    return this.sets.get(keyOf(name)) !== undefined;
  }

  addSet(name: SetName, bits: Bits): void {
    this.sets.add(keyOf(name), { bits, name, numbers: new Set(name.numbers) });
  }

  set(name: SetName): Bits {
    return this.sets.get(keyOf(name))!.bits;
  }

  /** Drops what exceeds the limits. Call it between questions, since one question may need more than is kept. */
  forgetOld(): void {
    this.sets.trim();
    this.columns.trim();
  }

  /** The records in a scope. */
  scope(scope: SearchScope): Bits {
    return this.scopes.getOr(JSON.stringify(scope), () => this.inScope(scope));
  }

  private inScope(scope: SearchScope): Bits {
    const codes = (all: readonly string[]) => new Set(all.map((code) => code.charCodeAt(0)));
    const kinds = codes(scope.recordTypes.map(kindCode));
    // visitors find only public records, whatever statuses the scope names
    const statuses = codes((scope.audience === "public" ? ["public"] : scope.statuses).map(statusCode));
    const collectionStatuses =
      scope.collectionStatuses && codes(scope.collectionStatuses.map(collectionStatusCode));
    const object = kindCode("object").charCodeAt(0);
    const bits = bitsFor(this.room);
    for (let at = 0; at < this.size; at++) {
      const position = this.order[at]!;
      const kind = this.codes[position * 3]!;
      if (!kinds.has(kind) || !statuses.has(this.codes[position * 3 + 1]!)) continue;
      if (collectionStatuses && kind === object && !collectionStatuses.has(this.codes[position * 3 + 2]!))
        continue;
      setBit(bits, position, true);
    }
    return bits;
  }

  /** The records that are in at least one of these scopes. */
  inScopes(scopes: readonly SearchScope[]): Bits {
    const bits = bitsFor(this.room);
    for (const scope of scopes) unite(bits, this.scope(scope));
    return bits;
  }

  /** Ids of these records, the newest first; ids are in the order of creation. */
  newest(records: Bits, limit: number, offset = 0): string[] {
    const ids: string[] = [];
    let passed = 0;
    for (let at = this.size - 1; at >= 0 && ids.length < limit; at--) {
      const position = this.order[at]!;
      if (!hasBit(records, position)) continue;
      if (passed < offset) passed += 1;
      else ids.push(this.id(position));
    }
    return ids;
  }

  /** @param ids packed; ids that the index does not contain are ignored */
  recordsById(ids: Uint8Array): Bits {
    const bits = bitsFor(this.room);
    for (let at = 0; at < ids.length; at += ID_BYTES) {
      const id = ids.subarray(at, at + ID_BYTES);
      const index = this.indexOf(id);
      if (this.isAt(index, id)) setBit(bits, this.order[index]!, true);
    }
    return bits;
  }

  /** Applies the changes. Returns false if a new snapshot is needed, because this one has no room for new records. */
  change(rows: readonly ChangedRow[]): boolean {
    if (rows.some(({ no }) => no !== null && no >= this.room)) return false;
    if (rows.length > 0) this.scopes = new LruCache(MOST_SCOPES);
    for (const [key] of this.sets) {
      if (this.sets.size * rows.length <= MOST_UPDATES) break;
      this.sets.delete(key);
    }
    for (const row of rows) this.changeRow(row);
    return true;
  }

  private changeRow(row: ChangedRow): void {
    const id = bytesOf(row.id);
    const index = this.indexOf(id);
    const old = this.isAt(index, id) ? this.order[index]! : null;
    if (old !== null && old !== row.no) {
      this.order.copyWithin(index, index + 1, this.size);
      this.size -= 1;
      this.codes.fill(0, old * 3, old * 3 + 3);
    }
    if (row.no === null) return;
    if (old !== row.no) {
      this.order.copyWithin(index + 1, index, this.size);
      this.order[index] = row.no;
      this.size += 1;
      this.ids.set(id, row.no * ID_BYTES);
    }
    [row.record_type, row.status, row.collection_status].forEach((code, at) => {
      this.codes[row.no! * 3 + at] = code.charCodeAt(0);
    });
    for (const [, { bits, name, numbers }] of this.sets)
      setBit(
        bits,
        row.no,
        row[name.of].some((number) => numbers.has(number)),
      );
    const termsOf = (field: number) => row.terms.filter((term) => term >> 24 === field);
    for (const [field, column] of this.columns) column.change(row.no, termsOf(field));
    for (const [field, changes] of this.coming) changes.set(row.no, termsOf(field));
  }

  /** Index in `order` at which the id is, or would have to be inserted. */
  private indexOf(id: Uint8Array): number {
    let low = 0;
    let high = this.size;
    // usual case: a new record is the newest of all
    if (high > 0 && this.compare(this.order[high - 1]!, id) < 0) return high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.compare(this.order[middle]!, id) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private isAt(index: number, id: Uint8Array): boolean {
    return index < this.size && this.compare(this.order[index]!, id) === 0;
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
