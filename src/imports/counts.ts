/** Numbers in the reports of imports. */

/** `3 rows`, `1 record`. */
export function counted(n: number, unit: string): string {
  return `${count(n)} ${n === 1 ? unit : `${unit}s`}`;
}

export function count(n: number): string {
  return Math.round(n).toLocaleString("en");
}
