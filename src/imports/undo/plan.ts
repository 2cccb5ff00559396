/** Decides from the history of a record what the undo of an import does to it. */
import { type Said, said } from "../../messages/said.ts";
import type { NotedLink } from "../../records/read/link-changes.ts";
import type { RecordRow, RecordState } from "../../records/record.ts";
import type { HistoryEntry } from "./store.ts";

export type UndoPlan =
  /** The import created it. */
  | { what: "trash"; row: RecordRow }
  /** The import changed it. */
  | { what: "restore"; row: RecordRow; state: RecordState; added: NotedLink[]; removed: NotedLink[] }
  /** The bulk edit moved it to the trash. */
  | { what: "untrash"; row: RecordRow }
  | { what: "left"; row: RecordRow; reason: Said }
  /** An earlier undo of the same import has undone it. */
  | { what: "done" }
  /** Somebody else has deleted it. */
  | { what: "gone" };

export type Restore = Extract<UndoPlan, { what: "restore" }>;

/** `history`: the entries since the import first wrote the record, in order. Later imports that were undone do not count. */
export function planUndo(
  importId: string,
  row: RecordRow | undefined,
  history: readonly HistoryEntry[],
): UndoPlan {
  if (!row) return { what: "gone" };
  const own = history.filter((entry) => entry.import_id === importId);
  const last = own.at(-1)!;
  if (history.some((entry) => entry.undone === importId && entry.version > last.version))
    return { what: "done" };
  const created = own[0]!.action === "created";
  const since = history.filter(
    ({ import_id, undone, version }) =>
      import_id !== importId &&
      undone === null &&
      !history.some((later) => later.version > version && import_id !== null && later.undone === import_id),
  );
  const latest = since.at(-1);
  if (latest && created && row.deleted_at !== null) return { what: "gone" };
  if (!latest && row.deleted_at !== null && last.action === "deleted") return { what: "untrash", row };
  if (row.deleted_at !== null) return { what: "left", row, reason: said("job.undo.in_trash") };
  if (latest) return { what: "left", row, reason: changedSince(latest, row) };
  if (created) return { what: "trash", row };
  return { what: "restore", row, state: own[0]!.before!, ...linksChanged(own) };
}

/** The links that the import added, and those that it removed unless it had added them itself. */
function linksChanged(own: readonly HistoryEntry[]): Pick<Restore, "added" | "removed"> {
  const added = new Map<string, NotedLink>();
  const removed: NotedLink[] = [];
  const keyOf = ({ from_id, relation_type, to_id, metadata }: NotedLink) =>
    JSON.stringify([from_id, relation_type, to_id, metadata]);
  for (const { note } of own) {
    removed.push(...(note?.removed ?? []).filter((link) => !added.has(keyOf(link))));
    for (const link of note?.added ?? []) added.set(keyOf(link), link);
  }
  return { added: [...added.values()], removed };
}

/** The actions with a message of their own. All others count as edited. */
const DEEDS = [
  "updated",
  "status_changed",
  "published",
  "unpublished",
  "restored",
  "reverted",
  "relation_added",
  "relation_changed",
  "relation_removed",
  "media_added",
  "media_changed",
  "media_removed",
  "media_restored",
  "merged",
  "unmerged",
] as const;

function changedSince({ action, actor, at, status_before }: HistoryEntry, { status }: RecordRow): Said {
  const crossed = status === "public" ? "published" : status_before === "public" ? "unpublished" : action;
  const did = action === "status_changed" ? crossed : action;
  const deed = DEEDS.find((one) => one === did) ?? "updated";
  return said(`job.undo.since.${deed}`, { actor: actor ?? said("job.undo.operator"), day: at.slice(0, 10) });
}
