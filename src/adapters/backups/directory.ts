/** The files in a directory of backups: names, listing, and deleting old ones. */
import { readdir, rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { BackupFile } from "../../services.ts";
import { isLeftBehind } from "./piece-file.ts";

export type BackupKind = "db" | "media";

const NAME = /^(db|media)_(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.(?:sql|tar)\.gz$/;
const DAY = 86_400_000;

/** `20261121T030000Z` */
export function stampOf(moment: Date): string {
  return moment.toISOString().replaceAll(/[-:]|\.\d+/g, "");
}

export const dumpName = (stamp: string): string => `db_${stamp}.sql.gz`;
export const mediaName = (stamp: string): string => `media_${stamp}.tar.gz`;

/** Complete backups, newest first; none if the directory does not exist. */
export async function listBackups(directory: string): Promise<(BackupFile & { kind: BackupKind })[]> {
  const found: (BackupFile & { kind: BackupKind })[] = [];
  for (const name of await namesIn(directory)) {
    const parts = NAME.exec(name);
    if (!parts) continue;
    const [, kind, year, month, day, hours, minutes, seconds] = parts;
    const path = join(resolve(directory), name);
    const { size } = await stat(path);
    const madeAt = `${year}-${month}-${day}T${hours}:${minutes}:${seconds}Z`;
    found.push({ kind: kind as BackupKind, name, path, bytes: size, madeAt });
  }
  return found.sort((a, b) =>
    a.madeAt < b.madeAt ? 1 : a.madeAt > b.madeAt ? -1 : a.name < b.name ? -1 : 1,
  );
}

/** Deletes backups older than `days`, but never the newest dump and the newest archive; returns their names. */
export async function pruneBackups(directory: string, days: number, now = Date.now()): Promise<string[]> {
  const newest = new Set<BackupKind>();
  const removed: string[] = [];
  for (const { kind, name, path, madeAt } of await listBackups(directory)) {
    if (!newest.has(kind)) newest.add(kind);
    else if (now - Date.parse(madeAt) > days * DAY) {
      // the checksum file last: without its backup it is harmless
      await rm(path, { force: true });
      await rm(`${path}.sha256`, { force: true });
      removed.push(name);
    }
  }
  return removed;
}

/** Deletes unfinished files of backups that were killed. */
export async function sweepBackups(directory: string): Promise<void> {
  const names = await namesIn(directory);
  for (const name of names) {
    const path = join(directory, name);
    const orphan =
      name.endsWith(".sha256") && NAME.test(name.slice(0, -7)) && !names.includes(name.slice(0, -7));
    const modified = (await stat(path).catch(() => null))?.mtimeMs ?? Date.now();
    // the checksum file is written a moment before the backup gets its name
    if (isLeftBehind(name, modified) || (orphan && Date.now() - modified > 60_000))
      await rm(path, { force: true });
  }
}

async function namesIn(directory: string): Promise<string[]> {
  return readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
}
