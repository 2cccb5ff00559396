/** Files in a directory of this machine. */
import { createReadStream, type Stats } from "node:fs";
import { type FileHandle, open, readdir, rename, rm, rmdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import type { Files, StoredFile } from "../../services.ts";
import { MEDIA_FILE_MODE, MEDIA_MODE, makeDirectory } from "../directories.ts";
import { syncDirectory } from "../durable-files.ts";
import { demandKey, isKey } from "./key.ts";

/** Begins the name of an unfinished file. Parts of keys never begin with a dot. */
const DRAFT = ".draft-";
/** Smaller ranges are read at once, such as a tile of a picture. */
const AT_ONCE = 262_144;
/** An unfinished file that was not changed for this long was left by a killed process. */
const ABANDONED_MS = 24 * 60 * 60 * 1000;

/** The path for this key, whether or not the file exists. */
export const filePath = (root: string, key: string): string => join(root, demandKey(key));

/** @param abandonedMs 0 if there is only one writer, which never lists files while it writes one */
export function diskFiles(root: string, abandonedMs = ABANDONED_MS): Files {
  const pathOf = (key: string) => filePath(root, key);
  return {
    async put(key, content) {
      const path = pathOf(key);
      const directory = dirname(path);
      await makeDirectory(directory, MEDIA_MODE);
      const draft = join(directory, `${DRAFT}${crypto.randomUUID()}`);
      try {
        const bytes = await writeWhole(draft, content);
        await rename(draft, path);
        // some file systems do not support or need this
        await syncDirectory(directory).catch(() => undefined);
        return { bytes };
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
    },
    async get(key, range) {
      const handle = await open(pathOf(key), "r").catch(noneWhenMissing);
      if (handle === null) return null;
      try {
        const found = await handle.stat();
        if (!found.isFile()) {
          await handle.close();
          return null;
        }
        const file = fileOf(key, found);
        if (range && range.last - range.first < AT_ONCE) {
          const content = streamOf(await readPart(handle, range));
          await handle.close();
          return { file, content };
        }
        const part = range ? { start: range.first, end: range.last } : {};
        // the stream closes the handle when it ends or is cancelled
        const stream = createReadStream("", { fd: handle, ...part });
        return { file, content: Readable.toWeb(stream) as ReadableStream<Uint8Array> };
      } catch (error) {
        await handle.close().catch(() => undefined);
        throw error;
      }
    },
    async stat(key) {
      const found = await stat(pathOf(key)).catch(noneWhenMissing);
      return found?.isFile() ? fileOf(key, found) : null;
    },
    async remove(key) {
      const path = pathOf(key);
      await rm(path).catch(noneWhenMissing);
      await removeEmpty(dirname(path), root);
    },
    list: (prefix) => walk({ root, abandonedMs }, root, "", prefix),
  };
}

/** The bytes of the range; fewer at the end of the file. */
async function readPart(
  handle: FileHandle,
  { first, last }: { first: number; last: number },
): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(last - first + 1);
  const { bytesRead } = await handle.read(bytes, 0, bytes.length, first);
  return bytes.subarray(0, bytesRead);
}

function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      if (bytes.length > 0) controller.enqueue(bytes);
      controller.close();
    },
  });
}

async function writeWhole(path: string, content: ReadableStream<Uint8Array>): Promise<number> {
  const file = await open(path, "wx", MEDIA_FILE_MODE);
  let bytes = 0;
  try {
    for await (const chunk of content as NodeReadableStream<Uint8Array>) {
      for (let at = 0; at < chunk.length; ) at += (await file.write(chunk, at)).bytesWritten;
      bytes += chunk.length;
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return bytes;
}

const fileOf = (key: string, { size, mtime }: Stats): StoredFile => ({ key, bytes: size, modifiedAt: mtime });

/** Removes this directory and its parents below the root, as far as they are empty. */
async function removeEmpty(directory: string, root: string): Promise<void> {
  for (let path = directory; path.length > root.length; path = dirname(path)) {
    const removed = await rmdir(path).then(
      () => true,
      () => false,
    );
    if (!removed) return;
  }
}

type Place = { root: string; abandonedMs: number };

async function* walk(
  place: Place,
  directory: string,
  above: string,
  prefix: string,
): AsyncGenerator<StoredFile> {
  const entries = (await readdir(directory, { withFileTypes: true }).catch(noneWhenMissing)) ?? [];
  if (entries.length === 0 && place.abandonedMs === 0) await removeEmpty(directory, place.root);
  for (const entry of entries) {
    const path = join(directory, entry.name);
    if (entry.name.startsWith(DRAFT)) await removeAbandoned(place, path);
    const key = `${above}${entry.name}`;
    if (entry.isDirectory() && (prefix.startsWith(`${key}/`) || `${key}/`.startsWith(prefix))) {
      yield* walk(place, path, `${key}/`, prefix);
    } else if (entry.isFile() && key.startsWith(prefix) && isKey(key)) {
      const found = await stat(path).catch(noneWhenMissing);
      if (found) yield fileOf(key, found);
    }
  }
}

async function removeAbandoned({ root, abandonedMs }: Place, draft: string): Promise<void> {
  const found = await stat(draft).catch(noneWhenMissing);
  if (!found || Date.now() - found.mtimeMs < abandonedMs) return;
  await rm(draft, { force: true });
  await removeEmpty(dirname(draft), root);
}

function noneWhenMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
  throw error;
}
