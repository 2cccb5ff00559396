/**
 * The location of an object, and moving it (Spectrum 5.1, location and movement control). A move replaces the link to the
 * storage location and records a movement, in one transaction.
 */
import { type Account, type Caller, demandAction, mayDo } from "../caller.ts";
import { said } from "../messages/said.ts";
import { invalid } from "../problem.ts";
import { kinds } from "../records/kinds.ts";
import { CONCERNS } from "../records/loans.ts";
import { STORED_AT } from "../records/places.ts";
import { readRecord } from "../records/read.ts";
import { addRelationIn, listRelations, type RelationJson } from "../records/relations.ts";
import { currentSchema, type Schema } from "../records/schema.ts";
import { createRecordIn, retryWhenNumberTaken } from "../records/write.ts";
import type { Services, Sql, Tx } from "../services.ts";

/** A name of the default schema. An installation without it has to record movements in another way. */
const MOVEMENT = "location_and_movement";

/** `day`: such as `2026-01-31`. */
export type Move = { to: string; day: string; note: string };

/** Whether the caller may move objects: they may write objects and procedures, and the schema has movements. */
export function mayMove(schema: Schema, caller: Caller): boolean {
  return (
    mayDo(caller, "update", "object") &&
    mayDo(caller, "create", "procedure") &&
    mayDo(caller, "read", "storage_location") &&
    schema.relationTypes.has(STORED_AT) &&
    schema.relationTypes.has(CONCERNS) &&
    schema.subtypes.get("procedure")?.has(MOVEMENT) === true
  );
}

/** The links of an object to storage locations: at most one. */
export async function locationsOf(
  sql: Sql | Tx,
  caller: Caller,
  schema: Schema,
  id: string,
): Promise<RelationJson[]> {
  const object = { id, record_type: "object" } as const;
  const { items } = await listRelations(sql, caller, schema, object, {
    limit: 1,
    offset: 0,
    type: STORED_AT,
  });
  return items;
}

/** Returns the number of the movement; 422 if the object is there already. @param move.to id of the storage location */
export async function moveObject(
  services: Services,
  caller: Account,
  id: string,
  { to, day, note }: Move,
): Promise<string> {
  const { sql } = services;
  for (const kind of ["object", "procedure"] as const) {
    demandAction(caller, kind === "object" ? "update" : "create", kind);
  }
  const moved = await retryWhenNumberTaken(() =>
    sql.begin(async (tx) => {
      const schema = await currentSchema(sql, undefined, tx);
      const object = await readRecord(tx, caller, "object", id);
      const place = await readRecord(tx, caller, "storage_location", to);
      const before = await locationsOf(tx, caller, schema, id);
      if (before[0]?.to_id === to)
        throw invalid([
          { pointer: "/to", detail: said("fault.move.there", { place: place.title || place.idno }) },
        ]);
      const from = before[0] && (before[0].to_title || before[0].to_idno);
      const title = `${object.idno}: ${from ? `${from} → ` : "→ "}${place.title || place.idno}`;
      const movement = await createRecordIn(tx, services, caller, "procedure", {
        subtype: MOVEMENT,
        status: "internal",
        start_date: day,
        end_date: day,
        metadata: {
          [kinds.procedure.titleField]: [{ value: title }],
          ...(note === "" ? {} : { note: [{ value: note }] }),
        },
      });
      const end = { kind: "object", id } as const;
      const wish = {
        relation_type: STORED_AT,
        to_type: "storage_location",
        to_id: to,
        metadata_: {},
      } as const;
      await addRelationIn(tx, services, caller, end, wish, null);
      const about = {
        relation_type: CONCERNS,
        to_type: "procedure",
        to_id: movement.id,
        metadata_: {},
      } as const;
      await addRelationIn(tx, services, caller, end, about, null);
      return movement;
    }),
  );
  await services.changed([id, moved.id]);
  return moved.idno;
}
