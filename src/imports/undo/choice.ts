/** Decides from their current state and links which records of an import can be undone, and says why the others stay. */
import { type Account, lacks, mayDo, permissionTo } from "../../caller.ts";
import { said, type Told } from "../../messages/said.ts";
import type { Kind } from "../../records/kinds.ts";
import type { RecordRow } from "../../records/record.ts";
import type { Schema } from "../../records/schema.ts";
import { stateFaults } from "../../records/write/rules.ts";
import type { Sql, Tx } from "../../services.ts";
import { planUndo, type Restore, type UndoPlan } from "./plan.ts";
import { type Dependent, findDependents, historySince, numbersTaken } from "./store.ts";

/**
 * A record that the undo leaves as it is. `unchanged`: nobody has edited it since the import, so its history does not show that
 * it stays. `dependent`: the record that needs it.
 */
export type LeftRecord = { row: RecordRow; reason: Told; unchanged?: boolean; dependent?: Dependent };

/** What the undo of some records did. `done`: undone by an earlier run; `gone`: deleted by somebody else. */
export type PartDone = {
  restored: RecordRow[];
  trashed: RecordRow[];
  links: number;
  left: LeftRecord[];
  done: number;
  gone: number;
};

export type UndoContext = {
  importId: string;
  dryRun: boolean;
  /** Records that the import created but that stay. */
  kept: ReadonlySet<string>;
};

export const emptyPart = (): PartDone => ({
  restored: [],
  trashed: [],
  links: 0,
  left: [],
  done: 0,
  gone: 0,
});

export function groupedBy<T, K>(items: readonly T[], key: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const own = groups.get(key(item)) ?? [];
    own.push(item);
    groups.set(key(item), own);
  }
  return groups;
}

export async function plansFor(
  sql: Sql | Tx,
  importId: string,
  ids: readonly string[],
  rows: readonly RecordRow[],
): Promise<Map<string, UndoPlan>> {
  const histories = groupedBy(await historySince(sql, importId, ids), ({ record_id }) => record_id);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return new Map(ids.map((id) => [id, planUndo(importId, byId.get(id), histories.get(id) ?? [])]));
}

/** The created records that can go to the trash, because no other record needs them. Adds the others to `part.left`. */
export async function trashable(
  sql: Sql | Tx,
  caller: Account,
  undo: UndoContext,
  plans: ReadonlyMap<string, UndoPlan>,
  part: PartDone,
): Promise<RecordRow[]> {
  const rows: RecordRow[] = [];
  const dependents = await findDependents(
    sql,
    undo.importId,
    [...plans].flatMap(([id, { what }]) => (what === "trash" ? [id] : [])),
    [...undo.kept],
  );
  for (const [id, plan] of plans) {
    if (plan.what !== "trash") continue;
    const { row } = plan;
    const dependent = dependents.get(id);
    if (dependent) part.left.push(inUse(row, dependent));
    else if (!mayDo(caller, "delete", row.record_type))
      part.left.push({ row, reason: lacks(caller, permissionTo("delete", row.record_type)) });
    else rows.push(row);
  }
  return rows;
}

export function inUse(row: RecordRow, dependent: Dependent): LeftRecord {
  return { row, reason: said("job.undo.in_use", { number: dependent.idno }), dependent };
}

/** A record that nobody has edited since, but whose former state is no longer possible. */
export const impossible = (row: RecordRow, fault: Told): LeftRecord => ({
  row,
  reason: said("job.undo.impossible", { fault }),
  unchanged: true,
});

/** The records whose former state is still valid, so that they can be restored. Adds the others to `part`. */
export async function restorable(
  sql: Sql | Tx,
  schema: Schema,
  caller: Account,
  plans: ReadonlyMap<string, UndoPlan>,
  part: PartDone,
): Promise<Restore[]> {
  const wanted: Restore[] = [];
  for (const plan of plans.values()) {
    if (plan.what === "done" || plan.what === "gone") part[plan.what] += 1;
    else if (plan.what === "left") part.left.push({ row: plan.row, reason: plan.reason });
    else if (plan.what === "restore") {
      const fault =
        lackingPermission(caller, plan) ??
        stateFaults(schema, plan.row.record_type, plan.state, { before: plan.state.metadata })[0]?.detail;
      if (fault) part.left.push(impossible(plan.row, fault));
      else wanted.push(plan);
    }
  }
  const free: Restore[] = [];
  for (const [kind, own] of groupedBy(wanted, ({ row }) => row.record_type)) {
    const renamed = own.filter(({ row, state }) => row.idno !== state.idno);
    const taken = await takenNumbers(sql, kind, renamed);
    for (const plan of own) {
      if (taken.has(plan.state.idno) && renamed.includes(plan))
        part.left.push(impossible(plan.row, said("job.undo.number_taken", { number: plan.state.idno })));
      else free.push(plan);
    }
  }
  return free;
}

async function takenNumbers(sql: Sql | Tx, kind: Kind, renamed: readonly Restore[]): Promise<Set<string>> {
  if (renamed.length === 0) return new Set();
  return numbersTaken(
    sql,
    kind,
    renamed.map(({ state }) => state.idno),
    renamed.map(({ row }) => row.id),
  );
}

function lackingPermission(caller: Account, { row, state }: Restore): Told | undefined {
  const kind = row.record_type;
  if (!mayDo(caller, "update", kind)) return lacks(caller, permissionTo("update", kind));
  const crosses = row.status !== state.status && (row.status === "public" || state.status === "public");
  return crosses && !mayDo(caller, "publish", kind)
    ? lacks(caller, permissionTo("publish", kind))
    : undefined;
}
