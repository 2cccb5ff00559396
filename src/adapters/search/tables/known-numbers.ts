/** Numbers that never change, by the words or values that they stand for. Writers keep those that they have used. */

/** With more in memory than this, all are dropped and read again when they are needed. */
const MOST_KNOWN = 200_000;

type Numbering = {
  /** The numbers of these keys; undefined or 0 for those that have none. */
  read(keys: readonly string[]): Promise<readonly (number | undefined)[]>;
  /** Gives numbers to keys that have none, unless another process just does. */
  add(keys: readonly string[]): Promise<unknown>;
};

/** Returns the numbers of all these keys. Keys without a number get one. */
type NumbersOf = (keys: Iterable<string>) => Promise<(key: string) => number>;

export function knownNumbers({ read, add }: Numbering): NumbersOf {
  let known = new Map<string, number>();
  return async (keys) => {
    if (known.size > MOST_KNOWN) known = new Map();
    // another call may replace the map meanwhile
    const mine = known;
    const unknownOf = async (some: readonly string[]) => {
      const numbers = some.length === 0 ? [] : await read(some);
      some.forEach((key, at) => {
        if (numbers[at]) mine.set(key, numbers[at]);
      });
      return some.filter((key) => !mine.has(key));
    };
    const unknown = new Set<string>();
    for (const key of keys) if (!mine.has(key)) unknown.add(key);
    // all writers use the same order, so that no two block each other
    const missing = await unknownOf([...unknown].sort());
    if (missing.length > 0) {
      await add(missing);
      const [lost] = await unknownOf(missing);
      if (lost !== undefined) throw new Error(`${lost} was given no number`);
    }
    return (key) => mine.get(key)!;
  };
}
