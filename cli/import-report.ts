/** What an import tells at its end: how many rows became what, and what a registrar should look at. */
import type { ImportSummary } from "../src/imports/run.ts";
import type { RowOutcome } from "../src/imports/save-rows.ts";

/** Far ends whose names are remembered, to count those of a dry run once. */
const MOST_NAMES = 200_000;

export type Report = {
  take(outcomes: readonly RowOutcome[]): void;
  text(summary: ImportSummary): string;
  json(summary: ImportSummary): Record<string, unknown>;
};

export function createReport(options: {
  dryRun: boolean;
  upsertStrategy: string;
  now?: () => number;
}): Report {
  const now = options.now ?? (() => performance.now());
  const begun = now();
  const skipped = new Map<string, number>();
  const made = new Map<string, Set<string>>();
  let again = 0;
  let first = "";

  return {
    take(outcomes) {
      for (const { row, mapped, result, again: repeated } of outcomes) {
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
      const pace = summary.rows_done < 100 ? "" : `, ${count(summary.rows_done / seconds)} a second`;
      const would = options.dryRun ? "would be " : "";
      const parts = [
        [summary.created, `${would}created`],
        [summary.updated, `${would}changed`],
        [summary.unchanged, "unchanged"],
        [summary.skipped, `skipped${why(skipped)}`],
        [summary.rejected, `${would}refused`],
      ].flatMap(([n, word]) => (n === 0 ? [] : [`${count(n as number)} ${word}`]));
      const lines = [
        `${options.dryRun ? "Dry run: " : ""}${rows(summary.rows_done)} in ${seconds.toFixed(1)} s${pace}: ` +
          (parts.join(", ") || "nothing to do"),
      ];
      for (const [kind, names] of made) {
        const many = names.size >= MOST_NAMES ? "more than " : "";
        lines.push(
          `${many}${count(names.size)} more ${kind.replace("_", " ")} ${names.size === 1 ? "record" : "records"} ${would}created, because rows name them`,
        );
      }
      if (again > 0)
        lines.push(
          `${rows(again)} with the number of an earlier row ${fate(options.upsertStrategy)} (first: ${first})`,
        );
      lines.push(options.dryRun ? "Nothing was written." : `Import id: ${summary.importId}`);
      return lines.join("\n");
    },

    json(summary) {
      const { importId, ...tally } = summary;
      return {
        ...(options.dryRun ? { dry_run: true } : { import_id: importId }),
        ...tally,
        repeated: again,
        made: Object.fromEntries([...made].map(([kind, names]) => [kind, names.size])),
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
