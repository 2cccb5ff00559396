/** Reads one record, or says why there is none for this caller. */
import type { Caller } from "../../caller.ts";
import { said } from "../../messages/said.ts";
import { Problem } from "../../problem.ts";
import type { Sql, Tx } from "../../services.ts";
import { type Kind, oneOf } from "../kinds.ts";
import { type FoundRecord, findRecord } from "./store.ts";

/** The record; 410 or 404 if the caller may not see it. */
export async function readRecord(
  sql: Sql | Tx,
  caller: Caller,
  kind: Kind,
  id: string,
): Promise<FoundRecord> {
  const row = await findRecord(sql, caller, kind, id);
  if (!row) throw await missing(sql, kind, id);
  return row;
}

/** 410 for a deleted record that was public, otherwise 404. */
export async function missing(sql: Sql | Tx, kind: Kind, id: string): Promise<Problem> {
  const [deleted] = await sql`
    select 1 from records
    where id = ${id} and record_type = ${kind} and deleted_at is not null and published_at is not null`;
  const values = { kind: oneOf(kind), id };
  return deleted
    ? new Problem("gone", said("problem.record.deleted", values))
    : new Problem("not_found", said("problem.record.not_found", values));
}
