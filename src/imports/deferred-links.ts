/**
 * Links and parents whose records did not exist when their row was saved. A link waits if the file has a row for its record, or
 * if no record may be created for it; a parent only if the file has its row (otherwise the row that names it is refused). After the
 * last row, `save-deferred-links.ts` makes them. Until then, up to one batch is in memory, the others in the database. If
 * a record is missing even then (no row, or one refused or left out), the report names the row with the link.
 * After an interruption nothing is taken from an earlier run: the rows are read again, and so are their links.
 */

import { newId } from "../ids.ts";
import { said } from "../messages/said.ts";
import type { Fault } from "../problem.ts";
import { endKey } from "../records/batch-ends.ts";
import type { BatchItem } from "../records/batch-item.ts";
import { type Kind, kinds } from "../records/kinds.ts";
import type { LinkRequest } from "../records/link-requests.ts";
import type { Sql } from "../services.ts";
import { MOST_TEXT, SAVED_ROWS } from "./batches.ts";
import { BloomFilter } from "./bloom-filter.ts";
import type { ImportInProgress } from "./import-in-progress.ts";
import { findsRecord } from "./keys.ts";
import type { ImportOptions, RowOutcome } from "./options.ts";
import type { Reject } from "./rejects.ts";
import type { MappedRow } from "./row.ts";
import type { NumberedRow, RowReferences } from "./row-references.ts";

export type DeferredLinks = ReturnType<typeof createDeferredLinks>;

type Links = Pick<BatchItem, "parent" | "links">;

/** A row that was imported without a link or parent, and why. */
export type Unlinked = {
  row: Reject;
  faults: readonly Fault[];
  /** When it is imported again. */
  findsRecord: boolean;
  /** In a dry run: the links that it would lack. */
  missing?: readonly LinkRequest[];
};

/** A saved row that has deferred links. `faults`: why it lacks other links. */
export type WaitingRow = Omit<Unlinked, "missing"> & {
  number: number;
  /** Of its record. */
  id: string;
  idno: string;
  links: Links;
  /** It was counted as unchanged. */
  isUnchanged: boolean;
};

export function createDeferredLinks(
  sql: Sql,
  options: ImportOptions,
  { resumed }: ImportInProgress,
  { fileHas }: RowReferences,
  keys: readonly string[],
) {
  const { kind, dryRun, upsertStrategy, batch: most = SAVED_ROWS } = options;
  const runId = newId();
  let stored = 0;
  /** The next batch, as JSON. */
  let next: string[] = [];
  let length = 0;
  /** With `replace`: for the number of a record that several rows have, the last of these rows. */
  const lastRowOf = new Map<string, number>();
  /** In a dry run: names of the records that it has created and rolled back. */
  const createdNames = dryRun ? new BloomFilter() : null;
  const { titleField } = kinds[kind];

  const keep = async (waiting: WaitingRow): Promise<void> => {
    const json = JSON.stringify(waiting);
    next.push(json);
    length += json.length;
    if (next.length < most && length < MOST_TEXT) return;
    await sql`insert into deferred_links (run_id, batch, waiting) values (${runId}, ${stored}, ${`[${next}]`})`;
    stored += 1;
    next = [];
    length = 0;
  };

  const noteCreated = ({ result }: RowOutcome): void => {
    if (!createdNames || !("id" in result)) return;
    for (const end of result.createdEnds ?? []) createdNames.add(`${end.record_type} =${endKey(end.title)}`);
    if (!result.after) return;
    createdNames.add(`${kind} #${result.idno}`);
    const title = result.after.metadata[titleField]?.[0]?.value;
    if (title !== undefined) createdNames.add(`${kind} =${endKey(title)}`);
  };

  return {
    /** With `merge`: the links that rows give; a deferred link replaces none of them. */
    sourceLinks: upsertStrategy === "merge" && !dryRun ? new BloomFilter() : undefined,
    /** In a dry run: whether a row before has created a record of one of these names. */
    hasCreated: (toType: Kind, names: readonly string[]): boolean =>
      names.some((name) => createdNames?.has(`${toType} ${name}`)),

    /** Returns the rows that lack links and do not wait for others. */
    async noteOutcomes(rows: readonly NumberedRow[], outcomes: readonly RowOutcome[]): Promise<Unlinked[]> {
      const unlinked: Unlinked[] = [];
      for (const [index, outcome] of outcomes.entries()) {
        const { mapped, result, repeated } = outcome;
        const { number } = rows[index]!;
        if (!("id" in result)) continue;
        noteCreated(outcome);
        if (repeated && upsertStrategy === "replace") lastRowOf.set(structuredClone(result.idno), number);
        // an earlier run may have saved the row and stopped before its deferred links; `skip` does not tell which are missing
        const savedEarlier = resumed && !result.after && /^(created|updated)$/.test(result.outcome);
        const mayLack = result.missing || (savedEarlier && upsertStrategy === "skip");
        const links = mayLack ? linksToDefer(mapped, fileHas) : undefined;
        const { id, outcome: became, ambiguous: faults = [] } = result;
        if (!links && faults.length === 0) continue;
        const { line, cells } = outcome.row;
        const lacks = { row: { line, cells }, faults, findsRecord: findsRecord(mapped, keys, options) };
        if (!links) {
          unlinked.push(withAdvice(lacks, options));
          continue;
        }
        // a new record has no old links, and with an ambiguous name the old links stay
        const addsOnly = result.missing && (became === "created" || result.ambiguous);
        await keep({
          ...lacks,
          number,
          id,
          idno: result.idno,
          links: addsOnly ? onlyAdding(links) : links,
          isUnchanged: became === "unchanged",
        });
      }
      return unlinked;
    },

    /** The rows that wait, to be read after the last row. `isLast`: this is the last batch. */
    async *batches(): AsyncGenerator<{ rows: WaitingRow[]; isLast: boolean }, void, undefined> {
      const isReplaced = ({ idno, number }: WaitingRow) => (lastRowOf.get(idno) ?? number) > number;
      const parsed = (json: string) => (JSON.parse(json) as WaitingRow[]).filter((row) => !isReplaced(row));
      for (let batch = 0; batch < stored; batch++) {
        const [row] = await sql<{ waiting: string }[]>`
          select waiting from deferred_links where run_id = ${runId} and batch = ${batch}`;
        if (!row) throw new Error("links that an import had deferred are gone");
        yield { rows: parsed(row.waiting), isLast: batch === stored - 1 && next.length === 0 };
      }
      if (next.length > 0) yield { rows: parsed(`[${next}]`), isLast: true };
    },

    /** Forgets the rows that wait. */
    async drop(): Promise<void> {
      if (stored > 0) await sql`delete from deferred_links where run_id = ${runId}`;
    },
  };
}

/** The row, with what to do about it. */
export function withAdvice(unlinked: Unlinked, { upsertStrategy }: ImportOptions): Unlinked {
  const again = upsertStrategy === "skip" ? "fault.row.correct_and_merge" : "fault.row.correct_and_import";
  const detail = said(unlinked.findsRecord ? again : "fault.row.correct_record");
  return { ...unlinked, faults: [...unlinked.faults, { pointer: "", detail }] };
}

/** Deletes what imports have left that were killed. */
export async function forgetDeferredLinks(sql: Sql): Promise<void> {
  await sql`delete from deferred_links where created_at < now() - interval '1 week'`;
}

/** These links replace no others: the record is new, or not all its links can be made. */
export function onlyAdding({ parent, links }: Links): Links {
  return { parent, links: links && { ...links, scopes: [] } };
}

/** The links and the parent of the row for which the file has rows, or for which no record may be created; undefined if there are none. */
function linksToDefer(
  { columns: { parent }, relations, record_type }: MappedRow,
  fileHas: RowReferences["fileHas"],
): Links | undefined {
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
