/** Counts the values that `regex_extract` or `convert` left out, by column and target. Often this is intended. */

import { type Said, said } from "../../messages/said.ts";
import { brief, shortColumn } from "../mapping/targets.ts";
import type { RowOutcome } from "../options.ts";
import { item } from "./counts.ts";

/** How many columns and targets are shown, except in the whole report. */
const SHOWN = 20;

/** `kept`: how many of the values are in another field. The example (`line`, `value`) is one that is in none, if possible. */
type Unmatched = {
  column: string;
  target: string;
  count: number;
  kept: number;
  line: number;
  value: string;
};

export function createUnmatched() {
  const all = new Map<string, Unmatched>();
  return {
    take({ row, mapped }: RowOutcome): void {
      const kept = [...Object.values(mapped.fields).flat(), ...mapped.relations].map(({ value }) => value);
      for (const { column, target, value } of mapped.unmatched) {
        const key = `${column}\n${target}`;
        const entry = all.get(key) ?? { column, target, count: 0, kept: 0, line: 0, value: "" };
        all.set(key, entry);
        const isKept = kept.some((one) => one.includes(value.trim()));
        const isBetter = entry.count === 0 || (!isKept && entry.kept === entry.count);
        // a copy, because a slice would keep the whole value in memory
        if (isBetter) Object.assign(entry, structuredClone({ line: row.line, value: value.slice(0, 200) }));
        entry.count += 1;
        if (isKept) entry.kept += 1;
      }
    },

    lines(dryRun: boolean, most = SHOWN): Said[] {
      if (all.size === 0) return [];
      const lines = [...all.values()].slice(0, most).map(lineOf);
      const more = all.size - lines.length;
      return [
        said(dryRun ? "job.report.would_not_match" : "job.report.unmatched"),
        ...lines,
        ...(more > 0 ? [item("job.report.more_places", { count: more })] : []),
      ];
    },

    json: () => [...all.values()],
  };
}

function lineOf({ column, target, count, kept, value, line }: Unmatched): Said {
  const became = kept === 0 ? "lost" : kept === count ? "kept" : "partly_kept";
  const example = { value: brief(value), line: String(line) };
  return item(`job.report.unmatched_${became}`, {
    ...example,
    column: shortColumn(column),
    target,
    count,
    kept,
  });
}
