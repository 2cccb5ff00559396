/** A cache in memory: when it is full, what was asked for longest ago goes first. */
export class LruCache<K, V> {
  readonly #entries = new Map<K, { value: V; size: number }>();
  readonly #room: number;
  readonly #sizeOf: (value: V) => number;
  #full = 0;

  /** `room`: so many entries, or the sum of their sizes. */
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
    this.#drop(key);
    const size = this.#sizeOf(value);
    this.#entries.set(key, { value, size });
    this.#full += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#full <= this.#room) break;
      this.#drop(oldest);
    }
  }

  /** What is kept, or what is made now. */
  getOr(key: K, make: () => V): V {
    const known = this.get(key);
    if (known !== undefined) return known;
    const made = make();
    this.set(key, made);
    return made;
  }

  #drop(key: K): void {
    this.#full -= this.#entries.get(key)?.size ?? 0;
    this.#entries.delete(key);
  }
}
