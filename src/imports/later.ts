/**
 * Links, and parents, for which a row had to wait because what it names stands further on in the file: made up for at its
 * end. The file is read once more for these rows, so that between the two only a bit a row is kept. What is missing even
 * then had a row that was refused or left out: no record is made of its name, the row is told of.
 */
import { endKey } from "../records/batch-ends.ts";
import type { BatchItem } from "../records/batch-item.ts";
import { type Kind, kinds } from "../records/kinds.ts";
import type { Job } from "./job.ts";
import type { ImportOptions, RowOutcome } from "./options.ts";
import type { MappedRow } from "./row.ts";
import { RowSet, Sieve } from "./sieve.ts";
import type { NumberedRow, Ties } from "./ties.ts";

export type Later = ReturnType<typeof createLater>;

export function createLater(options: ImportOptions, job: Job, { brings }: Ties) {
  const waiting = new RowSet();
  const unchanged = new RowSet();
  /** Of a number that stands twice the row that replaced the others. */
  const replaced = new Map<string, number>();
  const arrived = options.dryRun ? new Sieve() : null;
  const { titleField } = kinds[options.kind];
  return {
    waiting,
    unchanged,
    /** Whether a row of the file has brought something of this name, or made it, in a dry run. */
    hasArrived: (kind: Kind, names: readonly string[]): boolean =>
      names.some((name) => arrived?.has(`${kind} ${name}`)),
    isReplaced: (idno: string | undefined, row: number): boolean => (replaced.get(idno ?? "") ?? row) > row,

    note(rows: readonly NumberedRow[], outcomes: readonly RowOutcome[]): void {
      outcomes.forEach(({ mapped, result, again }, index) => {
        const { number } = rows[index]!;
        if (!("id" in result)) return;
        if (result.absent) waiting.add(number);
        if (result.absent && result.outcome === "unchanged") unchanged.add(number);
        // an earlier run has left it, perhaps before its links: see `countAgain`
        const before = job.resumed && !result.after && /^(created|updated)$/.test(result.outcome);
        if (before && options.upsertStrategy === "skip" && wishedHere(mapped, brings)) waiting.add(number);
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

/** What the row names that the file has rows for, or that must not be made; undefined when there is nothing. */
export function wishedHere(
  { columns: { parent }, relations, record_type }: MappedRow,
  brings: Ties["brings"],
): Pick<BatchItem, "parent" | "links"> | undefined {
  const wishes = relations
    .map((wish) => ({ ...wish, comes: wish.to_type === record_type && brings.name(wish.value) }))
    .filter(({ comes, create }) => comes || create === false);
  const above = parent !== undefined && brings.number(parent);
  if (wishes.length === 0 && !above) return undefined;
  return {
    ...(above ? { parent: { idno: parent, comes: true } } : {}),
    ...(wishes.length > 0 ? { links: { wishes, newStatus: "draft" } } : {}),
  };
}
