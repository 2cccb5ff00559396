/** Which files of a backup are meant. */
import { access } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { demandChecksum } from "../src/adapters/backups/backup-source.ts";
import { listBackups } from "../src/adapters/backups/directory.ts";
import { Refusal } from "../src/refusal.ts";

/** A path as it is typed, or the name of a file in BACKUP_ROOT. */
export async function backupPath(typed: string, backupRoot: string): Promise<string> {
  const candidates = [resolve(typed), ...(typed.includes("/") ? [] : [join(resolve(backupRoot), typed)])];
  for (const path of candidates) if (await isThere(path)) return path;
  throw new Refusal(`There is no file ${candidates.join(" nor ")}; svc-manage backup list shows the backups`);
}

export async function newestDump(backupRoot: string): Promise<string> {
  const newest = (await listBackups(backupRoot)).find(({ kind }) => kind === "db");
  if (newest) return newest.path;
  throw new Refusal(`There is no backup in ${resolve(backupRoot)} yet; svc-manage backup makes one`);
}

/** The archive that was made with this dump, when it lies beside it. */
export async function mediaBeside(dump: string): Promise<string | null> {
  const [, stamp] = /db_(\w+)\.sql\.gz$/.exec(dump) ?? [];
  const path = join(dirname(dump), `media_${stamp}.tar.gz`);
  return stamp !== undefined && (await isThere(path)) ? path : null;
}

/** Refuses a file that is not what the checksum beside it says; answers its name when there is none. */
export async function withoutChecksum(path: string): Promise<string[]> {
  const { named } = await demandChecksum(path);
  return named ? [] : [basename(path)];
}

/** A dump proves itself table by table, but not that it is the one that was made. */
export function warnOfMissingChecksums(names: readonly string[]): void {
  for (const name of names) {
    console.error(
      `Warning: there is no ${name}.sha256 beside it, so nobody can tell whether ${name} is as it was made; copy both files`,
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

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
