/** Finds the files of a backup. */
import { stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { demandChecksum } from "../../src/adapters/backups/backup-source.ts";
import { listBackups } from "../../src/adapters/backups/directory.ts";
import { type Said, said } from "../../src/messages/said.ts";
import { Refusal } from "../../src/refusal.ts";
import { inWords, printAside } from "../terminal/words.ts";

/** Accepts a path, or the name of a file in BACKUP_ROOT. */
export async function backupPath(typed: string, backupRoot: string): Promise<string> {
  const candidates = [resolve(typed), ...(typed.includes("/") ? [] : [join(resolve(backupRoot), typed)])];
  for (const path of candidates) if (await isFile(path)) return path;
  const [one = "", other] = candidates;
  const paths = other === undefined ? one : said("list.or", { one, other });
  throw new Refusal(said("cli.backup.no_file", { paths }));
}

export async function newestDump(backupRoot: string): Promise<string> {
  const newest = (await listBackups(backupRoot)).find(({ kind }) => kind === "db");
  if (newest) return newest.path;
  throw new Refusal(said("cli.backup.none_yet", { directory: resolve(backupRoot) }));
}

/** The media archive made with this dump, if it is in the same directory. */
export async function mediaBeside(dump: string): Promise<string | null> {
  const [, stamp] = /db_(\w+)\.sql\.gz$/.exec(dump) ?? [];
  const path = join(dirname(dump), `media_${stamp}.tar.gz`);
  return stamp !== undefined && (await isFile(path)) ? path : null;
}

/** Refuses a file that does not match its .sha256 file. Returns the file's name if there is no .sha256 file. */
export async function withoutChecksum(path: string): Promise<string[]> {
  const { named } = await demandChecksum(path);
  return named ? [] : [basename(path)];
}

/** A dump has a checksum per table, but only the .sha256 file proves that the file is the original. */
export function warnOfMissingChecksums(names: readonly string[]): void {
  for (const file of names) printAside(said("cli.backup.no_checksum", { file }));
}

const UNITS = ["size.bytes", "size.kB", "size.MB", "size.GB", "size.TB"] as const;

/** `13.7 MB`, in the language of the terminal. */
export const size = (bytes: number): string => inWords(sizeOf(bytes));

export function sizeOf(bytes: number): Said {
  let count = bytes;
  let unit = 0;
  for (; count >= 1000 && unit < UNITS.length - 1; unit++) count /= 1000;
  return { key: UNITS[unit]!, values: { count: Math.round(count * 10) / 10 } };
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
