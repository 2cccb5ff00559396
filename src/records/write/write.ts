/** Writes of records: create, replace, patch, publish. Check → transaction → projection. */
import { type Account, lacks, permissionTo } from "../../caller.ts";
import { newId } from "../../ids.ts";
import { said } from "../../messages/said.ts";
import { type Fault, invalid, invalidAt, jsonPointer, Problem } from "../../problem.ts";
import type { Services, Tx } from "../../services.ts";
import type { Kind, Status } from "../kinds.ts";
import { missing } from "../read/read.ts";
import { hiddenParents, lockAnywhere, lockRecord } from "../read/store.ts";
import { type RecordRow, type RecordState, recordJson, sameEntries, stateOf } from "../record.ts";
import { type Schema, schemaToWriteBy } from "../schema.ts";
import { type Draft, demandDraft, mergePatch } from "../shape.ts";
import { maySee, type Unseen, unseenOf } from "../visibility.ts";
import { giveNumbers } from "./numbers.ts";
import {
  demandPublish,
  demandRemovable,
  demandTree,
  demandValid,
  lockTree,
  newState,
  replacedState,
  stateFaults,
  unseenFaults,
} from "./rules.ts";
import { type Action, type Change, insertRecords, readBack, updateRecords, writerOf } from "./store.ts";
import { isTaken, refuseTaken } from "./taken-number.ts";

/** The versions that the caller expects (`If-Match`); null without the header. */
export type Expected = readonly number[] | "any" | null;

export async function createRecord(
  services: Services,
  caller: Account,
  kind: Kind,
  draft: Draft,
): Promise<RecordRow> {
  const insert = () => services.sql.begin((tx) => createRecordIn(tx, services, caller, kind, draft));
  const idno = draft.idno || undefined;
  const row = await (idno === undefined ? retryWhenNumberTaken(insert) : insert()).catch(
    refuseTaken(services, caller, kind, () => idno),
  );
  await services.changed([row.id]);
  return row;
}

/** The same within a transaction. */
export async function createRecordIn(
  tx: Tx,
  services: Services,
  caller: Account,
  kind: Kind,
  draft: Draft,
): Promise<RecordRow> {
  const id = newId();
  const schema = await schemaToWriteBy(services.sql, tx);
  const state = newState(schema, kind, draft);
  demandValid(schema, kind, state);
  demandPublish(caller, kind, null, state.status);
  if (state.parent_id !== null) await lockTree(tx, kind);
  await demandTree(tx, caller, kind, [{ id, parent_id: state.parent_id }]);
  await giveNumbers(tx, kind, [state]);
  await insertRecords(tx, kind, writerOf(services, caller), [{ id, state }]);
  return readBack(tx, id);
}

/** If somebody else uses the same number at the same moment, the next one is taken. */
export async function retryWhenNumberTaken<T>(insert: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await insert();
    } catch (error) {
      if (attempt === 10 || !isTaken(error)) throw error;
    }
  }
}

export async function replaceRecord(
  services: Services,
  caller: Account,
  kind: Kind,
  id: string,
  draft: Draft,
  expected: Expected,
): Promise<RecordRow> {
  demandSameId(draft, id);
  return change(services, caller, kind, id, expected, "updated", (schema, row, unseen) => {
    demandSeen(schema, caller, kind, draft.metadata);
    return replacedState(schema, row, draft, unseen);
  });
}

export async function patchRecord(
  services: Services,
  caller: Account,
  kind: Kind,
  id: string,
  patch: Record<string, unknown>,
  expected: Expected,
): Promise<RecordRow> {
  return change(services, caller, kind, id, expected, "updated", (schema, row, unseen) => {
    demandSeen(schema, caller, kind, patch.metadata_);
    demandRemovable(schema, row, patch);
    const draft = demandDraft(kind, mergePatch(recordJson(row, row.metadata), patch));
    demandSameId(draft, id);
    return replacedState(schema, row, draft, unseen);
  });
}

function demandSeen(schema: Schema, caller: Account, kind: Kind, metadata: unknown): void {
  const errors = unseenFaults(schema, caller, kind, metadata ?? {});
  if (errors.length > 0)
    throw new Problem("forbidden", lacks(caller, permissionTo("read", kind)), { errors });
}

function demandSameId(draft: Draft, id: string): void {
  if (draft.id !== undefined && draft.id !== id.toLowerCase()) {
    throw invalidAt("/id", said("fault.id.fixed"));
  }
}

/**
 * `also`: other records of any kind that are published in the same transaction, or none is. `importId`: the batch edit or import
 * whose undo takes this back.
 */
export async function changeStatus(
  services: Services,
  caller: Account,
  kind: Kind,
  id: string,
  status: Status,
  expected: Expected,
  { also = [], importId = null }: { also?: readonly string[]; importId?: string | null } = {},
): Promise<RecordRow> {
  if (also.length > 0 && status !== "public") throw invalidAt("/also", said("fault.also.published"));
  let published: string[] = [];
  const row = await change(
    services,
    caller,
    kind,
    id,
    expected,
    "status_changed",
    (_schema, row) => ({ ...stateOf(row), status }),
    async (tx, schema) => {
      published = await publishAlso(
        tx,
        services,
        caller,
        schema,
        also.filter((other) => other.toLowerCase() !== id.toLowerCase()),
      );
    },
    importId,
  );
  if (published.length > 0) await services.changed(published);
  return row;
}

/** Answers the ids of those that were not public. Faults point to the place in `also`. */
async function publishAlso(
  tx: Tx,
  services: Services,
  caller: Account,
  schema: Schema,
  also: readonly string[],
): Promise<string[]> {
  if (also.length === 0) return [];
  const found = (await lockAnywhere(tx, also)).filter((row) => maySee(caller, row));
  const rows = new Map(found.map((row) => [row.id, row]));
  const faults: Fault[] = [];
  const changes = new Map<Kind, Change[]>();
  for (const [n, id] of also.entries()) {
    const row = rows.get(id.toLowerCase());
    if (!row) {
      faults.push({ pointer: jsonPointer("also", n), detail: said("problem.id.unknown") });
      continue;
    }
    if (row.status === "public") continue;
    const kind = row.record_type;
    const after: RecordState = { ...stateOf(row), status: "public" };
    demandPublish(caller, kind, row.status, after.status);
    const unseen = unseenOf(schema, caller, row, new Set()).metadata;
    for (const { pointer, detail } of stateFaults(schema, kind, after, { unseen, before: row.metadata }))
      faults.push({ pointer: `${jsonPointer("also", n)}${pointer}`, detail });
    changes.set(kind, [...(changes.get(kind) ?? []), { before: row, after, action: "status_changed" }]);
  }
  if (faults.length > 0) throw invalid(faults);
  for (const [kind, own] of changes) await updateRecords(tx, kind, writerOf(services, caller), own);
  return [...changes.values()].flat().map(({ before }) => before.id);
}

type Edited = RecordState | { state: RecordState; note: Record<string, unknown> | null };
type Edit = (schema: Schema, row: RecordRow, unseen: Unseen, tx: Tx) => Edited | Promise<Edited>;

/**
 * The steps of every edit: lock, compare versions, make the new state, check it, write it if it differs. `note`: of what else `edit`
 * wrote. `before`: comes before the record is locked.
 */
export async function change(
  services: Services,
  caller: Account,
  kind: Kind,
  id: string,
  expected: Expected,
  action: Action,
  edit: Edit,
  before?: (tx: Tx, schema: Schema) => Promise<void>,
  importId: string | null = null,
): Promise<RecordRow> {
  let idno: string | undefined;
  const work = async (tx: Tx) => {
    const schema = await schemaToWriteBy(services.sql, tx);
    await lockTree(tx, kind);
    await before?.(tx, schema);
    const row = await demandRecord(tx, caller, kind, id, expected);
    const unseen = unseenOf(schema, caller, row, await hiddenParents(tx, caller, [row]));
    const edited = await edit(schema, row, unseen, tx);
    const { state, note } = "state" in edited ? edited : { state: edited, note: null };
    const after = stateOf(state);
    idno = after.idno;
    demandPublish(caller, kind, row.status, after.status);
    demandValid(schema, kind, after, { unseen: unseen.metadata, before: row.metadata });
    if (note === null && sameState(stateOf(row), after)) return { row, changed: false };
    if (after.parent_id !== row.parent_id)
      await demandTree(tx, caller, kind, [{ id, parent_id: after.parent_id }]);
    const kept =
      action === "updated" && after.status !== row.status && onlyStatus(row, after)
        ? "status_changed"
        : action;
    await updateRecords(tx, kind, writerOf(services, caller, importId), [
      { before: row, after, action: kept, ...(note ? { note } : {}) },
    ]);
    return { row: await readBack(tx, id), changed: true };
  };
  const done = await services.sql.begin(work).catch(refuseTaken(services, caller, kind, () => idno));
  if (done.changed) await services.changed([id]);
  return done.row;
}

/** The record, locked, if the caller may see it. */
export async function demandRecord(
  tx: Tx,
  caller: Account,
  kind: Kind,
  id: string,
  expected: Expected,
): Promise<RecordRow> {
  const row = await lockRecord(tx, kind, id);
  if (!row || !maySee(caller, row)) throw await missing(tx, caller, kind, id);
  demandVersion(row, expected);
  return row;
}

export function demandVersion(row: RecordRow, expected: Expected): void {
  if (expected !== null && expected !== "any" && !expected.includes(row.version)) {
    const values = { idno: row.idno, version: String(row.version) };
    const changed =
      expected.length > 0
        ? said("problem.record.changed", { ...values, expected: expected.join(", ") })
        : said("problem.record.etag", values);
    throw new Problem("stale", changed, { headers: { ETag: `"${row.version}"` } });
  }
}

/** Compares states as stored: the order of top-level keys does not matter, the order of entries does. */
export function sameState(a: RecordState, b: RecordState): boolean {
  const names = new Set([...Object.keys(a.metadata), ...Object.keys(b.metadata)]);
  for (const name of names) {
    if (!sameEntries(a.metadata[name], b.metadata[name])) return false;
  }
  return (Object.keys(a) as (keyof RecordState)[]).every((key) => key === "metadata" || a[key] === b[key]);
}

function onlyStatus(row: RecordRow, after: RecordState): boolean {
  return sameState({ ...stateOf(row), status: after.status }, after);
}
