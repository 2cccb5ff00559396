/** Reports values of `xml:lang` that are not language tags. Their texts were imported without a language. */
import { type Said, said } from "../../messages/said.ts";
import { brief } from "../mapping/targets.ts";
import type { RowOutcome } from "../options.ts";
import { andMore, countedUnits, item } from "../report/counts.ts";

/** How many are shown, except in the whole report. */
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
        else if (records.size < MOST) records.set(tag, { line: row.line, count: 1 });
      }
    },

    lines(most = SHOWN): Said[] {
      if (records.size === 0) return [];
      const lines = [...records].slice(0, most).map(([tag, { line, count: n }]) =>
        item("job.report.untagged_value", {
          value: brief(tag),
          records: countedUnits(n, "record"),
          line: String(line),
        }),
      );
      return [said("job.report.untagged"), ...lines, ...andMore(records.size, lines.length)];
    },

    json: () => [...records].map(([value, { line, count: n }]) => ({ value, records: n, line })),
  };
}
