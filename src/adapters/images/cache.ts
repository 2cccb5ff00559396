/**
 * A cache of files in a directory of this machine, limited in bytes. The least recently used files are deleted first. Several
 * processes may share the directory; each counts only the files that it knows of.
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { makeDirectory } from "../directories.ts";

/** Begins the name of an unfinished file, which is left alone as long as somebody writes to it. */
const DRAFT = ".draft-";
const ABANDONED_MS = 3_600_000;
/** Bytes. Smaller files are read at once, larger ones streamed. */
const LARGE = 1_048_576;

export type Kept = { bytes: number; content: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> };

export type Cache = {
  read(name: string): Promise<Kept | null>;
  /** Caches the file that `write` writes to the given path. Throws what `write` throws, or if the disk takes nothing. */
  keep(name: string, write: (path: string) => Promise<unknown>): Promise<void>;
  /** Passes the file to `work`, and creates it first if it is missing. It is not deleted before `work` ends. */
  hold<T>(
    name: string,
    write: (path: string) => Promise<unknown>,
    work: (path: string) => Promise<T>,
  ): Promise<T>;
  /** A temporary file, which is deleted when `work` ends. */
  draft<T>(work: (path: string) => Promise<T>): Promise<T>;
};

export function diskCache(directory: string, maxBytes: number): Cache {
  /** Files and their sizes in bytes, least recently used first. */
  const known = new Map<string, number>();
  const held = new Map<string, number>();
  const making = new Map<string, Promise<void>>();
  let total = 0;
  let loaded: Promise<void> | null = null;

  const forget = (file: string) => {
    total -= known.get(file) ?? 0;
    known.delete(file);
  };
  const touch = (file: string, bytes: number) => {
    forget(file);
    known.set(file, bytes);
    total += bytes;
  };

  async function load(): Promise<void> {
    const found: { file: string; bytes: number; at: number }[] = [];
    for (const file of await readdir(directory).catch(() => [])) {
      const path = join(directory, file);
      const there = await stat(path).catch(() => null);
      if (!there?.isFile()) continue;
      if (!file.startsWith(DRAFT)) found.push({ file, bytes: there.size, at: there.mtimeMs });
      else if (Date.now() - there.mtimeMs > ABANDONED_MS) await rm(path, { force: true });
    }
    for (const { file, bytes } of found.sort((one, other) => one.at - other.at)) touch(file, bytes);
    await makeRoom();
  }

  /** @param newest is kept in any case */
  async function makeRoom(newest?: string): Promise<void> {
    for (const file of known.keys()) {
      if (total <= maxBytes) return;
      if (file === newest || held.has(file)) continue;
      forget(file);
      await rm(join(directory, file), { force: true }).catch(() => undefined);
    }
  }

  async function draft<T>(work: (path: string) => Promise<T>): Promise<T> {
    await makeDirectory(directory);
    loaded ??= load();
    await loaded;
    const path = join(directory, `${DRAFT}${crypto.randomUUID()}`);
    try {
      return await work(path);
    } finally {
      await rm(path, { force: true }).catch(() => undefined);
    }
  }

  async function make(file: string, write: (path: string) => Promise<unknown>): Promise<void> {
    await draft(async (path) => {
      await write(path);
      const { size } = await stat(path);
      await rename(path, join(directory, file));
      touch(file, size);
    });
    await makeRoom(file);
  }

  return {
    draft,
    async read(name) {
      const file = fileOf(name);
      const handle = await open(join(directory, file)).catch(() => null);
      if (handle === null) {
        forget(file);
        return null;
      }
      const { size } = await handle.stat();
      touch(file, size);
      if (size > LARGE) {
        // the stream closes the handle when it ends or is cancelled
        const stream = createReadStream("", { fd: handle });
        return { bytes: size, content: Readable.toWeb(stream) as ReadableStream<Uint8Array> };
      }
      const content = await handle.readFile().finally(() => handle.close());
      return { bytes: content.length, content: content as Uint8Array<ArrayBuffer> };
    },
    keep: (name, write) => make(fileOf(name), write),
    async hold(name, write, work) {
      const file = fileOf(name);
      held.set(file, (held.get(file) ?? 0) + 1);
      try {
        const path = join(directory, file);
        const there = await stat(path).catch(() => null);
        if (there) touch(file, there.size);
        else {
          const begun = making.get(file) ?? make(file, write).finally(() => making.delete(file));
          making.set(file, begun);
          await begun;
        }
        return await work(path);
      } finally {
        const others = held.get(file)! - 1;
        if (others > 0) held.set(file, others);
        else held.delete(file);
        await makeRoom();
      }
    },
  };
}

const fileOf = (name: string): string => createHash("sha256").update(name).digest("hex");
