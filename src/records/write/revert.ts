/** Restores an older version of a record: its fields, its links or both. */
import { type Account, demandAction } from "../../caller.ts";
import type { Services } from "../../services.ts";
import type { Kind } from "../kinds.ts";
import { lockHierarchies } from "../links/hierarchies.ts";
import { revertLinks } from "../links/reverting.ts";
import { stateAt } from "../read/history.ts";
import { type RecordRow, stateOf } from "../record.ts";
import { change, type Expected } from "./write.ts";

/** What an older version is restored for. */
export type Part = "fields" | "links" | "all";

/**
 * Saves the fields, links or both of an older version as a new one, for callers who may read the history. It never changes the
 * status.
 */
export async function revertRecord(
  services: Services,
  caller: Account,
  kind: Kind,
  id: string,
  { version, part }: { version: number; part: Part },
  expected: Expected,
): Promise<RecordRow> {
  const edit: Parameters<typeof change>[6] = async (schema, row, _unseen, tx) => {
    demandAction(caller, "read", kind);
    const state = await stateAt(tx, row, version);
    const note = part === "fields" ? null : await revertLinks(tx, schema, caller, row, version);
    return { state: part === "links" ? stateOf(row) : { ...state, status: row.status }, note };
  };
  return change(services, caller, kind, id, expected, "reverted", edit, async (tx, schema) => {
    if (part !== "fields") await lockHierarchies(tx, [...schema.relationTypes.values()]);
  });
}
