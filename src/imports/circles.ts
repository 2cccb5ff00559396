/** Rows that wait for each other: none can be first, so one batch takes those of a circle together. */
import type { RowOptions } from "./items.ts";
import type { MappedRow } from "./row.ts";
import { type NumberedRow, namesOf, wishesOf } from "./ties.ts";

/**
 * The rows in batches of `most` at most, those that name each other in one; only a circle that is larger than a batch
 * is parted.
 */
export function besideEachOther(
  rows: readonly NumberedRow[],
  mapped: readonly MappedRow[],
  options: Pick<RowOptions, "idnoStrategy">,
  most: number,
): NumberedRow[][] {
  const owner = new Map<string, number>();
  mapped.forEach((row, n) => {
    for (const name of namesOf(row, options)) if (!owner.has(name)) owner.set(name, n);
  });
  const above = rows.map((_, n) => n);
  const top = (n: number): number => {
    let at = n;
    while (above[at] !== at) at = above[at] = above[above[at]!]!;
    return at;
  };
  mapped.forEach((row, n) => {
    for (const wish of wishesOf(row)) above[top(n)] = top(owner.get(wish) ?? n);
  });
  const circles = new Map<number, NumberedRow[]>();
  rows.forEach((row, n) => {
    const circle = circles.get(top(n));
    if (circle) circle.push(row);
    else circles.set(top(n), [row]);
  });
  const batches: NumberedRow[][] = [];
  const batch: NumberedRow[] = [];
  for (const circle of circles.values()) {
    if (batch.length > 0 && batch.length + circle.length > most) batches.push(batch.splice(0));
    batch.push(...circle);
    while (batch.length > most) batches.push(batch.splice(0, most));
  }
  return batch.length > 0 ? [...batches, batch] : batches;
}
