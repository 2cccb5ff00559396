/**
 * Deletes records and files that have been in the trash for 30 days, and the files of deleted media and unfinished uploads.
 * A record that was public keeps its identifier, which answers 410 for ever, is a deleted record in OAI-PMH and the tombstone
 * of its ARK. So does a merged record, whose address leads to the record it was merged into.
 */
import { removeOrphanFiles } from "../src/media/care/orphans.ts";
import { emptyTrash } from "../src/media/care/trash.ts";
import { deleteRows, emptyRows, TRASH_DAYS } from "../src/records/write/purge.ts";
import type { Services, Tx } from "../src/services.ts";
import { forgetTermUndos } from "../src/vocabularies/merge/store.ts";
import type { Report } from "./job-kind.ts";

/** Records per batch. Other queries use the only session of the embedded database between batches. */
const BATCH = 500;

export async function purgeTrash(
  services: Services,
  report: Report = async () => undefined,
): Promise<{ records: number; tombstones: number; media: number; files: number }> {
  const { sql, log } = services;
  const purged = { records: 0, tombstones: 0, media: 0, files: 0 };
  const done = () => purged.records + purged.tombstones + purged.media + purged.files;
  for (const [what, purge] of [
    ["media", deleteMedia],
    ["records", deleteBatch],
    ["tombstones", emptyBatch],
  ] as const) {
    for (;;) {
      await report({ done: done() });
      const count = await sql.begin(purge);
      if (count === 0) break;
      purged[what] += count;
    }
  }
  await sql.begin(forgetTermUndos);
  purged.files = await removeOrphanFiles(services, (files) => report({ done: done() + files }));
  purged.files += await emptyTrash(services.files);
  if (done() > 0) log.info("trash purged", purged);
  return purged;
}

/** The files are removed at the end, with those of purged records. */
async function deleteMedia(tx: Tx): Promise<number> {
  const removed = await tx`
    delete from object_media where id in (
      select id from object_media where deleted_at < now() - make_interval(days => ${TRASH_DAYS}) limit ${BATCH})`;
  return removed.count;
}

/** Records that were never public. In a tree, the leaves go first. */
async function deleteBatch(tx: Tx): Promise<number> {
  const due = await tx<{ id: string }[]>`
    select id from records
    where deleted_at < now() - make_interval(days => ${TRASH_DAYS}) and published_at is null and merged_into is null and purged_at is null
      and not exists (select 1 from records child where child.parent_id = records.id)
    limit ${BATCH}
    for update`;
  await deleteRows(
    tx,
    due.map(({ id }) => id),
  );
  return due.length;
}

/** Records that were public or merged: only the identifier stays. */
async function emptyBatch(tx: Tx): Promise<number> {
  const due = await tx<{ id: string }[]>`
    select id from records
    where deleted_at < now() - make_interval(days => ${TRASH_DAYS}) and (published_at is not null or merged_into is not null)
      and purged_at is null
    limit ${BATCH}
    for update`;
  await emptyRows(
    tx,
    due.map(({ id }) => id),
  );
  return due.length;
}
