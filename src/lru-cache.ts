/** A cache in memory. When it is full, the entries that were used longest ago go first. */
export class LruCache<K, V> {
  readonly #entries = new Map<K, { value: V; size: number }>();
  readonly #room: number;
  readonly #sizeOf: (value: V) => number;
  #full = 0;

  /** @param room the number of entries, or the sum of their sizes if `sizeOf` is given */
  constructor(room: number, sizeOf: (value: V) => number = () => 1) {
    this.#room = room;
    this.#sizeOf = sizeOf;
  }

  get(key: K): V | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: K, value: V): void {
    this.add(key, value);
    this.trim();
  }

  /** Like `set`, but the cache may then be too full until `trim` is called. */
  add(key: K, value: V): void {
    this.delete(key);
    const size = this.#sizeOf(value);
    this.#entries.set(key, { value, size });
    this.#full += size;
  }

  /** Drops the oldest entries until the others have room. */
  trim(): void {
    for (const oldest of this.#entries.keys()) {
      if (this.#full <= this.#room) break;
      this.delete(oldest);
    }
  }

  /** The kept value, or the one that is made now. */
  getOr(key: K, make: () => V): V {
    const known = this.get(key);
    if (known !== undefined) return known;
    const made = make();
    this.set(key, made);
    return made;
  }

  delete(key: K): void {
    this.#full -= this.#entries.get(key)?.size ?? 0;
    this.#entries.delete(key);
  }

  /** The number of entries. */
  get size(): number {
    return this.#entries.size;
  }

  /** All entries, the oldest first. They do not become younger by this. */
  *[Symbol.iterator](): Generator<[K, V]> {
    for (const [key, { value }] of this.#entries) yield [key, value];
  }
}
