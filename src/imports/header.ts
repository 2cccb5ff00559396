/** A mapping held against the header of a file, before any row is read. */
import type { Fault } from "../problem.ts";
import type { Mapping } from "./mapping.ts";
import { quoted } from "./targets.ts";

/** Every column that the mapping names (in templates too) and the file lacks, with the most similar name it has. */
export function checkHeader(mapping: Mapping, header: readonly string[]): Fault[] {
  const known = new Set(header);
  const faults = new Map<string, Fault>();
  for (const { column, pointer, transforms } of mapping) {
    const named = [
      [column, pointer.replace(/^(\/[^/]*).*$/, "$1")],
      ...transforms.flatMap(({ columns }) => columns.map((name) => [name, pointer])),
    ];
    for (const [name, at] of named as [string, string][]) {
      if (known.has(name)) continue;
      const near = nearest(name, header);
      const hint = near === undefined ? "" : `; did you mean ${quoted(near)}?`;
      faults.set(`${at} ${name}`, { pointer: at, detail: `the file has no column ${quoted(name)}${hint}` });
    }
  }
  return [...faults.values()];
}

/** The columns of the file that the mapping does not use, for a preview to name. */
export function unusedColumns(mapping: Mapping, header: readonly string[]): string[] {
  const used = new Set(
    mapping.flatMap(({ column, transforms }) => [column, ...transforms.flatMap(({ columns }) => columns)]),
  );
  return header.filter((name) => !used.has(name));
}

/** The name that takes the fewest changes of a letter, unless more than a third of the letters would change. */
function nearest(name: string, header: readonly string[]): string | undefined {
  const plain = (text: string) => text.toLowerCase().replace(/[\s_.-]+/g, "");
  let best: { name: string; distance: number } | undefined;
  for (const candidate of header) {
    const [a, b] = [plain(name), plain(candidate)];
    const distance = changes(a.slice(0, 100), b.slice(0, 100));
    if (distance > Math.max(a.length, b.length) / 3) continue;
    if (best === undefined || distance < best.distance) best = { name: candidate, distance };
  }
  return best?.name;
}

/** Levenshtein's distance. */
function changes(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + same));
    }
    row = next;
  }
  return row[b.length]!;
}
