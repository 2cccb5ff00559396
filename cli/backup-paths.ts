/** Finds the files of a backup. */
import { stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { demandChecksum } from "../src/adapters/backups/backup-source.ts";
import { listBackups } from "../src/adapters/backups/directory.ts";
import { Refusal } from "../src/refusal.ts";

/** A path as it is typed, or the name of a file in BACKUP_ROOT. */
export async function backupPath(typed: string, backupRoot: string): Promise<string> {
  const candidates = [resolve(typed), ...(typed.includes("/") ? [] : [join(resolve(backupRoot), typed)])];
  for (const path of candidates) if (await isFile(path)) return path;
  throw new Refusal(`There is no file ${candidates.join(" or ")}; svc-manage backup list shows the backups`);
}

export async function newestDump(backupRoot: string): Promise<string> {
  const newest = (await listBackups(backupRoot)).find(({ kind }) => kind === "db");
  if (newest) return newest.path;
  throw new Refusal(`There is no backup in ${resolve(backupRoot)} yet; svc-manage backup makes one`);
}

/** The media archive made with this dump, if it is in the same directory. */
export async function mediaBeside(dump: string): Promise<string | null> {
  const [, stamp] = /db_(\w+)\.sql\.gz$/.exec(dump) ?? [];
  const path = join(dirname(dump), `media_${stamp}.tar.gz`);
  return stamp !== undefined && (await isFile(path)) ? path : null;
}

/** Refuses a file that does not match its .sha256 file. Returns the file's name if there is no .sha256 file, else undefined. */
export async function withoutChecksum(path: string): Promise<string[]> {
  const { named } = await demandChecksum(path);
  return named ? [] : [basename(path)];
}

/** A dump has a checksum per table, but only the .sha256 file proves that it is the original. */
export function warnOfMissingChecksums(names: readonly string[]): void {
  for (const name of names) {
    console.error(
      `Warning: ${name}.sha256 is missing, so it is not certain that ${name} is unchanged; copy both files`,
    );
  }
}

/** `13.7 MB` */
export function size(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = 0;
  for (; value >= 1000 && unit < units.length - 1; unit++) value /= 1000;
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
