/**
 * Links and parents whose records did not exist when their row was saved: they have a row further down, or must not be created.
 * After the last row, `save-deferred-links.ts` reads the file again and saves them, so that an import has to remember only one bit
 * per row. A record that is missing even then had a row that was refused or left out: the report names the row with the link.
 */
import { endKey } from "../records/batch-ends.ts";
import type { BatchItem } from "../records/batch-item.ts";
import { type Kind, kinds } from "../records/kinds.ts";
import { BloomFilter, RowSet } from "./bloom-filter.ts";
import type { ImportInProgress } from "./import-in-progress.ts";
import type { ImportOptions, RowOutcome } from "./options.ts";
import type { MappedRow } from "./row.ts";
import type { NumberedRow, RowReferences } from "./row-references.ts";

export type DeferredLinks = ReturnType<typeof createDeferredLinks>;

export function createDeferredLinks(
  { kind, dryRun, upsertStrategy }: ImportOptions,
  { resumed }: ImportInProgress,
  { fileHas }: RowReferences,
) {
  /** Rows with deferred links. */
  const waiting = new RowSet();
  /** Those of them that were counted as unchanged. */
  const unchanged = new RowSet();
  /** Those of them whose deferred links replace no others: their record is new, or some of their names are ambiguous. */
  const onlyAdding = new RowSet();
  /** With `replace`: for a number that occurs several times, the last row that has it. */
  const lastRowOf = new Map<string, number>();
  /** In a dry run: names of the records that it has created and rolled back. */
  const createdNames = dryRun ? new BloomFilter() : null;
  const { titleField } = kinds[kind];
  return {
    waiting,
    unchanged,
    onlyAdding,
    /** With `merge`: the links that rows give; a deferred link replaces none of them. */
    given: upsertStrategy === "merge" && !dryRun ? new BloomFilter() : undefined,
    /** In a dry run: whether a row before has created a record of one of these names. */
    hasCreated: (toType: Kind, names: readonly string[]): boolean =>
      names.some((name) => createdNames?.has(`${toType} ${name}`)),
    isReplaced: (idno: string | undefined, row: number): boolean => (lastRowOf.get(idno ?? "") ?? row) > row,

    noteOutcomes(rows: readonly NumberedRow[], outcomes: readonly RowOutcome[]): void {
      outcomes.forEach(({ mapped, result, repeated }, index) => {
        const { number } = rows[index]!;
        if (!("id" in result)) return;
        if (result.missing) {
          waiting.add(number);
          if (result.outcome === "unchanged") unchanged.add(number);
          if (result.outcome === "created" || result.ambiguous) onlyAdding.add(number);
        }
        // an earlier run may have saved the row and stopped before its deferred links; `skip` does not tell which are missing
        const savedEarlier = resumed && !result.after && /^(created|updated)$/.test(result.outcome);
        if (savedEarlier && upsertStrategy === "skip" && linksToDefer(mapped, fileHas)) waiting.add(number);
        if (repeated && upsertStrategy === "replace") lastRowOf.set(structuredClone(result.idno), number);
        if (!createdNames) return;
        for (const end of result.createdEnds ?? [])
          createdNames.add(`${end.record_type} =${endKey(end.title)}`);
        if (!result.after) return;
        createdNames.add(`${kind} #${result.idno}`);
        const title = result.after.metadata[titleField]?.[0]?.value;
        if (title !== undefined) createdNames.add(`${kind} =${endKey(title)}`);
      });
    },
  };
}

/** The links and the parent of the row for which the file has rows, or for which no record may be created; undefined if there are none. */
export function linksToDefer(
  { columns: { parent }, relations, record_type }: MappedRow,
  fileHas: RowReferences["fileHas"],
): Pick<BatchItem, "parent" | "links"> | undefined {
  const requests = relations
    .map((link) => ({ ...link, hasRow: link.to_type === record_type && fileHas.name(link.value) }))
    .filter(({ hasRow, create }) => hasRow || create === false);
  const hasParent = parent !== undefined && fileHas.number(parent);
  if (requests.length === 0 && !hasParent) return undefined;
  return {
    ...(hasParent ? { parent: { idno: parent, hasRow: true } } : {}),
    ...(requests.length > 0 ? { links: { requests, newStatus: "draft" } } : {}),
  };
}
