/** Reports dates that could not be read; their rows were imported without them. */
import type { RowOutcome } from "./options.ts";
import { quoted } from "./targets.ts";

/** How many are shown; the others are only counted. */
const SHOWN = 5;

type Unread = { line: number; column: string; value: string };

export function createUnreadDates() {
  const first: Unread[] = [];
  let count = 0;
  /** How many of these texts are in another field of the record. */
  let kept = 0;
  let undated = 0;
  return {
    take({ row, mapped, result }: RowOutcome): void {
      if (result.outcome === "rejected" || result.outcome === "skipped") return;
      undated += mapped.undated ?? 0;
      for (const { column, value } of mapped.unread) {
        count += 1;
        const entries = Object.values(mapped.fields).flat();
        if (entries.some((entry) => entry.value.includes(value))) kept += 1;
        // a copy: the value is a slice of the file's text, which would stay in memory
        if (first.length < SHOWN) first.push(structuredClone({ line: row.line, column, value }));
      }
    },

    lines(dryRun: boolean): string[] {
      const none = `${number(undated)} ${undated === 1 ? "cell says" : "cells say"} that something is not dated`;
      const said = undated === 0 ? [] : [none];
      if (count === 0) return said;
      const shown = first.map(({ line, column, value }) => `  line ${line}, ${column}: ${quoted(value)}`);
      if (count > first.length) shown.push(`  … and ${number(count - first.length)} more`);
      const dates = `${number(count)} ${count === 1 ? "date was" : "dates were"} not understood`;
      const left = `${dates} and ${dryRun ? "would be " : ""}left out`;
      return [...said, `${left} (${whatBecame(count, kept)}):`, ...shown];
    },

    json: () => ({ count, kept_as_text: kept, undated, first }),
  };
}

function whatBecame(count: number, kept: number): string {
  const advice = 'map the column to a text field too, or refuse such rows with "strict": true';
  if (kept === 0) return advice;
  return kept === count
    ? "the text is kept in another field"
    : `the text of ${number(kept)} is kept in another field; ${advice}`;
}

function number(n: number): string {
  return n.toLocaleString("en");
}
