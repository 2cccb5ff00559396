/**
 * Empties the trash of what has lain there for 30 days. A record that was public leaves its identifier behind, with
 * nothing else: it answers 410 for ever, stays a deleted record of OAI-PMH and the tombstone of its ARK.
 */
import type { Services } from "../src/services.ts";

const DAYS = 30;

export async function purgeTrash({ sql, log }: Services): Promise<void> {
  const { gone, kept } = await sql.begin(async (tx) => {
    const removed = await tx`
      delete from records
      where deleted_at < now() - make_interval(days => ${DAYS}) and published_at is null and purged_at is null
        and not exists (select 1 from records child where child.parent_id = records.id)`;
    const emptied = await tx<{ id: string }[]>`
      update records set metadata = '{}', title = idno, sort_title = '', lat = null, lon = null, parent_id = null,
        reference_number = null, purged_at = now()
      where deleted_at < now() - make_interval(days => ${DAYS}) and published_at is not null and purged_at is null
      returning id`;
    const ids = emptied.map((row) => row.id);
    await tx`delete from revisions where record_id = any(${ids})`;
    await tx`delete from relations where from_id = any(${ids}) or to_id = any(${ids})`;
    return { gone: removed.count, kept: ids.length };
  });
  if (gone + kept > 0) log.info("trash purged", { records: gone, tombstones: kept });
}
