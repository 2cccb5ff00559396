/**
 * Links, and parents, for which a row had to wait because what it names stands further on in the file: made up for at its
 * end. The file is read once more for these rows, so that between the two only a bit a row is kept. What is missing even
 * then had a row that was refused or left out: no record is made of its name, the row is told of.
 */
import type { Account } from "../caller.ts";
import type { Fault } from "../problem.ts";
import { saveBatch } from "../records/batch.ts";
import { endKey } from "../records/batch-ends.ts";
import type { BatchItem, BatchResult } from "../records/batch-item.ts";
import { absentEnd } from "../records/batch-links.ts";
import { absentParent } from "../records/batch-parents.ts";
import { recordsOfRows, touchImport } from "../records/imports-store.ts";
import { type Kind, kinds } from "../records/kinds.ts";
import { findIds } from "../records/store.ts";
import type { Services } from "../services.ts";
import { batchesOf } from "./batches.ts";
import { fairly } from "./fair.ts";
import type { ImportRows } from "./form.ts";
import type { Job } from "./job.ts";
import { type ImportRow, type MappedRow, mapRow } from "./row.ts";
import type { ImportOptions, RowOutcome, Run } from "./save-rows.ts";
import { RowSet, Sieve } from "./sieve.ts";
import { findNames, type NumberedRow, namesWished, type Ties } from "./ties.ts";

/** A row that was imported without something that it names, and why. `absent`: in a dry run, the links that it lacks. */
export type Unlinked = { row: ImportRow; faults: readonly Fault[]; absent?: MappedRow["relations"] };

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
function wishedHere(
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

/** `changed`: rows that had been counted as unchanged until now. */
export type Linked = { changed: number; unlinked: Unlinked[]; isLast: boolean };

type Waiting = NumberedRow & { mapped: MappedRow; wished: Pick<BatchItem, "parent" | "links"> };

/** Batch after batch of the rows that wait. */
export async function* linkLater(
  services: Services,
  run: Run,
  open: () => Promise<ImportRows>,
): AsyncGenerator<Linked, void, undefined> {
  const { waiting, isReplaced } = run.later;
  if (waiting.size === 0) return;
  const { kind, dryRun, batch: most } = run.options;
  const file = await open();
  const fair = fairly();
  let left = waiting.size;
  try {
    for await (const batch of batchesOf(file.rows, (number) => waiting.has(number), most)) {
      left -= batch.length;
      const rows: Waiting[] = [];
      for (const one of batch) {
        const mapped = await fair(() => mapRow(run.mapping, kind, one.row));
        const wished = wishedHere(mapped, run.ties.brings);
        if (wished && !isReplaced(mapped.idno, one.number)) rows.push({ ...one, mapped, wished });
      }
      const done = await (dryRun
        ? foretell(services, run, rows)
        : link(services, await run.caller(), run, rows));
      yield { ...done, isLast: left === 0 };
      if (left === 0) return;
    }
  } finally {
    await file.close();
  }
}

async function link(
  services: Services,
  caller: Account,
  run: Run,
  rows: readonly Waiting[],
): Promise<Omit<Linked, "isLast">> {
  const { kind, idnoStrategy } = run.options;
  const ids =
    idnoStrategy === "auto"
      ? await recordsOfRows(
          services.sql,
          run.job.fileHash,
          rows.map(({ number }) => number),
        )
      : await findIds(
          services.sql,
          kind,
          rows.flatMap(({ mapped }) => mapped.idno ?? []),
        );
  const save = (items: readonly BatchItem[]) =>
    saveBatch(services, caller, kind, items, {
      upsert: "tie",
      importId: run.job.importId,
      follow: run.follow,
      together: (tx) => touchImport(tx, run.job),
    });
  // somebody may have deleted the record since: then there is nothing to link
  const there = rows.flatMap((row) => {
    const id = ids.get((idnoStrategy === "auto" ? row.number : row.mapped.idno) as never);
    return id === undefined ? [] : [{ ...row, id }];
  });
  const results = await save(there.map(({ id, wished }) => ({ draft: { id }, ...wished })));
  const unlinked: Unlinked[] = [];
  let changed = 0;
  for (const [index, { id, number, row, wished }] of there.entries()) {
    let done = [results[index]!];
    // one link that cannot be does not keep out the others of its row
    const apart = done[0]!.outcome === "rejected" ? onebyone(wished) : [];
    if (apart.length > 1) done = await save(apart.map((one) => ({ draft: { id }, ...one })));
    const faults = done.flatMap(faultsOf);
    if (faults.length > 0) unlinked.push({ row, faults: [...faults, advice(run)] });
    if (run.later.unchanged.has(number) && done.some(({ outcome }) => outcome === "updated")) changed += 1;
  }
  return { changed, unlinked };
}

function onebyone({ parent, links }: Waiting["wished"]): Waiting["wished"][] {
  const each = links?.wishes.map((wish) => ({ links: { ...links, wishes: [wish] } })) ?? [];
  return parent ? [{ parent }, ...each] : each;
}

function faultsOf(result: BatchResult): readonly Fault[] {
  return result.outcome === "rejected" ? result.faults : (result.absent ?? []);
}

function advice({ options }: Run): Fault {
  const merge = options.upsertStrategy === "skip" ? ", with the upsert strategy merge" : "";
  return { pointer: "", detail: `it is imported without; import the row again when that is mended${merge}` };
}

/** In a dry run nothing is there to be linked: what rows have brought is known by name. */
async function foretell(
  { sql }: Services,
  run: Run,
  rows: readonly Waiting[],
): Promise<Omit<Linked, "isLast">> {
  const { kind } = run.options;
  const named = rows.flatMap(({ wished: { parent, links } }) => [
    ...(parent ? [{ to_type: kind, value: parent.idno }] : []),
    ...(links?.wishes ?? []),
  ]);
  const known = new Map<Kind, Set<string>>();
  for (const toType of new Set(named.map(({ to_type }) => to_type))) {
    const values = named.flatMap(({ to_type, value }) => (to_type === toType ? [value] : []));
    known.set(toType, await findNames(sql, toType, values));
  }
  const unlinked: Unlinked[] = [];
  let changed = 0;
  for (const { number, row, wished } of rows) {
    const faults: Fault[] = [];
    let fresh = false;
    const look = (toType: Kind, names: readonly string[], fault: Fault): boolean => {
      if (names.some((name) => known.get(toType)!.has(name))) return true;
      const arrived = run.later.hasArrived(toType, names);
      if (arrived) fresh = true;
      else faults.push(fault);
      return arrived;
    };
    const { parent, links } = wished;
    if (parent) look(kind, [`#${parent.idno}`], absentParent(kind, parent.idno));
    const absent = (links?.wishes ?? []).filter(
      (wish) => !look(wish.to_type, namesWished(wish.value), absentEnd(wish)),
    );
    if (faults.length > 0) unlinked.push({ row, faults: [...faults, advice(run)], absent });
    if (fresh && run.later.unchanged.has(number)) changed += 1;
  }
  return { changed, unlinked };
}
