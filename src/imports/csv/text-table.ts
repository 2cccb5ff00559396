/** A table for the terminal, with numbers aligned to the right and everything else to the left. */
export function textTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  const numeric = head.map((_, column) => rows.every((row) => /^[\d.,\u{a0}\u{202f}]*$/u.test(row[column]!)));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell[numeric[column] ? "padStart" : "padEnd"](widths[column]!))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

const WIDTH = 76;

/** Shortens a text to one line. Returns a copy, because a slice would keep the whole value in memory. */
export function short(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return structuredClone(line.length > WIDTH ? `${line.slice(0, WIDTH - 1)}…` : line);
}
