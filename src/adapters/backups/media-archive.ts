/** Writes a tar archive of the media directory, including media that are stored elsewhere. */
import { type FileHandle, lstat, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import type { Files } from "../../services.ts";
import { padding, TAR_END, type TarEntry, tarHeader } from "./tar.ts";

const PIECE = 1024 * 1024;

export type ArchiveWatch = { signal?: AbortSignal; report?: (part: number) => void };

/** Where media are asked for, when they need not be in the media directory. */
export type MediaBucket = {
  files: Files;
  /** What their keys begin with. */
  folders: readonly string[];
  /** Whether this is the key of a medium. */
  holds(key: string): boolean;
};

type Entry = TarEntry & { inBucket?: true };

/**
 * Puts every file and directory below `root` into the archive; one that is not there is empty. Media come from the bucket,
 * when there is one. Answers in sentences what could not be taken as it was: files that changed or went meanwhile, links
 * and other things that are not files.
 */
export async function archiveMedia(
  root: string,
  put: (bytes: Uint8Array) => Promise<unknown>,
  { signal, report, bucket }: ArchiveWatch & { bucket?: MediaBucket | null } = {},
): Promise<string[]> {
  const notes: string[] = [];
  const here = await walk(root, "", notes);
  const entries = bucket
    ? [...here.filter(({ path }) => !bucket.holds(path)), ...(await bucketEntries(bucket))]
    : here;
  const whole = entries.reduce((sum, { size }) => sum + size, 1);
  const out = gather(put);
  let done = 0;
  for (const entry of entries) {
    signal?.throwIfAborted();
    if (entry.kind === "directory") await out.put(tarHeader(entry));
    else {
      const took = (bytes: number) => {
        signal?.throwIfAborted();
        done += bytes;
        report?.(done / whole);
      };
      if (entry.inBucket) await addFromBucket(bucket!.files, entry, out.put, notes, took);
      else await addFile(join(root, entry.path), entry, out.put, notes, took);
    }
  }
  await out.put(TAR_END);
  await out.end();
  return notes;
}

/** In the order of their names. Probes of `directoryFault` and other hidden files are nobody's media. */
async function walk(root: string, folder: string, notes: string[]): Promise<Entry[]> {
  const names = await readdir(join(root, folder)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const found: Entry[] = [];
  for (const name of names.filter((each) => !each.startsWith(".")).sort()) {
    const path = folder === "" ? name : `${folder}/${name}`;
    const about = await lstat(join(root, path)).catch(() => null);
    if (!about) notes.push(`${path} disappeared while the backup was made`);
    else if (about.isDirectory()) {
      found.push({ path, kind: "directory", size: 0, modified: about.mtimeMs / 1000 });
      found.push(...(await walk(root, path, notes)));
    } else if (about.isFile()) {
      found.push({ path, kind: "file", size: about.size, modified: about.mtimeMs / 1000 });
    } else notes.push(`${path} is neither a file nor a directory and was left out`);
  }
  return found;
}

async function bucketEntries({ files, folders, holds }: MediaBucket): Promise<Entry[]> {
  const found: Entry[] = [];
  for (const folder of folders) {
    for await (const { key, bytes, modifiedAt } of files.list(folder)) {
      const modified = modifiedAt.getTime() / 1000;
      if (holds(key)) found.push({ path: key, kind: "file", size: bytes, modified, inBucket: true });
    }
  }
  return found;
}

async function addFromBucket(
  files: Files,
  entry: TarEntry,
  put: (bytes: Uint8Array) => Promise<void>,
  notes: string[],
  took: (bytes: number) => void,
): Promise<void> {
  const found = await files.get(entry.path);
  if (found === null) {
    notes.push(`${entry.path} disappeared while the backup was made`);
    return;
  }
  const { bytes: size, modifiedAt } = found.file;
  await put(tarHeader({ ...entry, size, modified: modifiedAt.getTime() / 1000 }));
  let bytes = 0;
  for await (const piece of found.content as NodeReadableStream<Uint8Array>) {
    bytes += piece.length;
    await put(piece);
    took(piece.length);
  }
  if (bytes !== size) throw new Error(`${entry.path} has ${size} bytes, of which ${bytes} came`);
  await put(padding(size));
}

async function addFile(
  path: string,
  entry: TarEntry,
  put: (bytes: Uint8Array) => Promise<void>,
  notes: string[],
  took: (bytes: number) => void,
): Promise<void> {
  let file: FileHandle;
  try {
    file = await open(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" && code !== "EACCES") throw error;
    notes.push(
      code === "ENOENT"
        ? `${entry.path} disappeared while the backup was made`
        : `${entry.path} cannot be read: permission denied`,
    );
    return;
  }
  try {
    // its length now: a file that is being written has grown since the directory was read
    const { size } = await file.stat();
    await put(tarHeader({ ...entry, size }));
    for (let at = 0; at < size; ) {
      const piece = new Uint8Array(Math.min(PIECE, size - at));
      const { bytesRead } = await file.read(piece, 0, piece.length, at);
      if (bytesRead === 0) {
        notes.push(`${entry.path} became shorter while the backup was made`);
        for (; at < size; at += PIECE) await put(new Uint8Array(Math.min(PIECE, size - at)));
        break;
      }
      await put(piece.subarray(0, bytesRead));
      at += bytesRead;
      took(bytesRead);
    }
    await put(padding(size));
  } finally {
    await file.close();
  }
}

/** Headers and small files go on together: a piece for each would hardly be compressed. */
function gather(put: (bytes: Uint8Array) => Promise<unknown>) {
  let room = new Uint8Array(PIECE);
  let full = 0;
  const end = async () => {
    if (full > 0) await put(room.subarray(0, full));
    room = new Uint8Array(PIECE);
    full = 0;
  };
  return {
    end,
    async put(bytes: Uint8Array): Promise<void> {
      for (let at = 0; at < bytes.length; ) {
        const part = bytes.subarray(at, at + PIECE - full);
        room.set(part, full);
        full += part.length;
        at += part.length;
        if (full === PIECE) await end();
      }
    },
  };
}
