/** What an import tells at its end: how many rows became what, and what a registrar should look at. */
import type { ImportSummary } from "../src/imports/run.ts";
import type { RowOutcome } from "../src/imports/save-rows.ts";
import type { Written } from "../src/records/imports-store.ts";
import { type Kind, kinds } from "../src/records/kinds.ts";
import { createUnread } from "./import-unread.ts";

/** Far ends whose names are remembered, to count those of a dry run once. */
const MOST_NAMES = 200_000;

export type Report = {
  take(outcomes: readonly RowOutcome[]): void;
  text(summary: ImportSummary): string;
  json(summary: ImportSummary): Record<string, unknown>;
};

export function createReport(options: {
  kind: Kind;
  dryRun: boolean;
  upsertStrategy: string;
  now?: () => number;
}): Report {
  const now = options.now ?? (() => performance.now());
  const begun = now();
  const skipped = new Map<string, number>();
  const made = new Map<string, Set<string>>();
  const unread = createUnread();
  let again = 0;
  let first = "";

  /** Records that were made because rows name them. */
  const ends = (summary: ImportSummary): [string, number][] =>
    summary.written
      ? summary.written
          .map(({ record_type, created }): [string, number] => [
            record_type,
            created - (record_type === options.kind ? summary.created : 0),
          ])
          .filter(([, n]) => n > 0)
      : [...made].map(([kind, names]) => [kind, names.size]);

  return {
    take(outcomes) {
      for (const outcome of outcomes) {
        const { row, mapped, result, again: repeated } = outcome;
        unread.take(outcome);
        if (repeated) {
          again += 1;
          first ||= `line ${row.line}, ${mapped.idno}`;
        }
        if (result.outcome === "rejected") continue;
        if (result.outcome === "skipped") {
          const reason = repeated
            ? "twice in the file"
            : "reason" in result
              ? result.reason
              : "there already";
          skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
        }
        if (!("made" in result)) continue;
        for (const { record_type, title } of result.made ?? []) {
          const names = made.get(record_type) ?? new Set();
          made.set(record_type, names);
          if (names.size < MOST_NAMES) names.add(structuredClone(title));
        }
      }
    },

    text(summary) {
      const seconds = (now() - begun) / 1000;
      const would = options.dryRun ? "would be " : "";
      const done = `${rows(summary.rows_done)} in ${seconds.toFixed(1)} s`;
      const lines: string[] = [];
      if (summary.finished) {
        // rows of an earlier run are gone through more quickly than they were written
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
        for (const [kind, n] of ends(summary)) {
          const many = n >= MOST_NAMES && !summary.written ? "more than " : "";
          lines.push(
            `${many}${count(n)} more ${kind.replace("_", " ")} ${n === 1 ? "record" : "records"} ${would}created, because rows name them`,
          );
        }
      } else {
        lines.push(
          `Stopped after ${done}${options.dryRun ? "" : `; so far ${soFar(options.kind, summary.written ?? [])}`}`,
        );
      }
      if (again > 0)
        lines.push(
          `${rows(again)} with the number of an earlier row ${fate(options.upsertStrategy)} (first: ${first})`,
        );
      lines.push(...unread.lines(options.dryRun));
      lines.push(options.dryRun ? "Nothing was written." : `Import id: ${summary.importId}`);
      return lines.join("\n");
    },

    json(summary) {
      const { importId, written: _, ...tally } = summary;
      return {
        ...(options.dryRun ? { dry_run: true } : { import_id: importId }),
        ...tally,
        repeated: again,
        made: Object.fromEntries(ends(summary)),
        unread_dates: unread.json(),
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

/** The kind of the rows first. */
function soFar(own: Kind, written: readonly Written[]): string {
  const isOwn = ({ record_type }: Written) => Number(record_type === own);
  const parts = [...written]
    .sort((a, b) => isOwn(b) - isOwn(a))
    .flatMap(({ record_type, created, changed }) => [
      ...(created > 0 ? [`${counted(record_type, created)} created`] : []),
      ...(changed > 0 ? [`${counted(record_type, changed)} changed`] : []),
    ]);
  return parts.join(", ") || "nothing was written";
}

function counted(kind: Kind, n: number): string {
  return `${count(n)} ${n === 1 ? kinds[kind].singular : kinds[kind].plural.replace("-", " ")}`;
}

/** What became of a row whose number an earlier row has. */
function fate(upsert: string): string {
  const fates: Record<string, string> = {
    skip: "left out",
    merge: "merged into its record",
    replace: "put in the place of its record",
  };
  return fates[upsert] ?? "";
}

export function rows(n: number): string {
  return `${count(n)} ${n === 1 ? "row" : "rows"}`;
}

export function count(n: number): string {
  return Math.round(n).toLocaleString("en");
}
