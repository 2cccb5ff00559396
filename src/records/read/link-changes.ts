/** What versions changed in links, from the notes of the history, as a reader of one of their ends may see it. */
import type { Caller } from "../../caller.ts";
import type { Sql, Tx } from "../../services.ts";
import type { Metadata, RecordRow } from "../record.ts";
import type { Schema } from "../schema.ts";
import { maySeeLinksOf, readsAll, visibleDeleted, visibleTo } from "../visibility.ts";
import type { HistoryItem } from "./history.ts";
import { recordColumns } from "./store.ts";

/** A link as a note has it. `id`: only of one that was changed, removed or restored. `metadata`: not noted by earlier versions of the program. */
export type NotedLink = {
  id?: string;
  relation_type: string;
  from_id: string;
  to_id: string;
  metadata?: Metadata;
  created_at?: string;
};

/** `from`, `to`: what the link said before and after, or null without a link. Both are null if it could not be restored. */
type NotedChange = { link: NotedLink; from: Metadata | null; to: Metadata | null };

/** `relation_type`: as it is called from the record whose history it is. `end`: the other record, null if it was deleted for good. */
export type LinkChange = NotedChange & { relation_type: string; end: RecordRow | null };

type Noted = Pick<HistoryItem, "action" | "note" | "record_id">;

/** A link that changes is in the note of its change, or among the removed and the added ones. */
export function notedChanges({ action, note, record_id }: Noted): NotedChange[] {
  const {
    added = [],
    removed = [],
    left: unrestored = [],
    now,
    relation_id: id,
    ...own
  } = (note ?? {}) as Partial<NotedLink> & {
    added?: NotedLink[];
    removed?: NotedLink[];
    left?: NotedLink[];
    now?: Metadata;
    relation_id?: string;
  };
  const all: NotedChange[] = [];
  if (own.relation_type !== undefined && own.to_id !== undefined) {
    const link = { from_id: record_id, ...own, ...(id === undefined ? {} : { id }) } as NotedLink;
    const metadata = link.metadata ?? {};
    if (now) all.push({ link, from: metadata, to: now });
    else if (action === "relation_added") all.push({ link, from: null, to: metadata });
    else all.push({ link, from: metadata, to: null });
  }
  const ends = ({ relation_type, from_id, to_id }: NotedLink) => `${relation_type} ${from_id} ${to_id}`;
  const left = [...removed];
  for (const link of added) {
    const at = left.findIndex((each) => ends(each) === ends(link));
    const [before] = at < 0 ? [] : left.splice(at, 1);
    all.push({
      link: { ...link, ...(before?.id === undefined ? {} : { id: before.id }) },
      from: before ? (before.metadata ?? {}) : null,
      to: link.metadata ?? {},
    });
  }
  return [
    ...all,
    ...left.map((link) => ({ link, from: link.metadata ?? {}, to: null })),
    ...unrestored.map((link) => ({ link, from: null, to: null })),
  ];
}

/**
 * For each of these items the changes in links of the record, as far as the caller may see the links and their other ends. `most`:
 * of so many; `more`: how many there are besides, for those who may see all of them.
 */
export async function linkChangesOf(
  sql: Sql | Tx,
  caller: Caller,
  schema: Schema,
  row: RecordRow,
  items: readonly Noted[],
  most = Number.POSITIVE_INFINITY,
): Promise<{ changes: LinkChange[]; more: number }[]> {
  const noted = items.map((item) => notedChanges(item).filter(({ link }) => isEndOf(row, link)));
  const told = noted.map((changes) => changes.slice(0, most));
  const ids = new Set(told.flat().map(({ link }) => otherEnd(row, link)));
  const ends = await findEnds(sql, caller, [...ids]);
  return told.map((changes, index) => ({
    changes: changes.flatMap((change): LinkChange[] => {
      const type = schema.relationTypes.get(change.link.relation_type);
      const end = ends.get(otherEnd(row, change.link));
      const isOutgoing = change.link.from_id === row.id;
      if (!type || end === undefined) return [];
      const owner = isOutgoing ? row.record_type : end?.record_type;
      if (owner !== undefined && !maySeeLinksOf(caller, type, owner)) return [];
      return [{ ...change, relation_type: isOutgoing ? type.name : type.inverse, end }];
    }),
    more: readsAll(caller) ? noted[index]!.length - changes.length : 0,
  }));
}

const isEndOf = ({ id }: RecordRow, { from_id, to_id }: NotedLink) => from_id === id || to_id === id;
const otherEnd = ({ id }: RecordRow, { from_id, to_id }: NotedLink) => (from_id === id ? to_id : from_id);

/** Those of these records that the caller may see, also in the trash. Null: deleted for good; only for callers who read every kind. */
export async function findEnds(
  sql: Sql | Tx,
  caller: Caller,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RecordRow | null>> {
  if (ids.length === 0) return new Map();
  const rows = await sql<RecordRow[]>`
    select ${recordColumns(sql)} from records r
    where r.id = any(${ids as string[]}) and (${visibleTo(sql, caller)} or ${visibleDeleted(sql, caller)})`;
  const seen = new Map<string, RecordRow | null>(rows.map((row) => [row.id, row]));
  if (readsAll(caller)) for (const id of ids) if (!seen.has(id)) seen.set(id, null);
  return seen;
}
