/** Moving objects (Spectrum 5.1, location and movement control). */
import { type Account, actorId, type Caller, demandAction, mayDo } from "../caller.ts";
import { newId } from "../ids.ts";
import { said } from "../messages/said.ts";
import { type Fault, invalid, Problem } from "../problem.ts";
import { beginImport, endImport } from "../records/batch/imports-store.ts";
import { inTransaction } from "../records/batch/transaction.ts";
import { oneOf } from "../records/kinds.ts";
import { writeMoves } from "../records/links/moves.ts";
import { currentPlaces, movedAfter, STORED_AT } from "../records/links/places.ts";
import { orientRelation } from "../records/links/relations.ts";
import { lockByIds } from "../records/read/store.ts";
import { type RecordRow, stateOf } from "../records/record.ts";
import { type Schema, schemaToWriteBy } from "../records/schema.ts";
import { maySee } from "../records/visibility.ts";
import { writerOf } from "../records/write/store.ts";
import { demandRecord, type Expected } from "../records/write/write.ts";
import type { Services, Tx } from "../services.ts";
import { lastMovement, type Movement } from "./movements.ts";

/** `to`: the id of a storage location; `day`: such as `2026-01-31`. */
export type Move = { to: string; day: string; reason: string };

const STORES = { relation_type: STORED_AT, to_type: "storage_location" } as const;

/** Whether the caller may move objects, and the schema has places for them. */
export function mayMove(schema: Schema, caller: Caller): boolean {
  return (
    mayDo(caller, "update", "object") &&
    mayDo(caller, "read", "storage_location") &&
    "type" in orientRelation(schema, "object", STORES)
  );
}

/** 403 or 422 if not. Returns the schema, which does not change before the transaction ends. */
export async function demandMove(tx: Tx, services: Services, caller: Account): Promise<Schema> {
  demandAction(caller, "update", "object");
  demandAction(caller, "read", "storage_location");
  const schema = await schemaToWriteBy(services.sql, tx);
  const direction = orientRelation(schema, "object", STORES);
  if ("fault" in direction) throw new Problem("invalid", direction.fault);
  return schema;
}

export const today = (): string => new Date().toISOString().slice(0, 10);

/** 422 if the day is still to come everywhere on earth. */
export function demandPast(day: string, pointer: string): void {
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  if (day > tomorrow) throw invalid([{ pointer, detail: said("admin.location.future", { day }) }]);
}

/** The storage location, locked; 422 if the caller does not see it. */
export async function lockPlace(tx: Tx, caller: Account, id: string): Promise<RecordRow> {
  const [place] = await lockByIds(tx, "storage_location", [id]);
  if (place && maySee(caller, place)) return place;
  const detail = said("fault.record.unknown", { kind: oneOf("storage_location"), id });
  throw invalid([{ pointer: "/to", detail }]);
}

/**
 * Moves one object and returns the movement. 412 if its version is another one, 409 if it is elsewhere than the caller says (`from`,
 * null: nowhere), 422 if it is there already, or was moved after this day.
 */
export async function moveObject(
  services: Services,
  caller: Account,
  id: string,
  { to, day, reason }: Move,
  { from, expected = null }: { from?: string | null | undefined; expected?: Expected } = {},
): Promise<Movement> {
  demandPast(day, "/date");
  const movement = await inTransaction(services, undefined, async (tx) => {
    await demandMove(tx, services, caller);
    const row = await demandRecord(tx, caller, "object", id, expected);
    const place = await lockPlace(tx, caller, to);
    const current = (await currentPlaces(tx, [id])).get(id) ?? null;
    if (from !== undefined && from !== current) throw await elsewhere(tx, caller, row);
    if (current === to) {
      const detail = said("fault.move.there", { place: place.title });
      throw invalid([{ pointer: "/to", detail }]);
    }
    const later = (await movedAfter(tx, [id], day)).get(id);
    if (later) throw invalid([{ pointer: "/date", detail: said("fault.move.later", { day: later }) }]);
    await writeMoves(tx, writerOf(services, caller), to, [{ row, after: stateOf(row) }], { day, reason });
    return (await lastMovement(tx, caller, id))!;
  });
  await services.changed([id]);
  return movement;
}

/** Somebody else has moved it meanwhile: where to, and who. */
async function elsewhere(tx: Tx, caller: Account, { id, idno }: RecordRow): Promise<Problem> {
  const last = await lastMovement(tx, caller, id);
  const place = last?.to?.title ?? said("admin.location.nowhere");
  const actor = last?.actor ?? said("admin.theProgram");
  return new Problem("conflict", said("problem.move.elsewhere", { idno, place, actor }));
}

/**
 * Moves many objects, all or none, as one batch edit, by whose id an undo takes it back. Those that are there already stay as they
 * are. 422 names objects that the caller does not see, or that were moved after this day.
 */
export async function moveObjects(
  services: Services,
  caller: Account,
  ids: readonly string[],
  { to, day, reason }: Move,
): Promise<{ importId: string; moved: string[]; unchanged: string[] }> {
  demandPast(day, "/date");
  const importId = newId();
  const wanted = [...new Set(ids)];
  const done = await inTransaction(services, undefined, async (tx) => {
    await demandMove(tx, services, caller);
    const rows = (await lockByIds(tx, "object", wanted)).filter((row) => maySee(caller, row));
    await lockPlace(tx, caller, to);
    const seen = new Set(rows.map(({ id }) => id));
    const later = await movedAfter(tx, wanted, day);
    const faults = wanted.flatMap((id, index): Fault[] => {
      const pointer = `/ids/${index}`;
      if (!seen.has(id))
        return [{ pointer, detail: said("fault.record.unknown", { kind: oneOf("object"), id }) }];
      return later.has(id) ? [{ pointer, detail: said("fault.move.later", { day: later.get(id)! }) }] : [];
    });
    if (faults.length > 0) throw invalid(faults);
    const there = await currentPlaces(tx, wanted);
    const moved = rows.filter(({ id }) => there.get(id) !== to);
    const edit = { what: "link", ...STORES, to_id: to, day, reason };
    const begun = { id: importId, source: "edit", record_type: "object", options: { edit } } as const;
    await beginImport(tx, { ...begun, actor_id: actorId(caller) });
    const objects = moved.map((row) => ({ row, after: stateOf(row) }));
    await writeMoves(tx, writerOf(services, caller, importId), to, objects, { day, reason });
    const counts = { rows_done: rows.length, updated: moved.length, unchanged: rows.length - moved.length };
    const tally = { ...counts, created: 0, skipped: 0, rejected: 0 };
    await endImport(tx, { importId, run: 1 }, "finished", tally);
    return { moved: moved.map(({ id }) => id), unchanged: wanted.filter((id) => there.get(id) === to) };
  });
  await services.changed(done.moved);
  return { importId, ...done };
}
