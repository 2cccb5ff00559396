/** The report at the end of an import: the outcomes of rows, and what a registrar should check. */

import { say, type Told } from "../messages/said.ts";
import { ENGLISH } from "../messages/translate.ts";
import type { Written } from "../records/imports-store.ts";
import { type Kind, kinds } from "../records/kinds.ts";
import { count, counted } from "./counts.ts";
import type { Unlinked } from "./deferred-links.ts";
import { createNameMatches, MOST_NAMES } from "./name-matches.ts";
import type { RowOutcome } from "./options.ts";
import { REASON, reasonOf } from "./rejects.ts";
import { createRepeatedNumbers } from "./repeated-numbers.ts";
import type { ImportSummary } from "./run.ts";
import { createUnmatched } from "./unmatched.ts";
import { createUnreadDates } from "./unread-dates.ts";
import { createUntagged } from "./untagged.ts";
import { createXPathUsage } from "./xpath-usage.ts";

/** How many rows without a link or parent the report shows; all are counted. */
const SHOWN = 5;

export type Report = {
  take(outcomes: readonly RowOutcome[]): void;
  unlinked(rows: readonly Unlinked[]): void;
  /** How many records links create. Part of `text`, except in a dry run, which shows it before the preview. */
  lead(summary: ImportSummary): string[];
  text(summary: ImportSummary): string;
  json(summary: ImportSummary): Record<string, unknown>;
};

export function createReport(options: {
  kind: Kind;
  /** What the file calls a record. */
  unit: "row" | "record";
  dryRun: boolean;
  upsertStrategy: string;
  now?: () => number;
}): Report {
  const { unit } = options;
  const now = options.now ?? (() => performance.now());
  const begun = now();
  const skipped = new Map<string, number>();
  const nameMatches = createNameMatches();
  const unread = createUnreadDates();
  const unmatched = createUnmatched();
  const untagged = createUntagged();
  const repeatedNumbers = createRepeatedNumbers(unit);
  const found = unit === "record" ? createXPathUsage() : null;
  const unlinked: { line: number; reason: Told }[] = [];
  /** The number of rows with too few cells, and the line of the first. */
  const short = { rows: 0, line: 0 };
  /** Rows of a rejects file whose records exist already. */
  let mended = 0;

  /** How many records were created because rows name them. */
  const ends = (summary: ImportSummary): [Kind, number][] =>
    summary.written
      ? summary.written
          .map(({ record_type, created }): [Kind, number] => [
            record_type,
            created - (record_type === options.kind ? summary.created : 0),
          ])
          .filter(([, n]) => n > 0)
      : nameMatches.made();

  return {
    take(outcomes) {
      for (const outcome of outcomes) {
        const { result, repeated } = outcome;
        unread.take(outcome);
        unmatched.take(outcome);
        untagged.take(outcome);
        nameMatches.take(outcome);
        repeatedNumbers.take(outcome);
        found?.take(outcome);
        if (result.outcome === "rejected") continue;
        if (result.outcome === "skipped") {
          const reason = repeated
            ? "twice in the file"
            : "reason" in result
              ? result.reason
              : "there already";
          skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
          if (reason === "there already" && outcome.row.values.has(REASON)) mended += 1;
        } else if (outcome.row.short) {
          short.rows += 1;
          short.line ||= outcome.row.line;
        }
      }
    },

    unlinked(rows) {
      for (const { row, faults } of rows.slice(0, SHOWN - unlinked.length))
        unlinked.push(structuredClone({ line: row.line, reason: reasonOf(faults[0]!) }));
    },

    lead(summary) {
      const all = ends(summary);
      const total = all.reduce((sum, [, n]) => sum + n, 0);
      if (!summary.finished || total === 0) return [];
      const [first, ...more] = all.map(([kind, n]) => ofKind(kind, n));
      const what = more.length === 0 ? first : `${counted(total, "record")} (${[first, ...more].join(", ")})`;
      const many = !summary.written && all.some(([, n]) => n >= MOST_NAMES) ? "more than " : "";
      const made = `${many}${what} ${options.dryRun ? "would be created" : "created"} because ${unit}s name them`;
      return [options.dryRun ? `${made}; "create": false in the mapping links only to what is there` : made];
    },

    text(summary) {
      const seconds = (now() - begun) / 1000;
      const would = options.dryRun ? "would be " : "";
      const done = `${counted(summary.rows_done, unit)} in ${seconds.toFixed(1)} s`;
      const lines = options.dryRun ? [] : this.lead(summary);
      if (summary.finished) {
        // no speed if the import was continued: rows of an earlier run are only read
        const quick = summary.written !== undefined || summary.rows_done < 100;
        const pace = quick ? "" : `, ${count(summary.rows_done / seconds)} a second`;
        const parts = [
          [summary.created, `${would}created`],
          [summary.updated, `${would}changed`],
          [summary.unchanged, "unchanged"],
          [summary.skipped, `skipped${why(skipped)}`],
          [summary.rejected, `${would}refused`],
        ].flatMap(([n, word]) => (n === 0 ? [] : [`${count(n as number)} ${word}`]));
        lines.push(
          `${options.dryRun ? "Dry run: " : ""}${done}${pace}: ${parts.join(", ") || "nothing to do"}`,
        );
      } else {
        lines.push(
          `Stopped after ${done}${options.dryRun ? "" : `; so far ${soFar(options.kind, summary.written ?? [])}`}`,
        );
      }
      if (summary.unlinked > 0) {
        lines.push(
          `${counted(summary.unlinked, unit)} ${would}imported without a link or parent that they name:`,
        );
        for (const { line, reason } of unlinked) lines.push(`  line ${line}: ${say(ENGLISH, reason)}`);
        const more = summary.unlinked - unlinked.length;
        if (more > 0) lines.push(`  … and ${count(more)} more`);
      }
      if (short.rows > 0)
        lines.push(
          `${counted(short.rows, unit)} with fewer cells than the header, the first in line ${short.line}: what they lack counts as empty`,
        );
      if (mended > 0)
        lines.push(
          `${counted(mended, unit)} of a rejects file ${mended === 1 ? "has its record" : "have their records"} already: to import your corrections, import it with --upsert-strategy merge`,
        );
      lines.push(...repeatedNumbers.lines(options.upsertStrategy));
      if (found && !options.dryRun) lines.push(...found.lines());
      lines.push(...(found?.unmapped() ?? []));
      lines.push(...nameMatches.lines(unit));
      lines.push(...unread.lines(options.dryRun));
      lines.push(...unmatched.lines(options.dryRun));
      lines.push(...untagged.lines());
      lines.push(options.dryRun ? "Nothing was written." : `Import id: ${summary.importId}`);
      return lines.join("\n");
    },

    json(summary) {
      const { importId, written: _, broken: __, ...tally } = summary;
      return {
        ...(options.dryRun ? { dry_run: true } : { import_id: importId }),
        made: Object.fromEntries(ends(summary)),
        ...tally,
        ...(summary.broken === undefined ? {} : { broken: summary.broken }),
        short_rows: short.rows,
        ...repeatedNumbers.json(),
        ...found?.json(),
        joined: nameMatches.json(),
        unread_dates: unread.json(),
        unmatched: unmatched.json(),
        untagged: untagged.json(),
        seconds: Math.round(now() - begun) / 1000,
      };
    },
  };
}

function why(reasons: ReadonlyMap<string, number>): string {
  if (reasons.size === 0) return "";
  const all = [...reasons].map(([reason, n]) => (reasons.size === 1 ? reason : `${count(n)} ${reason}`));
  return ` (${all.join(", ")})`;
}

/** What has been written so far, records of the type of the rows first. */
function soFar(own: Kind, written: readonly Written[]): string {
  const isOwn = ({ record_type }: Written) => Number(record_type === own);
  const parts = [...written]
    .sort((a, b) => isOwn(b) - isOwn(a))
    .flatMap(({ record_type, created, changed }) => [
      ...(created > 0 ? [`${ofKind(record_type, created)} created`] : []),
      ...(changed > 0 ? [`${ofKind(record_type, changed)} changed`] : []),
    ]);
  return parts.join(", ") || "nothing was written";
}

function ofKind(kind: Kind, n: number): string {
  return `${count(n)} ${n === 1 ? kinds[kind].singular : kinds[kind].many}`;
}
