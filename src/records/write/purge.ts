/**
 * Permanently deletes records of the trash. Of a record that was public, only the identifier stays: it answers 410
 * for ever, as a deleted record of OAI-PMH and the tombstone of its ARK. Its media files are deleted the next night.
 */
import { type Account, actorId, mayUse, refuse } from "../../caller.ts";
import { said } from "../../messages/said.ts";
import { Problem } from "../../problem.ts";
import type { Services, Tx } from "../../services.ts";
import { type Kind, oneOf } from "../kinds.ts";
import { leavePurged } from "../links/places.ts";
import { lockRecord } from "../read/store.ts";
import { maySeeInTrash } from "../visibility.ts";

/** The permission for what cannot be undone. */
const FOR_GOOD = "settings:manage";

export async function purgeRecord(
  services: Services,
  caller: Account,
  kind: Kind,
  id: string,
): Promise<void> {
  if (!mayUse(caller, FOR_GOOD)) throw refuse(caller, FOR_GOOD);
  await services.sql.begin(async (tx) => {
    const row = await lockRecord(tx, kind, id);
    if (!row || !maySeeInTrash(caller, row))
      throw new Problem("not_found", said("problem.trash.not_found", { kind: oneOf(kind), id }));
    const [below] = await tx<{ idno: string }[]>`
      select idno from records where parent_id = ${id} order by idno limit 1`;
    if (below) throw new Problem("conflict", said("problem.trash.below", { idno: below.idno }));
    if (row.published_at === null) await deleteRows(tx, [id], actorId(caller));
    else await emptyRows(tx, [id]);
  });
  services.log.info("record permanently deleted", { record: id, record_type: kind, account: caller.id });
}

/** Deletes records that were never public, and were not merged into others. */
export async function deleteRows(tx: Tx, ids: readonly string[], actor: string | null = null): Promise<void> {
  await leavePurged(tx, actor, ids);
  await tx`delete from records where id = any(${ids as string[]})`;
}

/** Empties records that were public, or whose address leads to another record. */
export async function emptyRows(tx: Tx, ids: readonly string[]): Promise<void> {
  const all = ids as string[];
  await tx`
    update records set metadata = '{}', title = idno, sort_title = '', lat = null, lon = null, parent_id = null,
      reference_number = null, purged_at = now()
    where id = any(${all})`;
  await tx`delete from revisions where record_id = any(${all})`;
  await tx`delete from not_duplicates where low_id = any(${all}) or high_id = any(${all})`;
  await tx`delete from merges where record_id = any(${all}) or into_id = any(${all})`;
  await tx`delete from movements where object_id = any(${all})`;
  await tx`delete from object_media where object_id = any(${all})`;
  await tx`delete from relations where from_id = any(${all}) or to_id = any(${all})`;
}
