/** Restores an older version of a record: its fields, its links or both. */
import { type Account, demandAction } from "../../caller.ts";
import type { Services, Sql } from "../../services.ts";
import type { Kind } from "../kinds.ts";
import { lockHierarchies } from "../links/hierarchies.ts";
import { linksToRevert, revertLinks } from "../links/reverting.ts";
import { type HistoryItem, stateAt, stateChanges } from "../read/history.ts";
import { type RecordRow, type RecordState, stateOf } from "../record.ts";
import type { Schema } from "../schema.ts";
import { tidyMetadata } from "./fields.ts";
import { change, type Expected } from "./write.ts";

/** What an older version is restored for. */
export type Part = "fields" | "links" | "all";

type Wanted = { version: number; part: Part };

/** The status stays as it is. Merged terms are the ones that they are now. */
function stateThen(schema: Schema, row: RecordRow, part: Part, state: RecordState): RecordState {
  if (part === "links") return stateOf(row);
  const metadata = { ...state.metadata, ...tidyMetadata(schema, row.record_type, state.metadata) };
  return { ...state, metadata, status: row.status };
}

/** What restoring the version would change, as the history would tell it. */
export async function previewRevert(
  sql: Sql,
  schema: Schema,
  caller: Account,
  row: RecordRow,
  { version, part }: Wanted,
): Promise<Pick<HistoryItem, "record_id" | "action" | "changes" | "note">> {
  const state = stateThen(schema, row, part, await stateAt(sql, row, version));
  return {
    record_id: row.id,
    action: "reverted",
    changes: stateChanges(row, stateOf(row), state),
    note: part === "fields" ? null : await linksToRevert(sql, schema, caller, row, version),
  };
}

/**
 * Saves the fields, links or both of an older version as a new one, for callers who may read the history. It never changes the
 * status.
 */
export async function revertRecord(
  services: Services,
  caller: Account,
  kind: Kind,
  id: string,
  { version, part }: Wanted,
  expected: Expected,
): Promise<RecordRow> {
  const edit: Parameters<typeof change>[6] = async (schema, row, _unseen, tx) => {
    demandAction(caller, "read", kind);
    const state = await stateAt(tx, row, version);
    const note = part === "fields" ? null : await revertLinks(tx, schema, caller, row, version);
    return { state: stateThen(schema, row, part, state), note };
  };
  return change(services, caller, kind, id, expected, "reverted", edit, async (tx, schema) => {
    if (part !== "fields") await lockHierarchies(tx, [...schema.relationTypes.values()]);
  });
}
