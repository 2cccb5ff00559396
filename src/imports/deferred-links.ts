/**
 * Links and parents whose record did not exist when their row was saved: the file has a row for it further down, or it must
 * not be created. They are saved after the last row. The file is then read again for these rows, so that only one bit per row has to be kept. If a record is
 * missing even then, its own row was refused or left out: no record is created for its name, and the report names the row.
 */
import { endKey } from "../records/batch-ends.ts";
import type { BatchItem } from "../records/batch-item.ts";
import { type Kind, kinds } from "../records/kinds.ts";
import { BloomFilter, RowSet } from "./bloom-filter.ts";
import type { Job } from "./job.ts";
import type { ImportOptions, RowOutcome } from "./options.ts";
import type { MappedRow } from "./row.ts";
import type { NumberedRow, RowReferences } from "./row-references.ts";

export type DeferredLinks = ReturnType<typeof createDeferredLinks>;

export function createDeferredLinks(options: ImportOptions, job: Job, { fileHas }: RowReferences) {
  const waiting = new RowSet();
  const unchanged = new RowSet();
  const keepOld = new RowSet();
  /** For a number that occurs several times: the last row that has it. */
  const replaced = new Map<string, number>();
  const arrived = options.dryRun ? new BloomFilter() : null;
  const { titleField } = kinds[options.kind];
  return {
    waiting,
    unchanged,
    keepOld,
    /** With `merge`: the links that rows give, which no deferred link replaces. */
    given: options.upsertStrategy === "merge" && !options.dryRun ? new BloomFilter() : undefined,
    /** In a dry run: whether a row before has created a record of this name. */
    hasArrived: (kind: Kind, names: readonly string[]): boolean =>
      names.some((name) => arrived?.has(`${kind} ${name}`)),
    isReplaced: (idno: string | undefined, row: number): boolean => (replaced.get(idno ?? "") ?? row) > row,

    note(rows: readonly NumberedRow[], outcomes: readonly RowOutcome[]): void {
      outcomes.forEach(({ mapped, result, again }, index) => {
        const { number } = rows[index]!;
        if (!("id" in result)) return;
        if (result.absent) waiting.add(number);
        if (result.absent && result.outcome === "unchanged") unchanged.add(number);
        if (result.absent && (result.outcome === "created" || result.unclear)) keepOld.add(number);
        // an earlier run may have saved it without its links: see `countAgain`
        const before = job.resumed && !result.after && /^(created|updated)$/.test(result.outcome);
        if (before && options.upsertStrategy === "skip" && deferredWishes(mapped, fileHas))
          waiting.add(number);
        if (again && options.upsertStrategy === "replace") replaced.set(structuredClone(result.idno), number);
        if (!arrived) return;
        for (const end of result.made ?? []) arrived.add(`${end.record_type} =${endKey(end.title)}`);
        if (!result.after) return;
        arrived.add(`${options.kind} #${result.idno}`);
        const title = result.after.metadata[titleField]?.[0]?.value;
        if (title !== undefined) arrived.add(`${options.kind} =${endKey(title)}`);
      });
    },
  };
}

/** The names in the row for which the file has rows, or for which no record may be created; undefined if there are none. */
export function deferredWishes(
  { columns: { parent }, relations, record_type }: MappedRow,
  fileHas: RowReferences["fileHas"],
): Pick<BatchItem, "parent" | "links"> | undefined {
  const wishes = relations
    .map((wish) => ({ ...wish, comes: wish.to_type === record_type && fileHas.name(wish.value) }))
    .filter(({ comes, create }) => comes || create === false);
  const above = parent !== undefined && fileHas.number(parent);
  if (wishes.length === 0 && !above) return undefined;
  return {
    ...(above ? { parent: { idno: parent, comes: true } } : {}),
    ...(wishes.length > 0 ? { links: { wishes, newStatus: "draft" } } : {}),
  };
}
