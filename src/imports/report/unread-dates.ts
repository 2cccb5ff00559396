/** Reports dates that were left out because they could not be read, and dates that can be read in more than one way. */
import { anyOf, type Said, said } from "../../messages/said.ts";
import type { DoubtedDate } from "../mapping/mapped-row.ts";
import { brief } from "../mapping/targets.ts";
import type { RowOutcome } from "../options.ts";
import { item, LISTED, listOfLines, listUnder, MOST_LINES } from "./counts.ts";

/** How many are shown, except in the whole report. */
const SHOWN = 5;

type Unread = { line: number; column: string; value: string };

export function createUnreadDates() {
  const first: Unread[] = [];
  let count = 0;
  const doubted = { count: 0, first: [] as ({ line: number } & DoubtedDate)[] };
  /** How many of these texts another field of the record has. */
  let kept = 0;
  const undated = { count: 0, words: new Set<string>() };
  /** Cells that say so of records that keep their date; the line of the first. */
  const dated = { count: 0, lines: [] as number[] };
  return {
    take({ row, mapped }: RowOutcome): void {
      for (const { value, keepsDate } of mapped.undated ?? []) {
        undated.count += 1;
        if (undated.words.size < LISTED) undated.words.add(brief(value));
        if (!keepsDate) continue;
        dated.count += 1;
        if (dated.lines.length <= MOST_LINES) dated.lines.push(row.line);
      }
      for (const date of mapped.doubted ?? []) {
        doubted.count += 1;
        if (doubted.first.length < LISTED) doubted.first.push({ line: row.line, ...date });
      }
      for (const { column, value } of mapped.unread) {
        count += 1;
        const entries = Object.values(mapped.fields).flat();
        if (entries.some((entry) => entry.value.includes(value))) kept += 1;
        if (first.length < LISTED) first.push({ line: row.line, column, value });
      }
    },

    lines(dryRun: boolean, most = SHOWN): Said[] {
      const words = [...undated.words].slice(0, most).join(", ") + (undated.words.size > most ? " …" : "");
      const lines = undated.count === 0 ? [] : [said("job.report.undated", { count: undated.count, words })];
      if (dated.count > 0)
        lines.push(item("job.report.undated_kept", { count: dated.count, lines: listOfLines(dated.lines) }));
      lines.push(
        ...listUnder(said("job.report.doubted_dates", { count: doubted.count }), doubted.first, {
          lineOf: ({ line, column, value, readings, edtf }) => {
            const read = { value: brief(value), readings: anyOf(readings), edtf };
            return item("job.report.doubted_date", { line: String(line), column, ...read });
          },
          most,
          all: doubted.count,
        }),
      );
      const became = kept === 0 ? "lost" : kept === count ? "kept" : "partly_kept";
      const what = said(`job.report.dates_${became}`, { kept });
      const heading = said(dryRun ? "job.report.would_drop_dates" : "job.report.unread_dates", {
        count,
        what,
      });
      const unread = listUnder(heading, first, {
        lineOf: ({ line, column, value }) =>
          item("job.report.unread_date", { line: String(line), column, value: brief(value) }),
        most,
        all: count,
      });
      return [...lines, ...unread];
    },

    json: () => ({
      unread_dates: { count, kept_as_text: kept, undated: undated.count, first },
      ambiguous_dates: doubted,
    }),
  };
}
