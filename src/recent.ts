/** Keeps in memory what was asked for lately, at most twice `size`: what nobody asked for since is forgotten first. */
export class Recent<K, V> {
  private readonly size: number;
  private young = new Map<K, V>();
  private old = new Map<K, V>();

  constructor(size: number) {
    this.size = size;
  }

  get(key: K): V | undefined {
    const known = this.young.get(key);
    if (known !== undefined) return known;
    const older = this.old.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: K, value: V): void {
    if (this.young.size >= this.size) {
      this.old = this.young;
      this.young = new Map();
    }
    this.young.set(key, value);
  }

  /** What stands there, or what is made now. */
  getOr(key: K, make: () => V): V {
    const known = this.get(key);
    if (known !== undefined) return known;
    const made = make();
    this.set(key, made);
    return made;
  }
}
