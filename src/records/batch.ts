/**
 * Many records at once, as imports and bulk edits write them. One bad item never stops the others: a batch that the
 * database refuses is halved until the item that cannot be is alone.
 */
import { type Account, actorId, mayDo } from "../accounts/caller.ts";
import { databaseProblem } from "../http/requests.ts";
import { newId } from "../ids.ts";
import { type Fault, Problem } from "../problem.ts";
import type { Services, Sql, Tx } from "../services.ts";
import { CircleProblem, type ItemLinks, lockLinks, type MadeEnd, saveLinks } from "./batch-links.ts";
import { dataProblem, inTransaction } from "./batch-transaction.ts";
import type { Kind } from "./kinds.ts";
import { nextIdnos } from "./numbers.ts";
import { type RecordRow, type RecordState, stateOf } from "./record.ts";
import { demandTree, lockTree, mergedState, newState, replacedState, stateFaults } from "./rules.ts";
import { type Change, type Hand, insertRecords, updateRecords } from "./save.ts";
import { currentSchema, type Schema } from "./schema.ts";
import type { Draft } from "./shape.ts";
import { findIds, lockByIdno, lockByIds } from "./store.ts";
import { sameState } from "./write.ts";

/** What happens when the record is there already. `refuse`: the item is rejected. */
export type Upsert = "refuse" | "skip" | "merge" | "replace";

export type BatchItem = {
  draft: Draft;
  /** The record that this item is known to be, for example because an earlier run of the same file made it. */
  knownId?: string;
  links?: ItemLinks;
};

export type BatchResult =
  | {
      outcome: "created" | "updated" | "unchanged" | "skipped";
      id: string;
      idno: string;
      before?: RecordState;
      after?: RecordState;
      /** Far ends of its links that had to be made; each stands with the first item that wished for it. */
      made?: readonly MadeEnd[];
    }
  | { outcome: "rejected"; faults: readonly Fault[] };

export type BatchOptions = {
  upsert: Upsert;
  importId: string | null;
  /** The caller's transaction, to do everything in; else each part of the batch has one of its own. */
  within?: Tx;
  /** Instead of `services.changed`, for writers that go on while the projection follows. */
  follow?(ids: readonly string[]): Promise<void>;
  /** Part of the same transaction: what else must be remembered together with the records. */
  together?(tx: Tx, results: readonly BatchResult[], items: readonly BatchItem[]): Promise<void>;
};

export async function saveBatch(
  services: Services,
  caller: Account,
  kind: Kind,
  items: readonly BatchItem[],
  options: BatchOptions,
): Promise<BatchResult[]> {
  const schema = await currentSchema(services.sql, undefined, options.within);
  const results = new Array<BatchResult>(items.length);
  const touched = new Set<string>();
  const run = async (indexes: readonly number[]): Promise<void> => {
    if (indexes.length === 0) return;
    const part = indexes.map((index) => items[index]!);
    try {
      const saved = await inTransaction(services, options.within, async (tx) => {
        const done = await saveTogether(tx, schema, caller, kind, part, options);
        await options.together?.(tx, done.results, part);
        return done;
      });
      indexes.forEach((index, place) => {
        results[index] = saved.results[place]!;
      });
      for (const id of saved.touched) touched.add(id);
    } catch (error) {
      const problem = error instanceof Problem ? error : (databaseProblem(error) ?? dataProblem(error));
      if (!problem || problem.code === "unavailable") throw error;
      if (indexes.length === 1) {
        const faults =
          problem.errors.length > 0 ? problem.errors : [{ pointer: "", detail: problem.message }];
        results[indexes[0]!] = { outcome: "rejected", faults };
        return;
      }
      if (problem instanceof CircleProblem) {
        const inCircle = (index: number) => problem.links.includes(items[index]!.links!);
        for (const index of indexes.filter(inCircle))
          results[index] = { outcome: "rejected", faults: [{ pointer: "", detail: problem.message }] };
        await run(indexes.filter((index) => !inCircle(index)));
        return;
      }
      const middle = Math.ceil(indexes.length / 2);
      await run(indexes.slice(0, middle));
      await run(indexes.slice(middle));
    }
  };
  const idOf = await namesakes(options.within ?? services.sql, kind, items);
  for (const wave of waves(items, idOf)) await run(wave);
  if (!options.within) await (options.follow ?? services.changed)([...touched]);
  return results;
}

/** The ids of records that some items name by their number, when others of the batch may name the same by id. */
async function namesakes(
  sql: Sql | Tx,
  kind: Kind,
  items: readonly BatchItem[],
): Promise<ReadonlyMap<string, string>> {
  const isNamedById = (item: BatchItem) => (item.knownId ?? item.draft.id) !== undefined;
  if (!items.some(isNamedById)) return new Map();
  const idnos = items.flatMap((item) => (isNamedById(item) ? [] : (item.draft.idno ?? [])));
  return idnos.length === 0 ? new Map() : findIds(sql, kind, idnos);
}

/** Items that name the same record come one after the other, so that the second meets what the first made. */
function waves(items: readonly BatchItem[], idOf: ReadonlyMap<string, string>): number[][] {
  const all: number[][] = [];
  const seen = new Map<string, number>();
  items.forEach((item, index) => {
    const { id, idno } = item.draft;
    const keys = [item.knownId ?? id ?? idOf.get(idno ?? ""), idno].filter((key) => key !== undefined);
    const wave = 1 + Math.max(-1, ...keys.map((key) => seen.get(key) ?? -1));
    for (const key of keys) seen.set(key, wave);
    const members = all[wave] ?? [];
    members.push(index);
    all[wave] = members;
  });
  return all;
}

async function saveTogether(
  tx: Tx,
  schema: Schema,
  caller: Account,
  kind: Kind,
  items: readonly BatchItem[],
  options: BatchOptions,
): Promise<{ results: BatchResult[]; touched: string[] }> {
  const hand: Hand = { actorId: actorId(caller), importId: options.importId };
  await lockTree(tx, kind);
  await lockLinks(
    tx,
    schema,
    items.flatMap((item) => item.links ?? []),
  );
  const existing = await findExisting(tx, kind, items);
  const results: BatchResult[] = [];
  const created: { id: string; state: RecordState }[] = [];
  const changes: Change[] = [];
  const touched: string[] = [];
  const linked: { id: string; links: ItemLinks; fresh: boolean }[] = [];

  for (const item of items) {
    const row = existing(item);
    if (row && options.upsert === "skip") {
      results.push({ outcome: "skipped", id: row.id, idno: row.idno });
      continue;
    }
    const plan = planItem(schema, caller, kind, item, row, options.upsert);
    if ("faults" in plan) {
      results.push({ outcome: "rejected", faults: plan.faults });
      continue;
    }
    const { state } = plan;
    if (!row) {
      const id = newId();
      created.push({ id, state });
      results.push({ outcome: "created", id, idno: state.idno, after: state });
      touched.push(id);
      if (item.links) linked.push({ id, links: item.links, fresh: true });
      continue;
    }
    if (changes.some((change) => change.before.id === row.id)) {
      // named in two ways that nobody could foresee: halving brings the two one after the other
      throw new Problem("conflict", `${row.idno} stands twice in this batch`);
    }
    if (item.links) linked.push({ id: row.id, links: item.links, fresh: false });
    if (sameState(stateOf(row), state)) {
      results.push({ outcome: "unchanged", id: row.id, idno: row.idno });
      continue;
    }
    if (state.parent_id !== row.parent_id) await demandTree(tx, kind, row.id, state.parent_id);
    changes.push({ before: row, after: state, action: "updated" });
    results.push({ outcome: "updated", id: row.id, idno: state.idno, before: stateOf(row), after: state });
    touched.push(row.id);
  }

  await numberThem(tx, kind, created, results);
  for (const { id, state } of created) await demandTree(tx, kind, id, state.parent_id);
  await insertRecords(tx, kind, hand, created);
  await updateRecords(tx, kind, hand, changes);
  await demandTreeAgain(tx, kind, changes);
  const relinked = await saveLinks(tx, schema, caller, kind, hand, linked, options.upsert === "replace");
  for (const id of relinked.changed) {
    const place = results.findIndex((result) => result.outcome === "unchanged" && result.id === id);
    const same = results[place];
    if (same?.outcome === "unchanged") results[place] = { ...same, outcome: "updated" };
  }
  for (const result of results) {
    const made = result.outcome === "rejected" ? undefined : relinked.made.get(result.id);
    if (made) Object.assign(result, { made });
  }
  return { results, touched: [...new Set([...touched, ...relinked.touched])] };
}

/** Moves that are sound one by one may make a circle together. */
async function demandTreeAgain(tx: Tx, kind: Kind, changes: readonly Change[]): Promise<void> {
  const moves = changes.filter(({ before, after }) => before.parent_id !== after.parent_id);
  if (moves.length < 2) return;
  for (const { before, after } of moves) await demandTree(tx, kind, before.id, after.parent_id);
}

async function numberThem(
  tx: Tx,
  kind: Kind,
  created: readonly { id: string; state: RecordState }[],
  results: readonly BatchResult[],
): Promise<void> {
  const unnumbered = created.filter(({ state }) => state.idno === "");
  if (unnumbered.length === 0) return;
  const numbers = await nextIdnos(tx, kind, unnumbered.length);
  const byId = new Map(
    results.flatMap((result) => (result.outcome === "created" ? [[result.id, result] as const] : [])),
  );
  unnumbered.forEach(({ id, state }, index) => {
    state.idno = numbers[index]!;
    byId.get(id)!.idno = state.idno;
  });
}

async function findExisting(
  tx: Tx,
  kind: Kind,
  items: readonly BatchItem[],
): Promise<(item: BatchItem) => RecordRow | undefined> {
  const ids = items.flatMap((item) => item.knownId ?? item.draft.id ?? []).map((id) => id.toLowerCase());
  const idnos = items.flatMap((item) => item.draft.idno ?? []);
  const byId = new Map((ids.length > 0 ? await lockByIds(tx, kind, ids) : []).map((row) => [row.id, row]));
  const byIdno = new Map(
    (idnos.length > 0 ? await lockByIdno(tx, kind, idnos) : []).map((row) => [row.idno, row]),
  );
  return ({ draft, knownId }) => {
    const id = (knownId ?? draft.id)?.toLowerCase();
    const found = id === undefined ? undefined : byId.get(id);
    return found ?? (draft.idno === undefined ? undefined : byIdno.get(draft.idno));
  };
}

/** The state that an item would give its record, or why it cannot be. */
function planItem(
  schema: Schema,
  caller: Account,
  kind: Kind,
  item: BatchItem,
  row: RecordRow | undefined,
  upsert: Upsert,
): { state: RecordState } | { faults: readonly Fault[] } {
  const { draft } = item;
  if (!row && draft.id !== undefined) {
    return {
      faults: [
        {
          pointer: "/id",
          detail: `there is no ${kind.replace("_", " ")} ${draft.id}; leave the id out to create one`,
        },
      ],
    };
  }
  if (row && upsert === "refuse") {
    return {
      faults: [
        { pointer: "/idno", detail: `${row.idno} exists already (use upsert to skip, merge or replace)` },
      ],
    };
  }
  const state = !row
    ? newState(schema, kind, draft)
    : upsert === "merge"
      ? stateOf(mergedState(schema, row, draft) as RecordState)
      : replacedState(schema, row, draft);
  const faults = stateFaults(schema, kind, state);
  if (faults.length > 0) return { faults };
  const lacking = lackingPermission(caller, kind, row?.status ?? null, state.status);
  return lacking
    ? { faults: [{ pointer: "", detail: `the role ${caller.role} lacks ${lacking}` }] }
    : { state };
}

function lackingPermission(caller: Account, kind: Kind, from: string | null, to: string): string | null {
  if (!mayDo(caller, from === null ? "create" : "update", kind)) return from === null ? "create" : "update";
  const crosses = from !== to && (from === "public" || to === "public");
  return crosses && !mayDo(caller, "publish", kind) ? "publish" : null;
}
