/** Saves deferred links (`deferred-links.ts`): reads the file again for the rows that have some. */
import type { Account } from "../caller.ts";
import type { Fault } from "../problem.ts";
import { saveBatch } from "../records/batch.ts";
import type { BatchItem, BatchResult } from "../records/batch-item.ts";
import { absentEnd } from "../records/batch-links.ts";
import { absentParent } from "../records/batch-parents.ts";
import { recordsOfRows, touchImport } from "../records/imports-store.ts";
import type { Kind } from "../records/kinds.ts";
import { findIds } from "../records/store.ts";
import type { Services } from "../services.ts";
import { batchesOf } from "./batches.ts";
import { deferredWishes } from "./deferred-links.ts";
import type { ImportRows } from "./import-file.ts";
import { findByKeys } from "./keys.ts";
import type { ImportOptions } from "./options.ts";
import { type ImportRow, type MappedRow, mapRow } from "./row.ts";
import { findNames, type NumberedRow, namesWished } from "./row-references.ts";
import type { Run } from "./save-rows.ts";
import { yieldingRunner } from "./yielding.ts";

/** A row that was imported without a link or parent, and why. `absent`: in a dry run, the missing links. */
export type Unlinked = { row: ImportRow; faults: readonly Fault[]; absent?: MappedRow["relations"] };

/** `changed`: rows that had been counted as unchanged until now. */
export type Linked = { changed: number; unlinked: Unlinked[]; isLast: boolean };

type Waiting = NumberedRow & { mapped: MappedRow; wished: Pick<BatchItem, "parent" | "links"> };

/** Yields after each batch of these rows. */
export async function* saveDeferredLinks(
  services: Services,
  run: Run,
  open: () => Promise<ImportRows>,
): AsyncGenerator<Linked, void, undefined> {
  const { waiting, isReplaced } = run.deferred;
  if (waiting.size === 0) return;
  const { kind, dryRun, batch: most } = run.options;
  const file = await open();
  const yielding = yieldingRunner();
  let left = waiting.size;
  try {
    for await (const batch of batchesOf(file.rows, (number) => waiting.has(number), most)) {
      left -= batch.length;
      const rows: Waiting[] = [];
      for (const one of batch) {
        const mapped = await yielding(() => mapRow(run.mapping, kind, one.row));
        const wished = deferredWishes(mapped, run.references.fileHas);
        if (wished && !isReplaced(mapped.idno, one.number)) rows.push({ ...one, mapped, wished });
      }
      const done = await (dryRun
        ? previewLinks(services, run, rows)
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
      given: run.deferred.given,
      follow: run.follow,
      together: (tx) => touchImport(tx, run.job),
    });
  const mapped = rows.map((row) => row.mapped);
  const keyed = await findByKeys(services, services.sql, run.keys, mapped, run.options);
  // somebody may have deleted the record meanwhile
  const there = rows.flatMap((row, index) => {
    const own: string | undefined = ids.get(
      (idnoStrategy === "auto" ? row.number : row.mapped.idno) as never,
    );
    const id = own ?? keyed[index]!.id;
    return id === undefined ? [] : [{ ...row, id }];
  });
  const results = await save(
    there.map(({ id, number, wished }) => {
      const { parent, links } = run.deferred.keepOld.has(number) ? keepingOld(wished) : wished;
      return { draft: { id }, parent, links };
    }),
  );
  const unlinked: Unlinked[] = [];
  let changed = 0;
  for (const [index, { id, number, row, wished }] of there.entries()) {
    let done = [results[index]!];
    // a link that is refused does not prevent the other links of its row
    const apart = done[0]!.outcome === "rejected" ? eachAlone(keepingOld(wished)) : [];
    if (apart.length > 1) done = await save(apart.map((one) => ({ draft: { id }, ...one })));
    const faults = done.flatMap(faultsOf);
    if (faults.length > 0) unlinked.push({ row, faults: [...faults, advice(run.options)] });
    if (run.deferred.unchanged.has(number) && done.some(({ outcome }) => outcome === "updated")) changed += 1;
  }
  return { changed, unlinked };
}

/** These links are added; no other link is removed. */
function keepingOld({ parent, links }: Waiting["wished"]): Waiting["wished"] {
  return { parent, links: links && { ...links, scopes: [] } };
}

function eachAlone({ parent, links }: Waiting["wished"]): Waiting["wished"][] {
  const each = links?.wishes.map((wish) => ({ links: { ...links, wishes: [wish] } })) ?? [];
  return parent ? [{ parent }, ...each] : each;
}

function faultsOf(result: BatchResult): readonly Fault[] {
  return result.outcome === "rejected" ? result.faults : (result.absent ?? []);
}

/** For a row that was imported without a link or parent. */
export function advice({ upsertStrategy }: Pick<ImportOptions, "upsertStrategy">): Fault {
  const merge = upsertStrategy === "skip" ? ", with the upsert strategy merge" : "";
  return {
    pointer: "",
    detail: `the row is imported without it; correct this and import the row again${merge}`,
  };
}

/** In a dry run the records do not exist: it compares names with those that earlier rows would have created. */
async function previewLinks(
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
      const arrived = run.deferred.hasArrived(toType, names);
      if (arrived) fresh = true;
      else faults.push(fault);
      return arrived;
    };
    const { parent, links } = wished;
    if (parent) look(kind, [`#${parent.idno}`], absentParent(kind, parent.idno));
    const absent = (links?.wishes ?? []).filter(
      (wish) => !look(wish.to_type, namesWished(wish.value), absentEnd(wish)),
    );
    if (faults.length > 0) unlinked.push({ row, faults: [...faults, advice(run.options)], absent });
    if (fresh && run.deferred.unchanged.has(number)) changed += 1;
  }
  return { changed, unlinked };
}
