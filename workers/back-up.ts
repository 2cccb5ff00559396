/** Makes a backup and records its result. Deletes old backups when the new one is complete, or if the disk has no room for it. */
import { type BackupNote, noteBackup } from "../src/backups/store.ts";
import { newId } from "../src/ids.ts";
import { messageOf } from "../src/log.ts";
import { NoRoom } from "../src/refusal.ts";
import type { BackupOptions, Services } from "../src/services.ts";
import type { JobInput } from "./job-kind.ts";

export type MadeBackup = Awaited<ReturnType<Services["backups"]["make"]>> & { removed: string[] };

/** `note` writes the start and end of the backup to the database. */
type Maker = Pick<Services, "backups" | "config" | "log"> & { note(change: BackupNote): Promise<unknown> };

/** A backup on request. With `directory` it is an extra one, and no old backups are deleted. */
export async function makeBackup(services: Services, options: BackupOptions = {}): Promise<MadeBackup> {
  return makeNoted({ ...services, note: (change) => noteBackup(services.sql, change) }, options);
}

/** The job. Its progress is in per cent: up to 50 for the database, then for the media directory. */
export async function backUp({ services, signal, report }: JobInput): Promise<Record<string, unknown>> {
  let reported: Promise<void> = report({ done: 0, total: 100 }).catch(() => undefined);
  let lastPercent = -1;
  const { database, media, notes, removed } = await makeBackup(services, {
    signal,
    report(doing, part) {
      const percent = Math.floor(part * 50) + (doing === "media" ? 50 : 0);
      if (percent === lastPercent) return;
      lastPercent = percent;
      // one report after the other; a failed one is ignored, since the signal also stops the job
      reported = reported.then(() => report({ done: percent })).catch(() => undefined);
    },
  });
  await reported;
  // an empty media directory reports no progress
  await report({ done: 100 }).catch(() => undefined);
  return {
    database: { file: database.name, bytes: database.bytes },
    media: media && { file: media.name, bytes: media.bytes },
    notes: notes.slice(0, 50),
    removed: removed.slice(0, 100),
  };
}

export async function makeNoted(maker: Maker, options: BackupOptions): Promise<MadeBackup> {
  const { note, log } = maker;
  const id = newId();
  await note({ id });
  const begun = performance.now();
  try {
    const { early, made } = await makeWithRoom(maker, options);
    const { database, media } = made;
    await note({ id, made: { file: database.name, bytes: database.bytes + (media?.bytes ?? 0) } });
    const proven = media ? [database.name, media.name] : [database.name];
    const removed = [...early, ...(await prune(maker, options, proven))];
    log.info("backup made", {
      file: database.name,
      bytes: database.bytes,
      media_bytes: media?.bytes ?? 0,
      seconds: Math.round((performance.now() - begun) / 100) / 10,
      removed: removed.length,
    });
    for (const difference of made.notes)
      log.warn("the backup of the media directory differs from the directory", { note: difference });
    return { ...made, removed };
  } catch (error) {
    const failed = options.signal?.aborted ? "it was stopped" : messageOf(error);
    await note({ id, failed }).catch(() => undefined);
    throw error;
  }
}

/** `early`: old backups that were deleted because the new one did not fit beside them. */
async function makeWithRoom(maker: Maker, options: BackupOptions) {
  try {
    return { early: [], made: await maker.backups.make(options) };
  } catch (error) {
    if (!(error instanceof NoRoom)) throw error;
    const early = await prune(maker, options, []);
    if (early.length === 0) throw error;
    maker.log.warn("the disk is full: old backups were deleted, and the backup is made again", { early });
    return { early, made: await maker.backups.make(options) };
  }
}

/** Deletes old backups in BACKUP_ROOT. A backup to another directory is an extra one and deletes none. */
async function prune({ backups, config }: Maker, options: BackupOptions, proven: readonly string[]) {
  return options.directory === undefined ? backups.prune(config.backup.retentionDays, proven) : [];
}
