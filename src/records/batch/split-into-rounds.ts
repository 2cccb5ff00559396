/** Splits items that may concern the same record, so that the second is saved after the first and sees its result. */

/** The indexes of the items in rounds, to be saved one after the other: items of one round have no key in common. */
export function splitIntoRounds<T>(items: readonly T[], keysOf: (item: T) => readonly string[]): number[][] {
  const rounds: number[][] = [];
  const roundOf = new Map<string, number>();
  items.forEach((item, index) => {
    const keys = keysOf(item);
    const round = 1 + Math.max(-1, ...keys.map((key) => roundOf.get(key) ?? -1));
    for (const key of keys) roundOf.set(key, round);
    const members = rounds[round] ?? [];
    members.push(index);
    rounds[round] = members;
  });
  return rounds;
}
