/** A table for the terminal: numbers to the right, everything else to the left. */
export function textTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  const numeric = head.map((_, column) => rows.every((row) => /^[\d.,\u{a0}\u{202f}]+$/u.test(row[column]!)));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell[numeric[column] ? "padStart" : "padEnd"](widths[column]!))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
