/**
 * Changes media. Each change locks the object, so that the order and the primary medium stay consistent. It creates a new
 * version of the object with an entry in its history, so that ETags, dates and projections are updated too.
 */

import { type Account, actorId } from "../caller.ts";
import { said } from "../messages/said.ts";
import { Problem } from "../problem.ts";
import type { Medium } from "../records/media/medium.ts";
import { findSameFile } from "../records/media/store.ts";
import { typeNamed } from "../records/media/type.ts";
import { type RecordRow, stateOf } from "../records/record.ts";
import { visibleMedia } from "../records/visibility.ts";
import { type Action, updateRecords, writerOf } from "../records/write/store.ts";
import { demandRecord } from "../records/write/write.ts";
import type { Services, Tx } from "../services.ts";
import { adoptFile } from "./care/orphans.ts";
import { fitFilename } from "./filename.ts";
import type { NewFile } from "./intake.ts";
import type { MediumChange } from "./shape.ts";
import { arrange, insertMedium, lockMedium, makePrimary, setDeleted, setFields } from "./write-store.ts";

export type AddedMedium = {
  medium: Medium;
  /** The same file in other objects. */
  duplicates: { media_id: string; object_id: string }[];
};

/** Throws 409 with the address of the medium if the object already has this file. */
export async function addMedium(
  services: Services,
  caller: Account,
  objectId: string,
  file: NewFile,
  change: MediumChange,
): Promise<AddedMedium> {
  const medium = await services.sql.begin(async (tx) => {
    const object = await demandRecord(tx, caller, "object", objectId, null);
    await demandNew(tx, caller, object, file.sha256);
    const { position, is_primary, ...fields } = change;
    await adoptFile(tx, file.key);
    const isFirst = await insertMedium(tx, actorId(caller), objectId, file, fields);
    if (position !== undefined) await arrange(tx, objectId, file.id, position);
    if (is_primary || isFirst) await makePrimary(tx, objectId, file.id);
    const made = (await lockMedium(tx, objectId, file.id))!;
    await note(services, tx, caller, object, "media_added", made);
    return made;
  });
  await services.changed([objectId]);
  return { medium, duplicates: await findSameFile(services.sql, caller, medium) };
}

async function demandNew(
  tx: Tx,
  caller: Account,
  { id, idno }: Pick<RecordRow, "id" | "idno">,
  sha256: string,
): Promise<void> {
  const [same] = await tx<{ id: string; filename: string; is_seen: boolean }[]>`
    select m.id, m.filename, ${visibleMedia(tx, caller)} as is_seen
    from object_media m join records r on r.id = m.object_id
    where m.object_id = ${id} and m.sha256 = ${sha256} and m.deleted_at is null`;
  if (!same) return;
  if (!same.is_seen) throw new Problem("conflict", said("problem.medium.there_unseen", { number: idno }));
  const address = `/v1/objects/${id}/media/${same.id}`;
  throw new Problem(
    "conflict",
    said("problem.medium.there", { number: idno, file: same.filename, address }),
    {
      headers: { Location: address },
    },
  );
}

export async function changeMedium(
  services: Services,
  caller: Account,
  at: { id: string; media_id: string },
  change: MediumChange,
  unchanged: (medium: Medium) => void,
): Promise<Medium> {
  return edit(services, caller, at, "media_changed", async (tx, before) => {
    unchanged(before);
    demandPrimary(before, change);
    const { position, is_primary, filename, ...fields } = change;
    const name =
      filename === undefined ? {} : { filename: fitFilename(filename, typeNamed(before.mime_type)) };
    const differing = Object.entries({ ...fields, ...name }).filter(
      ([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key as keyof Medium]),
    );
    const moves = position !== undefined && position !== before.position;
    if (moves) await arrange(tx, at.id, before.id, position);
    const leads = is_primary === true && !before.is_primary;
    if (leads) await makePrimary(tx, at.id, before.id);
    if (differing.length > 0) await setFields(tx, actorId(caller), before, Object.fromEntries(differing));
    return differing.length > 0 || moves || leads;
  });
}

function demandPrimary({ is_primary }: Medium, change: MediumChange): void {
  if (is_primary && change.is_primary === false)
    throw new Problem("conflict", said("problem.medium.one_primary"));
}

/** Moves a medium and its file to the trash. If it was the primary medium, the first of the others takes its place. */
export async function removeMedium(
  services: Services,
  caller: Account,
  at: { id: string; media_id: string },
  unchanged: (medium: Medium) => void,
): Promise<void> {
  await edit(services, caller, at, "media_removed", async (tx, before) => {
    unchanged(before);
    await setDeleted(tx, actorId(caller), before, true);
    await arrange(tx, at.id);
    return true;
  });
}

/** Restores a medium to its position. Throws 409 if the object got the same file again meanwhile. */
export async function restoreMedium(
  services: Services,
  caller: Account,
  at: { id: string; media_id: string },
): Promise<Medium> {
  return edit(
    services,
    caller,
    at,
    "media_restored",
    async (tx, before, object) => {
      await demandNew(tx, caller, object, before.sha256);
      await setDeleted(tx, actorId(caller), before, false);
      await arrange(tx, at.id, before.id, before.position);
      return true;
    },
    { trashed: true },
  );
}

/** The steps of every change: locks the object, finds the medium, changes it, and adds an entry to the object's history. */
async function edit(
  services: Services,
  caller: Account,
  at: { id: string; media_id: string },
  action: Action,
  change: (tx: Tx, before: Medium, object: RecordRow) => Promise<boolean>,
  { trashed = false } = {},
): Promise<Medium> {
  const { medium, changed } = await services.sql.begin(async (tx) => {
    const object = await demandRecord(tx, caller, "object", at.id, null);
    const before = await lockMedium(tx, at.id, at.media_id, caller);
    if (!before || (before.deleted_at !== null) !== trashed) throw missingMedium(at.media_id, trashed);
    const changed = await change(tx, before, object);
    const medium = (await lockMedium(tx, at.id, at.media_id))!;
    if (changed) await note(services, tx, caller, object, action, medium);
    return { medium, changed };
  });
  if (changed) await services.changed([at.id]);
  return medium;
}

export function missingMedium(id: string, trashed = false): Problem {
  return new Problem(
    "not_found",
    said(trashed ? "problem.medium.not_in_trash" : "problem.medium.unknown", { id }),
  );
}

async function note(
  services: Services,
  tx: Tx,
  caller: Account,
  before: RecordRow,
  action: Action,
  { id, filename }: Medium,
): Promise<void> {
  await updateRecords(tx, "object", writerOf(services, caller), [
    { before, after: stateOf(before), action, note: { media_id: id, filename } },
  ]);
}
