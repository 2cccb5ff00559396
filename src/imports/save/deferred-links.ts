/**
 * Collects links and parents whose records did not exist when their row was saved. A link waits if the file has a row for its
 * record, or if no record may be created for it. A parent waits only if the file has its row; otherwise the row that names it is
 * refused. After the last row, `save-deferred-links.ts` creates the links. If a record is missing even then (it has no row, or
 * its row was refused or left out), the report lists the row with the link. Nothing is taken from an interrupted run, because
 * the rows and their links are read again.
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
  /** Whether the row finds its record when it is imported again. */
  findsRecord: boolean;
  /** In a dry run: the links that the row would lack. */
  missing?: readonly LinkRequest[];
  /** Names that no record has, with records of a similar name. */
  similar?: readonly SimilarName[];
};

/** A saved row with deferred links. `faults`: why it lacks other links. */
export type WaitingRow = StagedRow & {
  waiting: {
    /** The id of its record. */
    id: string;
    links: Links;
    faults: readonly Fault[];
    findsRecord: boolean;
    /** Whether the row was counted as unchanged. */
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
    /** Remembers the links that rows give. */
    sourceLinks:
      (upsertStrategy === "merge" || upsertStrategy === "replace") && !dryRun
        ? { add: staged.remember, among: staged.remembered, isReplaced: upsertStrategy === "replace" }
        : undefined,

    /** In a dry run: which of these names (`object #1`) earlier rows have created. */
    created: (names: readonly string[]): Promise<Set<string>> => staged.remembered(names),

    /** Defers links of these rows. Returns the rows that lack links but have none to defer. */
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
        // an earlier run may have stopped between the row and its deferred links; `skip` does not report which are missing
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

    /** The rows with deferred links, to be read after the last row. */
    batches: (): AsyncGenerator<WaitingRow[], void, undefined> => staged.waiting<WaitingRow["waiting"]>(),
  };
}

export function withAdvice(unlinked: Unlinked, { upsertStrategy }: ImportOptions): Unlinked {
  const again = upsertStrategy === "skip" ? "fault.row.correct_and_merge" : "fault.row.correct_and_import";
  const detail = said(unlinked.findsRecord ? again : "fault.row.correct_record");
  return { ...unlinked, faults: [...unlinked.faults, { pointer: "", detail }] };
}

/** The links without the scopes that they would replace, for a new record, or if not all links can be created. */
export function onlyAdding({ parent, links }: Links): Links {
  return { parent, links: links && { ...links, scopes: [] } };
}

/** The parent and links for which the file has rows, or for which no record may be created; undefined if there are none. */
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
