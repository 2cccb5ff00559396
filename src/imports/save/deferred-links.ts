/**
 * Links and parents whose records did not exist when their row was saved. A link waits if the file has a row for its record, or
 * if no record may be created for it; a parent only if the file has its row (otherwise the row that names it is refused). After the
 * last row, `save-deferred-links.ts` makes them. If a record is missing even then (no row, or one refused or left out), the
 * report names the row with the link. After an interruption nothing is taken from an earlier run: the rows are read again, and
 * so are their links.
 */
import { said } from "../../messages/said.ts";
import type { Fault } from "../../problem.ts";
import type { BatchItem } from "../../records/batch/item.ts";
import type { LinkRequest } from "../../records/batch/link-requests.ts";
import type { SimilarName } from "../../records/batch/links.ts";
import { type Kind, kinds } from "../../records/kinds.ts";
import type { Reject } from "../csv/rejects.ts";
import { findsRecord } from "../mapping/keys.ts";
import type { MappedRow } from "../mapping/mapped-row.ts";
import { titleName } from "../mapping/row-references.ts";
import type { ImportOptions, RowOutcome } from "../options.ts";
import type { ImportInProgress } from "./import-in-progress.ts";
import type { FileHas } from "./items.ts";
import type { StagedRow, StagedRows } from "./staged-rows.ts";

export type DeferredLinks = ReturnType<typeof deferredLinks>;

type Links = Pick<BatchItem, "parent" | "links">;

/** A row that was imported without a link or parent, and why. */
export type Unlinked = {
  row: Reject;
  faults: readonly Fault[];
  /** When it is imported again. */
  findsRecord: boolean;
  /** In a dry run: the links that it would lack. */
  missing?: readonly LinkRequest[];
  /** Names that no record has, but a similar one. */
  similar?: readonly SimilarName[];
};

/** A saved row that waits. `faults`: why it lacks other links. */
export type WaitingRow = StagedRow & {
  waiting: {
    /** Of its record. */
    id: string;
    links: Links;
    faults: readonly Fault[];
    findsRecord: boolean;
    /** It was counted as unchanged. */
    isUnchanged: boolean;
  };
};

export function deferredLinks(
  staged: StagedRows,
  options: ImportOptions,
  { resumed }: ImportInProgress,
  keys: readonly string[],
) {
  const { kind, dryRun, upsertStrategy } = options;
  const { titleField } = kinds[kind];

  const titled = (type: Kind, title: string) =>
    (["exact", "similar"] as const).map((match) => `${type} ${titleName(title, match)}`);

  /** The names of the records that a dry run creates and rolls back. */
  const namesCreated = ({ result }: RowOutcome): string[] => {
    if (!("id" in result)) return [];
    const ends = (result.createdEnds ?? []).flatMap(({ record_type, title }) => titled(record_type, title));
    if (!result.after) return ends;
    const title = result.after.metadata[titleField]?.[0]?.value;
    return [...ends, `${kind} #${result.idno}`, ...(title === undefined ? [] : titled(kind, title))];
  };

  return {
    /** The links that rows give. */
    sourceLinks:
      (upsertStrategy === "merge" || upsertStrategy === "replace") && !dryRun
        ? { add: staged.remember, among: staged.remembered, isReplaced: upsertStrategy === "replace" }
        : undefined,

    /** In a dry run: those of these names (`object #1`) that rows before have created. */
    created: (names: readonly string[]): Promise<Set<string>> => staged.remembered(names),

    /** Returns the rows that lack links and do not wait for others. */
    async noteOutcomes(
      rows: readonly StagedRow[],
      outcomes: readonly RowOutcome[],
      fileHas: FileHas,
    ): Promise<Unlinked[]> {
      const unlinked: Unlinked[] = [];
      const waiting: Pick<WaitingRow, "number" | "waiting">[] = [];
      if (dryRun) await staged.remember(outcomes.flatMap(namesCreated));
      for (const [index, { row, mapped, result }] of outcomes.entries()) {
        const { number } = rows[index]!;
        if (!("id" in result)) continue;
        // an earlier run may have saved the row and stopped before its deferred links; `skip` does not tell which are missing
        const savedEarlier = resumed && !result.after && /^(created|updated)$/.test(result.outcome);
        const mayLack = result.missing || (savedEarlier && upsertStrategy === "skip");
        const links = mayLack ? linksToDefer(mapped, fileHas) : undefined;
        const { id, outcome: became, ambiguous: faults = [] } = result;
        if (!links && faults.length === 0) continue;
        const lacks = { faults, findsRecord: findsRecord(mapped, keys, options) };
        if (!links) {
          unlinked.push(withAdvice({ ...lacks, row }, options));
          continue;
        }
        // a new record has no old links, and with an ambiguous name the old links stay
        const addsOnly = result.missing && (became === "created" || result.ambiguous);
        const isUnchanged = became === "unchanged";
        waiting.push({
          number,
          waiting: { ...lacks, id, links: addsOnly ? onlyAdding(links) : links, isUnchanged },
        });
      }
      await staged.wait(waiting);
      return unlinked;
    },

    /** The rows that wait, to be read after the last row. */
    batches: (): AsyncGenerator<WaitingRow[], void, undefined> => staged.waiting<WaitingRow["waiting"]>(),
  };
}

/** The row, with what to do about it. */
export function withAdvice(unlinked: Unlinked, { upsertStrategy }: ImportOptions): Unlinked {
  const again = upsertStrategy === "skip" ? "fault.row.correct_and_merge" : "fault.row.correct_and_import";
  const detail = said(unlinked.findsRecord ? again : "fault.row.correct_record");
  return { ...unlinked, faults: [...unlinked.faults, { pointer: "", detail }] };
}

/** These links replace no others: the record is new, or not all its links can be made. */
export function onlyAdding({ parent, links }: Links): Links {
  return { parent, links: links && { ...links, scopes: [] } };
}

/** The links and the parent of the row for which the file has rows, or for which no record may be created; undefined if there are none. */
function linksToDefer(
  { columns: { parent }, relations, record_type }: MappedRow,
  fileHas: FileHas,
): Links | undefined {
  const requests = relations
    .map((link) => ({ ...link, hasRow: link.to_type === record_type && fileHas.name(link) }))
    .filter(({ hasRow, create }) => hasRow || create === false);
  const hasParent = parent !== undefined && fileHas.number(parent);
  if (requests.length === 0 && !hasParent) return undefined;
  return {
    ...(hasParent ? { parent: { idno: parent, hasRow: true } } : {}),
    ...(requests.length > 0 ? { links: { requests, newStatus: "draft" } } : {}),
  };
}
