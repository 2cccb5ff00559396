/** Restores records that a bulk edit moved to the trash, one by one, as a user would. */
import { type Account, lacks, mayDo } from "../../caller.ts";
import { Problem } from "../../problem.ts";
import type { RecordRow } from "../../records/record.ts";
import { restoreRecord } from "../../records/write/trash.ts";
import type { Services, Sql } from "../../services.ts";
import { emptyPart, impossible, type PartDone, plansFor, type UndoContext } from "./choice.ts";
import { recordsOf } from "./store.ts";

/** Which of these records are in the trash because of the edit. */
export async function trashedByEdit(
  sql: Sql,
  importId: string,
  ids: readonly string[],
): Promise<RecordRow[]> {
  const plans = await plansFor(sql, importId, ids, await recordsOf(sql, ids));
  return [...plans.values()].flatMap((plan) => (plan.what === "untrash" ? plan.row : []));
}

export async function restoreFromTrash(
  services: Services,
  caller: Account,
  { importId, dryRun }: UndoContext,
  rows: readonly RecordRow[],
): Promise<PartDone> {
  const part = emptyPart();
  for (const row of rows) {
    if (!mayDo(caller, "delete", row.record_type)) {
      part.left.push(impossible(row, lacks(caller, "delete")));
      continue;
    }
    try {
      const note = { import_undone: importId };
      if (!dryRun) await restoreRecord(services, caller, row.record_type, row.id, [row.version], note);
      part.restored.push(row);
    } catch (error) {
      if (!(error instanceof Problem) || error.status >= 500) throw error;
      part.left.push(impossible(row, error.errors[0]?.detail ?? error.told));
    }
  }
  return part;
}
