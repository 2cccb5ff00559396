/** The files in a directory of backups: names, listing, and deleting old ones. */
import { readdir, rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { BackupFile } from "../../services.ts";
import { demandChecksum } from "./backup-source.ts";
import { isLeftBehind } from "./piece-file.ts";

export type BackupKind = "db" | "media";

const NAME = /^(db|media)_(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.(?:sql|tar)\.gz$/;
const DAY = 86_400_000;

/** `20261121T030000Z` */
function stampOf(moment: Date): string {
  return moment.toISOString().replaceAll(/[-:]|\.\d+/g, "");
}

export const dumpName = (stamp: string): string => `db_${stamp}.sql.gz`;
export const mediaName = (stamp: string): string => `media_${stamp}.tar.gz`;

/** The first second from now on that has no file, complete or not: two backups may start in the same second. */
export async function freeStamp(directory: string): Promise<{ stamp: string; madeAt: string }> {
  const names = await namesIn(directory);
  for (let moment = Date.now(); ; moment += 1000) {
    const stamp = stampOf(new Date(moment));
    if (names.some((name) => name.includes(stamp))) continue;
    return { stamp, madeAt: `${new Date(moment).toISOString().slice(0, 19)}Z` };
  }
}

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

/**
 * Deletes backups older than `days`, and returns their names. Of each kind, the newest whose checksum verifies always stays;
 * if none verifies, the newest.
 *
 * @param proven names of backups that were read back just now
 */
export async function pruneBackups(
  directory: string,
  days: number,
  proven: readonly string[] = [],
): Promise<string[]> {
  const backups = await listBackups(directory);
  const isOld = ({ madeAt }: BackupFile) => Date.now() - Date.parse(madeAt) > days * DAY;
  const removed: string[] = [];
  for (const kind of ["db", "media"] as const) {
    const ofKind = backups.filter((each) => each.kind === kind);
    if (!ofKind.some(isOld)) continue;
    const kept = (await newestIntact(ofKind, proven)) ?? ofKind[0];
    for (const old of ofKind.filter((each) => isOld(each) && each !== kept)) {
      // the checksum file last: without its backup it is harmless
      await rm(old.path, { force: true });
      await rm(`${old.path}.sha256`, { force: true });
      removed.push(old.name);
    }
  }
  return removed;
}

async function newestIntact<File extends BackupFile>(
  newestFirst: readonly File[],
  proven: readonly string[],
): Promise<File | undefined> {
  for (const file of newestFirst) {
    if (proven.includes(file.name)) return file;
    const { named } = await demandChecksum(file.path).catch(() => ({ named: false }));
    if (named) return file;
  }
  return undefined;
}

/** Deletes unfinished files of backups that were killed. */
export async function sweepBackups(directory: string): Promise<void> {
  const names = await namesIn(directory);
  // a dump no longer changes while its archive is written
  const changed = new Map<string | undefined, number>();
  for (const name of names) {
    const modified = (await stat(join(directory, name)).catch(() => null))?.mtimeMs ?? Date.now();
    changed.set(setOf(name), Math.max(modified, changed.get(setOf(name)) ?? 0));
  }
  for (const name of names) {
    const modified = changed.get(setOf(name))!;
    const orphan =
      name.endsWith(".sha256") && NAME.test(name.slice(0, -7)) && !names.includes(name.slice(0, -7));
    // the checksum file is written a moment before the backup gets its name
    if (isLeftBehind(name, modified) || (orphan && Date.now() - modified > 60_000))
      await rm(join(directory, name), { force: true });
  }
}

/** The time that the names of a dump and its archive have in common. */
const setOf = (name: string): string | undefined => /_(\d{8}T\d{6}Z)\./.exec(name)?.[1];

async function namesIn(directory: string): Promise<string[]> {
  return readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
}
