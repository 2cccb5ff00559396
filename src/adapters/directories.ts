/** Creates the configured directories if they are missing, and checks that they are writable. */

import { mkdir, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import { type Said, said, type Told } from "../messages/said.ts";
import { NoRoom, Refusal } from "../refusal.ts";
import { writeDurably } from "./durable-files.ts";

const FOR_THIS_USER = 0o700;

/** Of media: an image server beside the service may read them. Nobody else may write, whatever the umask says. */
export const MEDIA_MODE = 0o755;
export const MEDIA_FILE_MODE = 0o644;

/** Creates a directory and its parents. (Node's option `recursive` never returns if a parent accepts no files, such as /proc.) */
export async function makeDirectory(path: string, mode = FOR_THIS_USER): Promise<void> {
  const error = await mkdir(path, { mode }).then(
    () => null,
    (error: unknown) => error,
  );
  if (error === null || (codeOf(error) === "EEXIST" && (await isDirectory(path)))) return;
  const parent = dirname(path);
  if (codeOf(error) !== "ENOENT" || parent === path) throw error;
  await makeDirectory(parent, mode);
  // fails if another process has created it meanwhile, or if its parent accepts no files
  await mkdir(path, { mode }).catch(async (again: unknown) => {
    if (codeOf(again) !== "EEXIST" || !(await isDirectory(path))) throw again;
  });
}

async function isDirectory(path: string): Promise<boolean> {
  const there = await stat(path).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") throw new Error("it is a broken link", { cause: error });
    throw error;
  });
  return there.isDirectory();
}

/** Creates the directory and writes to it. Returns null or, if that fails, why, for the operator (contract §7.1). */
export async function directoryFault(
  variable: string,
  directory: string,
  mode = FOR_THIS_USER,
): Promise<Said | null> {
  const error = await faultOf(resolve(directory), mode);
  return error === null ? null : notWritable(variable, directory, error);
}

/** Throws a Refusal if the directory cannot be used, `NoRoom` if its disk is full. `advice`: what to do, or what was not done. */
export async function demandDirectory(
  variable: string,
  directory: string,
  advice = said("cli.directory.correct", { variable }),
): Promise<void> {
  const error = await faultOf(resolve(directory), FOR_THIS_USER);
  if (error === null) return;
  const Fault = isFull(error) ? NoRoom : Refusal;
  throw new Fault(said("cli.directory.refused", { fault: notWritable(variable, directory, error), advice }));
}

async function faultOf(path: string, mode: number): Promise<unknown> {
  const probe = join(path, ".writable");
  try {
    await makeDirectory(path, mode);
    // writing a file is the only reliable test: permission bits do not show full disks, read-only mounts or root
    await writeDurably(probe, "x".repeat(4096), "w").finally(() => rm(probe, { force: true }));
    return null;
  } catch (error) {
    return error;
  }
}

/** In the words of contract §7.1, in every language. */
function notWritable(variable: string, directory: string, error: unknown): Said {
  const uid = String(process.getuid?.() ?? "?");
  const reason = reasonOf(error);
  return said("cli.directory.not_writable", { variable, uid, directory: resolve(directory), reason });
}

const FULL = new Set<unknown>(["ENOSPC", "EDQUOT"]);

/** Whether the disk is full, or the quota of this user is used up. */
export const isFull = (error: unknown): boolean => FULL.has(codeOf(error));

/** What the codes of the disk's errors mean. */
export const DISK_WORDS: Readonly<Record<string, Said>> = {
  EACCES: said("cli.disk.denied"),
  EPERM: said("cli.disk.denied"),
  EROFS: said("cli.disk.read_only"),
  ENOSPC: said("cli.disk.full"),
  EDQUOT: said("cli.disk.quota"),
};
const WORDS: Readonly<Record<string, Said>> = {
  ...DISK_WORDS,
  EEXIST: said("cli.disk.is_file"),
  ENOTDIR: said("cli.disk.file_on_the_way"),
  ELOOP: said("cli.disk.loop"),
  ENOENT: said("cli.disk.no_directory"),
  ENAMETOOLONG: said("cli.disk.name_too_long"),
};

function reasonOf(error: unknown): Told {
  return WORDS[codeOf(error) ?? ""] ?? (error instanceof Error ? error.message : String(error));
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
