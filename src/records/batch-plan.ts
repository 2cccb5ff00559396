/** What an item of a batch would make of its record, and whether the caller may. */
import { type Account, mayDo } from "../accounts/caller.ts";
import type { Fault } from "../problem.ts";
import type { BatchItem, Upsert } from "./batch-item.ts";
import type { Kind } from "./kinds.ts";
import { type RecordRow, type RecordState, stateOf } from "./record.ts";
import { mergedState, newState, replacedState, stateFaults } from "./rules.ts";
import type { Schema } from "./schema.ts";

/** The state that an item would give its record, or why it cannot be. */
export function planItem(
  schema: Schema,
  caller: Account,
  kind: Kind,
  item: BatchItem,
  row: RecordRow | undefined,
  upsert: Upsert,
): { state: RecordState } | { faults: readonly Fault[] } {
  const { draft } = item;
  if (row && upsert === "tie") return { state: stateOf(row) };
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
