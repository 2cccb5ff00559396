/** Reads one record, or says why there is none for this caller. */
import type { Caller } from "../../caller.ts";
import { said } from "../../messages/said.ts";
import { Problem } from "../../problem.ts";
import type { Sql, Tx } from "../../services.ts";
import { type Kind, oneOf } from "../kinds.ts";
import { mergedTarget } from "../merge/store.ts";
import { IdShape } from "../shape.ts";
import { type FoundRecord, findRecord } from "./store.ts";

/** An id in an address; 404 for anything else. */
export function demandId(kind: Kind, id: string): string {
  if (IdShape.safeParse(id).success) return id;
  const values = { kind: oneOf(kind), id: id.slice(0, 100) };
  throw new Problem("not_found", said("problem.record.not_found", values));
}

/** The record; 410 or 404 if the caller may not see it. */
export async function readRecord(
  sql: Sql | Tx,
  caller: Caller,
  kind: Kind,
  id: string,
): Promise<FoundRecord> {
  const row = await findRecord(sql, caller, kind, id);
  if (!row) throw await missing(sql, caller, kind, id);
  return row;
}

/** 410 for a deleted record that was public, otherwise 404. Readers of a merged record are led to the other one, if they may see it. */
export async function missing(sql: Sql | Tx, caller: Caller, kind: Kind, id: string): Promise<Problem> {
  const [deleted] = await sql<{ was_public: boolean; merged: boolean }[]>`
    select published_at is not null as was_public, merged_into is not null as merged from records
    where id = ${id} and record_type = ${kind} and deleted_at is not null`;
  const values = { kind: oneOf(kind), id };
  const target = deleted?.merged ? await mergedTarget(sql, caller, id) : undefined;
  const moved = target && { from: id, to: target.id };
  return deleted?.was_public
    ? new Problem("gone", said("problem.record.deleted", values), { moved })
    : new Problem("not_found", said("problem.record.not_found", values), { moved });
}
