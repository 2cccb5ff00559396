/** The report at the end of an import: the outcomes of rows, and what a registrar should check. */

import { listOf, type Said, said, type Told } from "../../messages/said.ts";
import type { Written } from "../../records/batch/imports-store.ts";
import type { Kind } from "../../records/kinds.ts";
import { reasonOf } from "../csv/rejects.ts";
import { createInvalidRecords } from "../lido/invalid-records.ts";
import { brief } from "../mapping/targets.ts";
import type { RowOutcome } from "../options.ts";
import type { ImportSummary } from "../run.ts";
import type { Unlinked } from "../save/deferred-links.ts";
import { isEmpty, type SkipReason } from "../save/items.ts";
import { createQualifierTexts } from "../save/qualified-makers.ts";
import { createUnmappedPlaces } from "../xml/unmapped-places.ts";
import { createUntagged } from "../xml/untagged.ts";
import { createXPathUsage } from "../xml/xpath-usage.ts";
import { createChangedRecords } from "./changed-records.ts";
import { countedKind, countedUnits, item, LISTED, listUnder, type Unit } from "./counts.ts";
import { createNameMatches, MOST_NAMES } from "./name-matches.ts";
import { createReadNames } from "./read-names.ts";
import { createRepeatedNumbers } from "./repeated-numbers.ts";
import { type Section, sectionsOf } from "./sections.ts";
import { createUnmatched } from "./unmatched.ts";
import { createUnreadDates } from "./unread-dates.ts";

/** How many rows without a link or parent are shown, except in the whole report. */
const SHOWN = 5;

export type Report = {
  take(outcomes: readonly RowOutcome[]): void;
  unlinked(rows: readonly Unlinked[]): void;
  /** How many records the links create. Part of `lines`, except in a dry run, which shows it before the preview. */
  lead(summary: ImportSummary): Said[];
  lines(summary: ImportSummary): Said[];
  json(summary: ImportSummary): Record<string, unknown>;
  /** What a registrar should check, with all lines. */
  sections(summary: ImportSummary): Section[];
};

export function createReport(options: {
  kind: Kind;
  unit: Unit;
  dryRun: boolean;
  now?: () => number;
}): Report {
  const { unit, dryRun } = options;
  const now = options.now ?? (() => performance.now());
  const begun = now();
  const skipped = new Map<SkipReason, number>();
  const nameMatches = createNameMatches(dryRun);
  const unread = createUnreadDates();
  const unmatched = createUnmatched();
  const untagged = createUntagged();
  const qualifierTexts = createQualifierTexts(unit);
  const readNames = createReadNames(unit);
  const unmapped = createUnmappedPlaces();
  const invalid = createInvalidRecords();
  const repeatedNumbers = createRepeatedNumbers(unit);
  const changedRecords = createChangedRecords();
  const found = unit === "record" ? createXPathUsage() : null;
  const ofAll = [nameMatches, repeatedNumbers, changedRecords, unmapped, invalid, ...(found ? [found] : [])];
  const ofSaved = [unread, unmatched, untagged, qualifierTexts, readNames];
  const unlinked: { line: number; reason: Told }[] = [];
  /** The number of rows with too few cells, and the line of the first. */
  const short = { rows: 0, line: 0 };
  /** The same for rows that have nothing but a number. */
  const bare = { rows: 0, line: 0, number: "" };
  /** Rows of a rejects file whose records already exist. */
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

  /** The outcomes of the rows, and the speed. */
  function headline(summary: ImportSummary): Said {
    const seconds = (now() - begun) / 1000;
    const done = { units: countedUnits(summary.rows_done, unit), seconds };
    if (!summary.finished) {
      if (dryRun) return said("job.report.stopped", done);
      return said("job.report.stopped_so_far", { ...done, list: soFar(options.kind, summary.written ?? []) });
    }
    const would = dryRun ? "would_be_" : "";
    const all = [
      [`${would}created`, summary.created],
      [`${would}changed`, summary.updated],
      ["unchanged", summary.unchanged],
      ["skipped", summary.skipped],
      [`${would}rejected`, summary.rejected],
    ] as const;
    const parts = all.flatMap(([what, count]) => {
      if (count === 0) return [];
      const reasons = what === "skipped" ? why(skipped) : undefined;
      return [
        reasons ? said("job.report.skipped_why", { count, reasons }) : said(`job.report.${what}`, { count }),
      ];
    });
    const what = { ...done, list: parts.length > 0 ? listOf(parts) : said("job.report.nothing_to_do") };
    if (dryRun) return said("job.report.dry_run", what);
    // a continued import only reads the rows of an earlier run, so its speed would mislead
    const isSlow = summary.written === undefined && summary.rows_done >= 100;
    return isSlow
      ? said("job.report.done_at_pace", { ...what, pace: Math.round(summary.rows_done / seconds) })
      : said("job.report.done", what);
  }

  /** What a registrar should check. @param most lines of a list; by default as many as suit a terminal */
  function doubts(summary: ImportSummary, most?: number): Said[] {
    const units = countedUnits(summary.unlinked, unit);
    const notLinked = said(dryRun ? "job.report.would_not_link" : "job.report.unlinked", { units });
    const lines = listUnder(notLinked, unlinked, {
      lineOf: ({ line, reason }) => item("job.report.at_line", { line: String(line), reason }),
      most: most ?? SHOWN,
      all: summary.unlinked,
    });
    if (short.rows > 0)
      lines.push(
        said("job.report.short", {
          count: short.rows,
          units: countedUnits(short.rows, unit),
          line: String(short.line),
        }),
      );
    if (bare.rows > 0)
      lines.push(
        said("job.report.bare", {
          count: bare.rows,
          units: countedUnits(bare.rows, unit),
          line: String(bare.line),
          number: bare.number,
        }),
      );
    if (mended > 0)
      lines.push(said("job.report.mended", { units: countedUnits(mended, unit), count: mended }));
    lines.push(...repeatedNumbers.lines(most));
    // the preview of a dry run shows this as a table
    if (found && !dryRun) lines.push(...found.lines());
    lines.push(...invalid.lines(most), ...unmapped.lines(most));
    lines.push(...nameMatches.lines(unit));
    lines.push(...passedOverLines(summary, most));
    lines.push(...unread.lines(dryRun, most));
    lines.push(...unmatched.lines(dryRun, most));
    lines.push(...untagged.lines(most));
    lines.push(...qualifierTexts.lines(most), ...readNames.lines(most));
    return lines;
  }

  return {
    take(outcomes) {
      for (const outcome of outcomes) {
        const { result } = outcome;
        for (const part of ofAll) part.take(outcome);
        if (result.outcome !== "rejected" && result.outcome !== "skipped")
          for (const part of ofSaved) part.take(outcome);
        if (result.outcome === "rejected") continue;
        const { idno = "" } = outcome.mapped;
        if (result.outcome === "created" && isEmpty({ ...outcome.mapped, idno: undefined })) {
          bare.rows += 1;
          bare.line ||= outcome.row.line;
          bare.number ||= brief(idno);
        }
        if (result.outcome === "skipped") {
          const reason = "reason" in result ? result.reason : "there";
          skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
          if (reason === "there" && outcome.row.isReject) mended += 1;
        } else if (outcome.row.short) {
          short.rows += 1;
          short.line ||= outcome.row.line;
        }
      }
    },

    unlinked(rows) {
      for (const one of rows) nameMatches.unlinked(one);
      for (const { row, faults } of rows.slice(0, LISTED - unlinked.length))
        unlinked.push({ line: row.line, reason: reasonOf(faults[0]!) });
    },

    lead(summary) {
      const all = ends(summary);
      const total = all.reduce((sum, [, n]) => sum + n, 0);
      if (!summary.finished || total === 0) return [];
      const parts = all.map(([kind, n]) => countedKind(n, kind));
      const in_all =
        parts.length === 1 ? parts[0]! : said("job.count.in_all", { count: total, list: listOf(parts) });
      const isMore = !summary.written && all.some(([, n]) => n >= MOST_NAMES);
      const what = isMore ? said("job.count.more_than", { what: in_all }) : in_all;
      return [said(dryRun ? "job.report.would_make" : "job.report.made", { what, unit })];
    },

    lines(summary) {
      return [
        ...(dryRun ? [] : this.lead(summary)),
        headline(summary),
        ...doubts(summary),
        ...draftLines(summary),
        dryRun ? said("job.report.nothing_written") : said("job.report.id", { id: summary.importId }),
      ];
    },

    sections: (summary) => sectionsOf(doubts(summary, LISTED)),

    json(summary) {
      const { importId, written: _, broken: __, drafts, passedOver, ...tally } = summary;
      return {
        ...(dryRun ? { dry_run: true } : { import_id: importId }),
        made: Object.fromEntries(ends(summary)),
        ...tally,
        // without names, which the reader of the job may not be allowed to see
        ...(drafts.length === 0 ? {} : { linked_drafts: drafts.map(({ names: _, ...counted }) => counted) }),
        ...(passedOver.length === 0 ? {} : { passed_over: passedOver }),
        ...(summary.broken === undefined ? {} : { broken: summary.broken }),
        short_rows: short.rows,
        ...repeatedNumbers.json(),
        changed_records: changedRecords.json(),
        ...(found ? { ...found.json(), ...unmapped.json(), ...invalid.json() } : {}),
        ...nameMatches.json(),
        ...unread.json(),
        unmatched: unmatched.json(),
        untagged: untagged.json(),
        qualifier_texts: qualifierTexts.json(),
        read_names: readNames.json(),
        seconds: Math.round(now() - begun) / 1000,
      };
    },
  };
}

/** Records without a number whose name the file gives with several numbers. */
function passedOverLines({ passedOver }: ImportSummary, most = SHOWN): Said[] {
  return listUnder(said("job.report.passed_over", { count: passedOver.length }), passedOver, {
    lineOf: ({ record_type, idno, title, numbers }) =>
      item("job.report.passed_over_record", {
        kind: said(`kind.one.${record_type}`),
        title: brief(title),
        number: idno,
        numbers: numbers.join(", "),
      }),
    most,
  });
}

/** Drafts that visitors do not see although published records link to them. */
function draftLines({ drafts }: ImportSummary): Said[] {
  if (drafts.length === 0) return [];
  const count = drafts.reduce((sum, one) => sum + one.count, 0);
  return [
    said("drafts.linked", { count }),
    ...drafts.map((one) => {
      const names = one.names.join(", ") + (one.count > one.names.length ? " …" : "");
      return item("job.report.linked_drafts_of", {
        what: countedKind(one.count, one.record_type),
        names,
        list: one.list,
      });
    }),
  ];
}

function why(reasons: ReadonlyMap<SkipReason, number>): Said | undefined {
  const parts = [...reasons].map(([reason, count]) =>
    reasons.size === 1
      ? said(`job.report.why.${reason}`)
      : said(`job.report.why_counted.${reason}`, { count }),
  );
  return parts.length > 0 ? listOf(parts) : undefined;
}

/** What has been written so far. Records of the imported type come first. */
function soFar(own: Kind, written: readonly Written[]): Said {
  const isOwn = ({ record_type }: Written) => Number(record_type === own);
  const parts = [...written]
    .sort((a, b) => isOwn(b) - isOwn(a))
    .flatMap(({ record_type: kind, created, changed }) => [
      ...(created > 0 ? [said("job.report.kind_created", { what: countedKind(created, kind) })] : []),
      ...(changed > 0 ? [said("job.report.kind_changed", { what: countedKind(changed, kind) })] : []),
    ]);
  return parts.length > 0 ? listOf(parts) : said("job.report.none_written");
}
