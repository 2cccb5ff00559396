/** Reports values of `xml:lang` that are not language tags: the texts were imported without a language. */
import { count, counted } from "./counts.ts";
import type { RowOutcome } from "./options.ts";
import { quoted } from "./targets.ts";

/** How many are shown; the others are only counted. */
const SHOWN = 5;
/** How many different values are counted. */
const MOST = 100;

export function createUntagged() {
  const records = new Map<string, { line: number; count: number }>();
  return {
    take({ row, result }: RowOutcome): void {
      if (result.outcome === "rejected" || result.outcome === "skipped") return;
      for (const value of row.untagged ?? []) {
        const tag = value.slice(0, 80);
        const known = records.get(tag);
        if (known) known.count += 1;
        // a copy: the value is a slice of the file's text, which would stay in memory
        else if (records.size < MOST) records.set(structuredClone(tag), { line: row.line, count: 1 });
      }
    },

    lines(): string[] {
      if (records.size === 0) return [];
      const lines = [...records].map(
        ([tag, { line, count: n }]) =>
          `  ${quoted(tag)} in ${counted(n, "record")}, the first in line ${line}`,
      );
      const more = lines.length > SHOWN ? [`  … and ${count(lines.length - SHOWN)} others`] : [];
      return [
        "Values of xml:lang that are not language tags (BCP 47) were left out:",
        ...lines.slice(0, SHOWN),
        ...more,
      ];
    },

    json: () => [...records].map(([value, { line, count: n }]) => ({ value, records: n, line })),
  };
}
