/** Writes a tar archive of the media: the files of the media directory and, where there is a bucket, those in the bucket. */

import { type FileHandle, lstat, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { createTarPacker } from "modern-tar";
import { cutIntoParts } from "../../bytes.ts";
import { type Said, said } from "../../messages/said.ts";
import type { Files } from "../../services.ts";

const PIECE = 1024 * 1024;

export type ArchiveOptions = {
  signal?: AbortSignal;
  report?: (part: number) => void;
  bucket?: MediaBucket | null;
  /** A folder directly below `root` that is left out, with a slash at its end. */
  leaveOut?: string;
};

/** The object store that holds the media, when they are not in the media directory. */
export type MediaBucket = {
  files: Files;
  /** Prefixes of the keys of media. */
  folders: readonly string[];
  /** Whether this is the key of a medium. */
  holds(key: string): boolean;
};

type Entry = { path: string; kind: "file" | "directory"; size: number; modified: Date; inBucket?: true };
/** Adds an entry to the archive, with exactly as many bytes as its size says. */
type Add = (entry: Entry, content?: AsyncIterable<Uint8Array>) => Promise<void>;

/**
 * Passes the archive to `put`, piece by piece: every file and directory below `root` (none if it does not exist), and the
 * media of the bucket. Returns a sentence for each that is not in the archive as it was: files that changed or
 * disappeared meanwhile, links and other things that are not files.
 */
export async function archiveMedia(
  root: string,
  put: (bytes: Uint8Array) => Promise<unknown>,
  { signal, report, bucket, leaveOut }: ArchiveOptions = {},
): Promise<Said[]> {
  const notes: Said[] = [];
  const here = await walk(root, "", notes, leaveOut);
  const entries = bucket
    ? [...here.filter(({ path }) => !bucket.holds(path)), ...(await bucketEntries(bucket))]
    : here;
  const whole = entries.reduce((sum, { size }) => sum + size, 1);
  let done = 0;
  const { readable, controller } = createTarPacker();
  const add: Add = async ({ path, kind, size, modified }, content) => {
    const header =
      kind === "directory"
        ? { name: `${path}/`, type: kind, mode: 0o700, size }
        : { name: path, type: kind, mode: 0o600, size };
    // tar has no dates before 1970
    const body = controller.add({ ...header, mtime: new Date(Math.max(0, +modified)) }).getWriter();
    for await (const piece of content ?? []) {
      signal?.throwIfAborted();
      await body.write(piece);
      done += piece.length;
      report?.(done / whole);
    }
    await body.close();
  };
  const addAll = async () => {
    for (const entry of entries) {
      signal?.throwIfAborted();
      if (entry.kind === "directory") await add(entry);
      else if (entry.inBucket) await addFromBucket(bucket!.files, entry, add, notes);
      else await addFile(join(root, entry.path), entry, add, notes);
    }
    controller.finalize();
  };
  await Promise.all([
    readable.pipeTo(inLargePieces(put)),
    addAll().catch((error: unknown) => controller.error(error)),
  ]);
  return notes;
}

/** Everything below a folder, in the order of names. Hidden files are left out: none of them is a medium. */
async function walk(root: string, folder: string, notes: Said[], leaveOut?: string): Promise<Entry[]> {
  const names = await readdir(join(root, folder)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const found: Entry[] = [];
  for (const name of names.filter((each) => !each.startsWith(".")).sort()) {
    const path = folder === "" ? name : `${folder}/${name}`;
    const about = await lstat(join(root, path)).catch(() => null);
    if (`${path}/` === leaveOut) continue;
    if (!about) notes.push(said("cli.archive.disappeared", { path }));
    else if (about.isDirectory()) {
      found.push({ path, kind: "directory", size: 0, modified: about.mtime });
      found.push(...(await walk(root, path, notes)));
    } else if (about.isFile()) {
      found.push({ path, kind: "file", size: about.size, modified: about.mtime });
    } else notes.push(said("cli.archive.left_out", { path }));
  }
  return found;
}

async function bucketEntries({ files, folders, holds }: MediaBucket): Promise<Entry[]> {
  const found: Entry[] = [];
  for (const folder of folders) {
    for await (const { key, bytes, modifiedAt } of files.list(folder)) {
      if (holds(key))
        found.push({ path: key, kind: "file", size: bytes, modified: modifiedAt, inBucket: true });
    }
  }
  return found;
}

async function addFromBucket(files: Files, entry: Entry, add: Add, notes: Said[]): Promise<void> {
  const found = await files.get(entry.path);
  if (found) {
    await add({ ...entry, size: found.file.bytes }, found.content as NodeReadableStream<Uint8Array>);
  } else notes.push(said("cli.archive.disappeared", { path: entry.path }));
}

async function addFile(path: string, entry: Entry, add: Add, notes: Said[]): Promise<void> {
  let file: FileHandle;
  try {
    file = await open(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" && code !== "EACCES") throw error;
    notes.push(
      said(code === "ENOENT" ? "cli.archive.disappeared" : "cli.archive.unreadable", { path: entry.path }),
    );
    return;
  }
  try {
    // the size now: the file may have grown since the directory was read
    const { size } = await file.stat();
    const shorter = () => notes.push(said("cli.archive.shorter", { path: entry.path }));
    await add({ ...entry, size }, exactly(file, size, shorter));
  } finally {
    await file.close();
  }
}

/** The first `size` bytes of a file; zeros at the end if it has fewer by now. */
async function* exactly(file: FileHandle, size: number, shorter: () => void): AsyncGenerator<Uint8Array> {
  let at = 0;
  while (at < size) {
    const piece = new Uint8Array(Math.min(PIECE, size - at));
    const { bytesRead } = await file.read(piece, 0, piece.length, at);
    if (bytesRead === 0) break;
    yield piece.subarray(0, bytesRead);
    at += bytesRead;
  }
  if (at < size) shorter();
  for (; at < size; at += PIECE) yield new Uint8Array(Math.min(PIECE, size - at));
}

/** Joins headers and small files to pieces of 1 MiB, because each piece is compressed on its own. */
function inLargePieces(put: (bytes: Uint8Array) => Promise<unknown>): WritableStream<Uint8Array> {
  const { write, end } = cutIntoParts(PIECE, async (piece) => {
    if (piece.length > 0) await put(piece);
  });
  return new WritableStream({
    write,
    async close() {
      await end();
    },
  });
}
