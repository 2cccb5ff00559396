/** Moves the media of a merged object to the one that stays, and back. Files that both have stay where they are. */
import type { Tx } from "../../services.ts";
import { ensurePrimary } from "../media/store.ts";
import type { Pair } from "./links.ts";

/** As it was before. A medium that somebody edits gets another `updated_at`. */
type Medium = { id: string; position: number; is_primary: boolean; updated_at: string };

/** `there`: how many the other object has, too; they stay with the merged one. */
export type MovedMedia = { moved: Medium[]; there: number };

export async function moveMedia(tx: Tx, { from, into }: Pair): Promise<MovedMedia> {
  const own = await tx<(Medium & { is_there: boolean })[]>`
    select m.id, m.position, m.is_primary, m.updated_at::text as updated_at, exists (
      select 1 from object_media o where o.object_id = ${into} and o.sha256 = m.sha256 and o.deleted_at is null) as is_there
    from object_media m where m.object_id = ${from} and m.deleted_at is null order by m.position, m.id for update`;
  const moved = own.filter(({ is_there }) => !is_there).map(({ is_there: _, ...medium }) => medium);
  // behind those of the other object, which keeps its first picture
  await tx`
    update object_media m set object_id = ${into}, version = m.version + 1, position = t.last + x.place,
      is_primary = case when t.has_primary then false else m.is_primary end
    from unnest(${moved.map(({ id }) => id)}::uuid[]) with ordinality x(id, place), (
      select coalesce(max(position), 0) as last, coalesce(bool_or(is_primary), false) as has_primary
      from object_media where object_id = ${into} and deleted_at is null) t
    where m.id = x.id`;
  return { moved, there: own.length - moved.length };
}

/** Undoes it. Returns media that were edited, moved or deleted since, which stay. */
export async function returnMedia(
  tx: Tx,
  { from, into }: Pair,
  { moved }: MovedMedia,
): Promise<{ id: string; filename: string | null }[]> {
  const back = await tx<{ id: string }[]>`
    update object_media m set object_id = ${from}, version = m.version + 1, position = x.position, is_primary = x.is_primary
    from json_to_recordset(${tx.json(moved as never)}::json)
      as x(id uuid, position int, is_primary boolean, updated_at timestamptz)
    where m.id = x.id and m.object_id = ${into} and m.deleted_at is null and m.updated_at = x.updated_at
    returning m.id`;
  await ensurePrimary(tx, into);
  const done = new Set(back.map(({ id }) => id));
  const left = moved.map(({ id }) => id).filter((id) => !done.has(id));
  return tx<{ id: string; filename: string | null }[]>`
    select x.id, m.filename from unnest(${left}::uuid[]) x(id) left join object_media m on m.id = x.id order by x.id`;
}
