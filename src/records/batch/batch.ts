/**
 * Writes many records at once, for imports and bulk edits. One bad item never stops the others. Faults that
 * are found before writing refuse only their item; a batch that the database refuses is halved until the bad item is isolated.
 */
import type { Account } from "../../caller.ts";
import { newId } from "../../ids.ts";
import { said } from "../../messages/said.ts";
import { Problem, type ProblemCode } from "../../problem.ts";
import type { Services, Tx } from "../../services.ts";
import type { Kind } from "../kinds.ts";
import { findNumbered, hiddenParents, lockByIdno, lockByIds } from "../read/store.ts";
import { type RecordRow, stateOf } from "../record.ts";
import { type Schema, schemaToWriteBy } from "../schema.ts";
import { maySee } from "../visibility.ts";
import { giveNumbers } from "../write/numbers.ts";
import { demandTree, lockTree } from "../write/rules.ts";
import { type Change, insertRecords, updateRecords, type Writer, writerOf } from "../write/store.ts";
import { isTaken, takenNumber } from "../write/taken-number.ts";
import { sameState } from "../write/write.ts";
import type { SaidOfEnds } from "./directory.ts";
import type { BatchItem, BatchResult, Planned, Upsert } from "./item.ts";
import type { SourceLinks } from "./link-requests.ts";
import { lockLinks, type Replaces, saveLinks } from "./links.ts";
import { findParents } from "./parents.ts";
import { planItem } from "./plan.ts";
import { LinksProblem } from "./refused-links.ts";
import { splitIntoRounds } from "./split-into-rounds.ts";
import { inParts, inTransaction } from "./transaction.ts";

type BatchOptions = {
  upsert: Upsert;
  importId: string | null;
  /** For `merge`, and for the `deferred_links` after it: see `SourceLinks`. */
  sourceLinks?: SourceLinks;
  /** Of an import, for all its batches. */
  told?: SaidOfEnds;
  /** The caller's transaction for everything; otherwise each part of the batch has its own. */
  within?: Tx;
  /** Replaces `services.changed`, for writers that do not wait until the projections have followed. */
  updateProjections?(ids: readonly string[]): Promise<void>;
  /** Further writes in the same transaction. */
  writeAlso?(tx: Tx, results: readonly BatchResult[], items: readonly BatchItem[]): Promise<void>;
};

const REPLACES: Record<Upsert, Replaces> = {
  refuse: "nothing",
  skip: "nothing",
  merge: "others",
  replace: "others and roles",
  deferred_links: "nothing",
  link: "nothing",
};

/** Errors that refuse no item but end the whole import: the database is unavailable, or the import was undone or taken over. */
const ENDS_EVERYTHING: readonly ProblemCode[] = ["unavailable", "gone"];

export async function saveBatch(
  services: Services,
  caller: Account,
  kind: Kind,
  given: readonly BatchItem[],
  options: BatchOptions,
): Promise<BatchResult[]> {
  const numbered = await findNumbered(
    options.within ?? services.sql,
    kind,
    given.flatMap(({ draft: { idno } }) => idno ?? []),
  );
  // the number of a merged record means the one that it is now
  const items = given.map((item): BatchItem => {
    const { idno } = item.draft;
    const now = idno === undefined ? undefined : numbered.get(idno)?.idno;
    return now === undefined || now === idno ? item : { ...item, draft: { ...item.draft, idno: now } };
  });
  const results = new Array<BatchResult>(items.length);
  const touched = new Set<string>();
  const save = async (indexes: readonly number[]): Promise<void> => {
    const part = indexes.map((index) => items[index]!);
    try {
      const saved = await inTransaction(services, options.within, async (tx) => {
        const schema = await schemaToWriteBy(services.sql, tx);
        const writer = writerOf(services, caller, options.importId);
        const done = await saveTogether(tx, schema, caller, writer, kind, part, options);
        await options.writeAlso?.(tx, done.results, part);
        return done;
      });
      indexes.forEach((index, place) => {
        results[index] = saved.results[place]!;
      });
      for (const id of saved.touched) touched.add(id);
    } catch (error) {
      if (!(error instanceof LinksProblem)) throw error;
      const rest: number[] = [];
      for (const index of indexes) {
        const detail = error.refused.get(items[index]!.links!);
        if (detail === undefined) rest.push(index);
        else results[index] = { outcome: "rejected", faults: [{ pointer: "", detail }] };
      }
      await run(rest);
    }
  };
  const refused = async (index: number, problem: Problem) => {
    const { idno } = items[index]!.draft;
    const taken = isTaken(problem.cause)
      ? await takenNumber(options.within ?? services.sql, caller, kind, idno, problem.cause)
      : null;
    const faults = taken
      ? [{ pointer: "/idno", detail: taken.told }]
      : problem.errors.length > 0
        ? problem.errors
        : [{ pointer: "", detail: problem.told }];
    results[index] = { outcome: "rejected", faults };
  };
  const run = (indexes: readonly number[]) =>
    inParts(indexes, { work: save, refused, ends: ENDS_EVERYTHING });
  const idOf = new Map([...numbered.values()].map(({ id, idno }) => [idno, id]));
  const rounds = splitIntoRounds(items, ({ knownId, draft: { id, idno } }) =>
    [knownId ?? id ?? idOf.get(idno ?? ""), idno].filter((key) => key !== undefined),
  );
  for (const round of rounds) await run(round);
  if (!options.within) await (options.updateProjections ?? services.changed)([...touched]);
  return results;
}

async function saveTogether(
  tx: Tx,
  schema: Schema,
  caller: Account,
  writer: Writer,
  kind: Kind,
  items: readonly BatchItem[],
  options: BatchOptions,
): Promise<{ results: BatchResult[]; touched: string[] }> {
  await lockTree(tx, kind);
  await lockLinks(
    tx,
    schema,
    items.flatMap((item) => item.links ?? []),
  );
  const existing = await findExisting(tx, caller, kind, items);
  const hidden = await hiddenParents(
    tx,
    caller,
    items.flatMap((item) => existing(item) ?? []),
  );
  const parents = await findParents(tx, kind, items);
  const results: BatchResult[] = [];
  const created: Planned[] = [];
  const existed: (Planned & { row: RecordRow })[] = [];
  for (const item of items) {
    const row = existing(item);
    if (row && options.upsert === "skip" && maySee(caller, row)) {
      results.push({ outcome: "skipped", id: row.id, idno: row.idno });
      continue;
    }
    const parentFault = parents.fault(item);
    const plan = parentFault
      ? { faults: [parentFault] }
      : planItem(schema, caller, kind, item, row, options.upsert, hidden);
    if ("faults" in plan) {
      results.push({ outcome: "rejected", faults: plan.faults });
      continue;
    }
    if (row && existed.some((other) => other.id === row.id)) {
      // one item names it by id, another by number: the batch is halved until they are apart
      throw new Problem("conflict", said("problem.batch.twice", { idno: row.idno }));
    }
    const planned = { item, id: row?.id ?? newId(), state: plan.state, place: results.length };
    results.push({ outcome: row ? "unchanged" : "created", id: planned.id, idno: plan.state.idno });
    if (row) existed.push({ ...planned, row });
    else created.push(planned);
  }

  await giveNumbers(
    tx,
    kind,
    created.map(({ state }) => state),
  );
  const missingParents = parents.place([...created, ...existed], created);
  const changes: Change[] = existed
    .filter(({ row, state }) => !sameState(stateOf(row), state))
    .map(({ row, state }) => ({ before: row, after: state, action: "updated" }));
  const moved = changes.filter(({ before, after }) => before.parent_id !== after.parent_id);
  await demandTree(tx, caller, kind, [
    ...created.map(({ id, state }) => ({ id, parent_id: state.parent_id })),
    ...moved.map(({ before, after }) => ({ id: before.id, parent_id: after.parent_id })),
  ]);
  await insertRecords(tx, kind, writer, created);
  await updateRecords(tx, kind, writer, changes);
  const linked = [
    ...created.map((one) => ({ ...one, fresh: true })),
    ...existed.map((one) => ({ ...one, fresh: false })),
  ].flatMap(({ item: { links }, id, fresh }) => (links ? [{ id, links, fresh }] : []));
  const { upsert, sourceLinks, told } = options;
  const isAfterMerge = upsert === "deferred_links" && sourceLinks?.isReplaced === false;
  const replaces = isAfterMerge ? "others not given" : REPLACES[upsert];
  const saved = await saveLinks(tx, schema, caller, kind, writer, linked, { replaces, sourceLinks, told });

  const rewritten = new Map(
    changes.map(({ before, after }) => [before.id, { before: stateOf(before), after }]),
  );
  const changed = new Set([...rewritten.keys(), ...saved.changed]);
  for (const { id, state, place } of [...created, ...existed]) {
    const missing = [...(missingParents.get(id) ?? []), ...(saved.missing.get(id) ?? [])];
    const { outcome } = results[place]!;
    results[place] = {
      outcome: outcome === "created" ? "created" : changed.has(id) ? "updated" : "unchanged",
      id,
      idno: state.idno,
      ...(outcome === "created" ? { after: state } : rewritten.get(id)),
      createdEnds: saved.createdEnds.get(id),
      otherTitles: saved.otherTitles.get(id),
      missing: missing.length > 0 ? missing : undefined,
      similar: saved.similar.get(id),
      ambiguous: saved.ambiguous.get(id),
      keptLinks: saved.kept.get(id),
      lostLinks: saved.lost.get(id),
    };
  }
  const touched = [...created.map(({ id }) => id), ...changed, ...saved.touched];
  return { results, touched: [...new Set(touched)] };
}

/** By id, if the caller may see the record, else by number: a number is taken even if the caller may not see its record. */
async function findExisting(
  tx: Tx,
  caller: Account,
  kind: Kind,
  items: readonly BatchItem[],
): Promise<(item: BatchItem) => RecordRow | undefined> {
  const ids = items.flatMap((item) => item.knownId ?? item.draft.id ?? []).map((id) => id.toLowerCase());
  const idnos = items.flatMap((item) => item.draft.idno ?? []);
  const named = ids.length > 0 ? await lockByIds(tx, kind, ids) : [];
  const byId = new Map(named.filter((row) => maySee(caller, row)).map((row) => [row.id, row]));
  const byIdno = new Map(
    (idnos.length > 0 ? await lockByIdno(tx, kind, idnos) : []).map((row) => [row.idno, row]),
  );
  return ({ draft, knownId }) => {
    const id = (knownId ?? draft.id)?.toLowerCase();
    const found = id === undefined ? undefined : byId.get(id);
    return found ?? (draft.idno === undefined ? undefined : byIdno.get(draft.idno));
  };
}
