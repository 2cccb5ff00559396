/** Makes a backup and records its result. Deletes old backups after a new one succeeded, or if there is no room for it. */
import { beginBackup, failBackup, finishBackup } from "../src/backups/store.ts";
import { newId } from "../src/ids.ts";
import { messageOf } from "../src/log.ts";
import { NoRoom } from "../src/refusal.ts";
import type { BackupOptions, Services } from "../src/services.ts";
import type { JobInput } from "./job-kind.ts";

export type MadeBackup = Awaited<ReturnType<Services["backups"]["make"]>> & { removed: string[] };

/** A backup on request. With `directory` it is an extra one, and no old backups are deleted. */
export async function makeBackup(services: Services, options: BackupOptions = {}): Promise<MadeBackup> {
  const id = newId();
  await beginBackup(services.sql, id);
  return carryOut(services, id, options);
}

/** The job. `done` and `total` are per cent of the database, then of the media directory. */
export async function backUp({ services, signal, report }: JobInput): Promise<Record<string, unknown>> {
  let told: Promise<void> = report({ done: 0, total: 100 });
  let seen = -1;
  const { database, media, notes, removed } = await makeBackup(services, {
    signal,
    report(doing, part) {
      const percent = Math.floor(part * 50) + (doing === "media" ? 50 : 0);
      if (percent === seen) return;
      seen = percent;
      // one after the other; the signal also stops the job
      told = told.then(() => report({ done: percent })).catch(() => undefined);
    },
  });
  await told;
  // an empty media directory reports no progress, but a finished job must show 100 per cent
  await report({ done: 100 }).catch(() => undefined);
  return {
    database: { file: database.name, bytes: database.bytes },
    media: media && { file: media.name, bytes: media.bytes },
    notes: notes.slice(0, 50),
    removed: removed.slice(0, 100),
  };
}

async function carryOut(services: Services, id: string, options: BackupOptions): Promise<MadeBackup> {
  const { sql, log } = services;
  const begun = performance.now();
  try {
    const { early, made } = await makeWithRoom(services, options);
    const { database, media } = made;
    await finishBackup(sql, id, database.name, database.bytes + (media?.bytes ?? 0));
    const proven = media ? [database.name, media.name] : [database.name];
    const removed = [...early, ...(await prune(services, options, proven))];
    log.info("backup made", {
      file: database.name,
      bytes: database.bytes,
      media_bytes: media?.bytes ?? 0,
      seconds: Math.round((performance.now() - begun) / 100) / 10,
      removed: removed.length,
    });
    for (const note of made.notes)
      log.warn("the backup of the media directory differs from the directory", { note });
    return { ...made, removed };
  } catch (error) {
    const reason = options.signal?.aborted ? "it was stopped" : messageOf(error);
    await failBackup(sql, id, reason).catch(() => undefined);
    throw error;
  }
}

/** `early`: old backups that were deleted because the new one did not fit beside them. */
async function makeWithRoom(services: Services, options: BackupOptions) {
  try {
    return { early: [], made: await services.backups.make(options) };
  } catch (error) {
    if (!(error instanceof NoRoom)) throw error;
    const early = await prune(services, options, []);
    if (early.length === 0) throw error;
    services.log.warn("the disk is full: old backups were deleted, and the backup is made again", { early });
    return { early, made: await services.backups.make(options) };
  }
}

/** Deletes old backups in BACKUP_ROOT. A backup to another directory is an extra one and deletes none. */
async function prune({ backups, config }: Services, options: BackupOptions, proven: readonly string[]) {
  return options.directory === undefined ? backups.prune(config.backup.retentionDays, proven) : [];
}
