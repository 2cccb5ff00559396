/** Decides from the history of a record what the undo of an import does to it. Pure. */
import type { RecordRow, RecordState } from "../records/record.ts";
import type { HistoryEntry, NotedLink } from "./undo-store.ts";

export type UndoPlan =
  /** The import made it. */
  | { what: "trash"; row: RecordRow }
  /** The import changed it. */
  | { what: "restore"; row: RecordRow; state: RecordState; added: NotedLink[]; removed: NotedLink[] }
  /** It put it into the trash. */
  | { what: "untrash"; row: RecordRow }
  | { what: "left"; row: RecordRow; reason: string }
  /** Taken back before. */
  | { what: "done" }
  /** In the trash, or purged from it, by somebody else. */
  | { what: "gone" };

/** `deeds`: of this record, in order, from the import's first. What a later import did and was taken back is nothing. */
export function planUndo(
  importId: string,
  row: RecordRow | undefined,
  deeds: readonly HistoryEntry[],
): UndoPlan {
  if (!row) return { what: "gone" };
  const own = deeds.filter((deed) => deed.import_id === importId);
  const last = own.at(-1)!;
  if (deeds.some((deed) => deed.undone === importId && deed.version > last.version)) return { what: "done" };
  const created = own[0]!.action === "created";
  const since = deeds.filter(
    ({ import_id, undone, version }) =>
      import_id !== importId &&
      undone === null &&
      !deeds.some((later) => later.version > version && import_id !== null && later.undone === import_id),
  );
  const latest = since.at(-1);
  if (latest && created && row.deleted_at !== null) return { what: "gone" };
  if (!latest && row.deleted_at !== null && last.action === "deleted") return { what: "untrash", row };
  if (row.deleted_at !== null) return { what: "left", row, reason: "lies in the trash" };
  if (latest) return { what: "left", row, reason: sentenceOf(latest) };
  if (created) return { what: "trash", row };
  const added = own.flatMap(({ note }) => note?.added ?? []);
  const removed = own.flatMap(({ note }) => note?.removed ?? []);
  return { what: "restore", row, state: own[0]!.before!, added, removed };
}

const ACTIONS: Readonly<Record<string, string>> = {
  updated: "edited",
  status_changed: "published or taken back",
  restored: "restored from the trash",
  reverted: "set back to an older version",
  relation_added: "linked",
  relation_changed: "changed in one of its links",
  relation_removed: "parted from another record",
  media_added: "given a medium",
  media_changed: "changed in one of its media",
  media_removed: "relieved of a medium",
  media_restored: "given a medium back",
};

function sentenceOf({ action, actor, at }: HistoryEntry): string {
  return `${ACTIONS[action] ?? action} since by ${actor ?? "somebody at the command line"} (${at.slice(0, 10)})`;
}
