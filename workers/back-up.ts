/** Makes a backup and notes how it ended; deletes the old ones when, and only when, a new one is there. */
import { beginBackup, claimBackup, failBackup, finishBackup } from "../src/backups/store.ts";
import { newId } from "../src/ids.ts";
import type { BackupOptions, Services } from "../src/services.ts";

export type MadeBackup = Awaited<ReturnType<Services["backups"]["make"]>> & { removed: string[] };

/** A backup that somebody asked for. With `directory` it is an extra one: old ones are left alone. */
export async function makeBackup(services: Services, options: BackupOptions = {}): Promise<MadeBackup> {
  const id = newId();
  await beginBackup(services.sql, id);
  return carryOut(services, id, options);
}

/** A backup that is due, unless another instance has begun it within `seconds`: then null. */
export async function makeDueBackup(
  services: Services,
  seconds: number,
  options: BackupOptions = {},
): Promise<MadeBackup | null> {
  const id = newId();
  if (!(await services.sql.begin((tx) => claimBackup(tx, id, seconds)))) return null;
  return carryOut(services, id, options);
}

async function carryOut(services: Services, id: string, options: BackupOptions): Promise<MadeBackup> {
  const { sql, backups, config, log } = services;
  const begun = performance.now();
  try {
    const made = await backups.make(options);
    await finishBackup(sql, id, made.database.name, made.database.bytes + (made.media?.bytes ?? 0));
    const removed = options.directory === undefined ? await backups.prune(config.backup.retentionDays) : [];
    log.info("backup made", {
      file: made.database.name,
      bytes: made.database.bytes,
      media_bytes: made.media?.bytes ?? 0,
      seconds: Math.round((performance.now() - begun) / 100) / 10,
      removed: removed.length,
    });
    for (const note of made.notes) log.warn("backup of the media directory", { note });
    return { ...made, removed };
  } catch (error) {
    const reason = options.signal?.aborted
      ? "it was stopped"
      : error instanceof Error
        ? error.message
        : String(error);
    await failBackup(sql, id, reason).catch(() => undefined);
    throw error;
  }
}
