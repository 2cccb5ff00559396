/** Restores the media directory from its archive: unpacks it beside its place, then moves the files there. */
import { type FileHandle, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Refusal } from "../../refusal.ts";
import { makeDirectory } from "../directories.ts";
import { unpacked } from "./backup-source.ts";
import { restoreToBucket } from "./bucket-restore.ts";
import type { MediaBucket } from "./media-archive.ts";
import { readTar, type TarPart } from "./tar.ts";

/** As new files there: an image server beside this one may read them. */
const DIRECTORY_MODE = 0o755;
const FILE_MODE = 0o644;
/** Inside the directory itself, which may be a mounted disk. */
const UNPACKED = ".restoring";

export type Archive = { files: number; bytes: number };

/** Reads an archive to its end; refuses one that is cut short, damaged, or would write anywhere else. */
export async function checkArchive(path: string): Promise<Archive> {
  const about = { files: 0, bytes: 0 };
  for await (const part of partsOf(path)) {
    if ("bytes" in part) about.bytes += part.bytes.length;
    else if (part.entry.kind === "file") about.files++;
  }
  return about;
}

/** Whether the directory holds anything, or the bucket. */
export async function hasMedia(root: string, bucket: MediaBucket | null = null): Promise<boolean> {
  const names = await readdir(root).catch(() => []);
  if (names.some((name) => !name.startsWith("."))) return true;
  for (const folder of bucket?.folders ?? []) for await (const _ of bucket!.files.list(folder)) return true;
  return false;
}

/**
 * Unpacks an archive that was checked; `place` then puts its files where they belong. Media go straight to the bucket, when
 * there is one, under keys that nobody knows before the catalogue is restored; `drop` without `place` takes them away.
 */
export async function unpackMedia(
  path: string,
  root: string,
  watch: { report?: (bytes: number) => void; signal?: AbortSignal; bucket?: MediaBucket | null } = {},
): Promise<{ place(): Promise<void>; drop(): Promise<void> }> {
  const room = join(root, UNPACKED);
  const bucket = watch.bucket ? restoreToBucket(watch.bucket) : null;
  const drop = async () => {
    await rm(room, { recursive: true, force: true });
    await bucket?.empty();
  };
  const files: string[] = [];
  const directories = new Set<string>();
  await drop();
  await makeDirectory(room);
  let file: FileHandle | undefined;
  const done = async () => {
    await bucket?.end();
    await file?.sync();
    await file?.close();
    file = undefined;
  };
  try {
    let bytes = 0;
    for await (const part of partsOf(path)) {
      watch.signal?.throwIfAborted();
      if ("bytes" in part) {
        await (file ? file.writeFile(part.bytes) : bucket!.write(part.bytes));
        bytes += part.bytes.length;
        watch.report?.(bytes);
        continue;
      }
      await done();
      const { path: name, kind } = part.entry;
      if (kind === "file" && (await bucket?.begin(name))) continue;
      const folder = kind === "directory" ? name : dirname(name);
      if (folder !== "." && !directories.has(folder)) {
        await makeDirectory(join(room, folder));
        directories.add(folder);
      }
      if (kind === "file") {
        file = await open(join(room, name), "w", FILE_MODE);
        files.push(name);
      }
    }
    await done();
  } catch (error) {
    await file?.close();
    await drop();
    throw error;
  }
  return {
    drop,
    async place() {
      for (const folder of directories) await makeDirectory(join(root, folder), DIRECTORY_MODE);
      for (const name of files) await rename(join(room, name), join(root, name));
      bucket?.keep();
      await drop();
    },
  };
}

async function* partsOf(path: string): AsyncGenerator<TarPart> {
  try {
    for await (const part of readTar(unpacked(path))) {
      if ("entry" in part && !isInside(part.entry.path)) {
        throw new Refusal(
          `${path} contains ${JSON.stringify(part.entry.path)}, which is outside the media directory`,
        );
      }
      yield part;
    }
  } catch (error) {
    if (error instanceof Refusal || !/^the archive/.test((error as Error).message)) throw error;
    throw new Refusal(`${path} cannot be used: ${(error as Error).message}. Nothing was changed`, 1, {
      cause: error,
    });
  }
}

function isInside(path: string): boolean {
  return (
    path !== "" &&
    !/^[/\\]|\\|\0/.test(path) &&
    path.split("/").every((name) => !["", ".", ".."].includes(name))
  );
}
