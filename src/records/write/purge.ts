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
import { maySeeDeleted } from "../visibility.ts";

/** How long records stay in the trash; so long a merge can be undone. */
export const TRASH_DAYS = 30;

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
    if (!row || !maySeeDeleted(caller, row))
      throw new Problem("not_found", said("problem.trash.not_found", { kind: oneOf(kind), id }));
    const [below] = await tx<{ idno: string }[]>`
      select idno from records where parent_id = ${id} order by idno limit 1`;
    if (below) throw new Problem("conflict", said("problem.trash.below", { idno: below.idno }));
    if (row.published_at === null && row.merged_into === null) await deleteRows(tx, [id], actorId(caller));
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
  // what was merged into them can be restored from the trash, as their merges cannot be undone any more
  await tx`update records set merged_into = null where merged_into = any(${all}) and purged_at is null`;
  await tx`delete from merges where record_id = any(${all}) or into_id = any(${all})`;
  // where a merged object was is shown with the other one
  await tx`
    delete from movements where object_id in (select id from records where id = any(${all}) and merged_into is null)`;
  await tx`delete from object_media where object_id = any(${all})`;
  await tx`delete from relations where from_id = any(${all}) or to_id = any(${all})`;
}
