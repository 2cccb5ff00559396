/**
 * SQL that writes media of an object that the transaction has locked. A change of position leaves `updated_at` as it is, because
 * other media may cause it that visitors do not see.
 */
import type { Caller } from "../caller.ts";
import type { Medium } from "../records/media/medium.ts";
import { ensurePrimary, mediaColumns } from "../records/media/store.ts";
import { visibleMedia, visibleMediaTrash } from "../records/visibility.ts";
import type { Tx } from "../services.ts";
import type { NewFile } from "./intake.ts";
import type { MediumChange } from "./shape.ts";

/** Locks and returns the medium, even if it is in the trash. With a caller, only if they may see it. */
export async function lockMedium(
  tx: Tx,
  objectId: string,
  id: string,
  caller?: Caller,
): Promise<Medium | undefined> {
  const seen = caller ? tx`and (${visibleMedia(tx, caller)} or ${visibleMediaTrash(tx, caller)})` : tx``;
  const [row] = await tx<Medium[]>`
    select ${mediaColumns(tx)} from object_media m join records r on r.id = m.object_id
    where m.id = ${id} and m.object_id = ${objectId} ${seen} for update of m`;
  return row;
}

type Fields = Omit<MediumChange, "position" | "is_primary">;

/** Appends the medium to the others of the object. Returns whether it is the first one. */
export async function insertMedium(
  tx: Tx,
  actor: string | null,
  objectId: string,
  file: NewFile,
  fields: Fields,
): Promise<boolean> {
  const { type } = file;
  const [row] = await tx<{ position: number }[]>`
    insert into object_media (id, object_id, storage_key, filename, mime_type, category, status, bytes, sha256, width,
      height, pages, duration, private_parts, visibility, caption, alt_text, license_uri, rights_holder, position, created_at,
      updated_at, created_by, updated_by)
    select ${file.id}, ${objectId}, ${file.key}, ${file.filename}, ${type.mime}, ${type.category},
      ${type.category === "image" ? "pending" : "ready"}, ${file.bytes}, ${file.sha256}, ${file.width}::int,
      ${file.height}::int, ${file.pages}::int, ${file.duration}::float8, ${tx.json(file.private_parts as never)}, ${fields.visibility ?? "public"},
      ${tx.json((fields.caption ?? []) as never)}, ${tx.json((fields.alt_text ?? []) as never)},
      ${fields.license_uri ?? null}::text, ${fields.rights_holder ?? null}::text,
      (select count(*) + 1 from object_media where object_id = ${objectId} and deleted_at is null), now.at, now.at,
      ${actor}::uuid, ${actor}::uuid
    from (select clock_timestamp() as at) now
    returning position`;
  return row!.position === 1;
}

/** Numbers the media from 1 in their order, with `id` at `position` if given. */
export async function arrange(tx: Tx, objectId: string, id?: string, position = 1): Promise<void> {
  const rows = await tx<{ id: string }[]>`
    select id from object_media where object_id = ${objectId} and deleted_at is null order by position, id`;
  const ids = rows.map((row) => row.id).filter((other) => other !== id);
  if (id !== undefined) ids.splice(position - 1, 0, id);
  await tx`
    update object_media m set position = o.n, version = m.version + 1
    from unnest(${ids}::uuid[]) with ordinality o(id, n)
    where m.id = o.id and m.position <> o.n`;
}

export async function makePrimary(tx: Tx, objectId: string, id: string): Promise<void> {
  for (const is of [false, true]) {
    await tx`
      update object_media set is_primary = ${is}, version = version + 1
      where object_id = ${objectId} and deleted_at is null and is_primary <> ${is} and (id = ${id}) = ${is}`;
  }
}

export async function setFields(
  tx: Tx,
  actor: string | null,
  { id }: Medium,
  fields: Record<string, unknown>,
): Promise<void> {
  const columns = Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      Array.isArray(value) ? tx.json(value as never) : (value as string | null),
    ]),
  );
  await tx`
    update object_media set ${tx(columns)}, version = version + 1, updated_at = clock_timestamp(), updated_by = ${actor}
    where id = ${id}`;
}

/** Moves a medium to the trash or restores it. Gives the object a primary medium again, if it has any media. */
export async function setDeleted(
  tx: Tx,
  actor: string | null,
  { id, object_id }: Medium,
  deleted: boolean,
): Promise<void> {
  await tx`
    update object_media set deleted_at = case when ${deleted} then clock_timestamp() end, is_primary = false,
      version = version + 1, updated_at = clock_timestamp(), updated_by = ${actor}
    where id = ${id}`;
  await ensurePrimary(tx, object_id);
}
