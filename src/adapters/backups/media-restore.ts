/** Restores the media from their archive: the media directory by way of a hidden folder in it, the bucket directly. */

import { open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ReadableStream as NodeReadableStream } from "node:stream/web";
import { createTarDecoder } from "modern-tar";
import { said } from "../../messages/said.ts";
import { Refusal } from "../../refusal.ts";
import { MEDIA_FILE_MODE, MEDIA_MODE, makeDirectory } from "../directories.ts";
import { unpacked } from "./backup-source.ts";
import type { MediaBucket } from "./media-archive.ts";

/** The hidden folder. It is in the media directory, which may be a mounted disk, so that files can be renamed into place. */
const UNPACKED = ".restoring";

export type Archive = { files: number; bytes: number };

/** Reads an archive to its end, writing nothing. Refuses one that is cut short, damaged, or would write anywhere else. */
export async function checkArchive(path: string): Promise<Archive> {
  const about = { files: 0, bytes: 0 };
  try {
    for await (const { kind, content } of entriesOf(path)) {
      if (kind === "file") about.files++;
      for await (const piece of iterate(content)) about.bytes += piece.length;
    }
  } catch (error) {
    // errors of the disk have a code; those of the tar reader have none
    if (error instanceof Refusal || (error as NodeJS.ErrnoException).code) throw error;
    throw new Refusal(said("cli.archive.damaged", { file: path, reason: (error as Error).message }), 1, {
      cause: error,
    });
  }
  return about;
}

/** Whether there is any file in the media directory or in the bucket. */
export async function hasMedia(root: string, bucket: MediaBucket | null = null): Promise<boolean> {
  const names = await readdir(root).catch(() => []);
  if (names.some((name) => !name.startsWith("."))) return true;
  for (const folder of bucket?.folders ?? []) for await (const _ of bucket!.files.list(folder)) return true;
  return false;
}

/**
 * Unpacks an archive that `checkArchive` has accepted. `place` then moves the files into the media directory; `drop` removes
 * what was unpacked. Media for a bucket are written there at once: nobody knows their keys before the catalogue is restored.
 * `report` is told how many bytes are unpacked.
 */
export async function unpackMedia(
  path: string,
  root: string,
  watch: { report?: (bytes: number) => void; signal?: AbortSignal; bucket?: MediaBucket | null } = {},
): Promise<{ place(): Promise<void>; drop(): Promise<void> }> {
  const { bucket, signal, report } = watch;
  const room = join(root, UNPACKED);
  /** Keys that were not in the bucket before. */
  let added: string[] = [];
  const drop = async () => {
    await rm(room, { recursive: true, force: true });
    // what cannot be removed is found by svc-manage media-verify
    for (const key of added.splice(0)) await bucket!.files.remove(key).catch(() => undefined);
  };
  const files: string[] = [];
  const directories = new Set<string>();
  await drop();
  await makeDirectory(room);
  try {
    let bytes = 0;
    for await (const { name, kind, content } of entriesOf(path)) {
      const counted = content.pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({
          transform(piece, controller) {
            signal?.throwIfAborted();
            bytes += piece.length;
            report?.(bytes);
            controller.enqueue(piece);
          },
        }),
      );
      if (kind === "file" && bucket?.holds(name)) {
        if ((await bucket.files.stat(name)) === null) added.push(name);
        await bucket.files.put(name, counted);
        continue;
      }
      const folder = kind === "directory" ? name : dirname(name);
      if (folder !== "." && !directories.has(folder)) {
        await makeDirectory(join(room, folder));
        directories.add(folder);
      }
      if (kind === "file") {
        await writeDurably(join(room, name), counted);
        files.push(name);
      }
    }
  } catch (error) {
    await drop();
    throw error;
  }
  return {
    drop,
    async place() {
      for (const folder of directories) await makeDirectory(join(root, folder), MEDIA_MODE);
      for (const name of files) await rename(join(room, name), join(root, name));
      added = [];
      await drop();
    },
  };
}

async function writeDurably(path: string, content: ReadableStream<Uint8Array>): Promise<void> {
  const file = await open(path, "w", MEDIA_FILE_MODE);
  try {
    for await (const piece of iterate(content)) await file.writeFile(piece);
    await file.sync();
  } finally {
    await file.close();
  }
}

type Entry = { name: string; kind: "file" | "directory"; content: ReadableStream<Uint8Array> };

/** The files and directories of an archive. The content of each has to be read before the next is asked for. */
async function* entriesOf(path: string): AsyncGenerator<Entry> {
  const bytes = NodeReadableStream.from(unpacked(path)) as ReadableStream<Uint8Array>;
  const entries = bytes.pipeThrough(createTarDecoder({ strict: true }));
  for await (const { header, body } of iterate(entries)) {
    // its content would be a list of the parts that are not empty, and then only these
    const pax = header.pax ?? {};
    if (Object.keys(pax).some((key) => key.startsWith("GNU.sparse."))) {
      throw new Refusal(
        said("cli.archive.sparse", { file: path, name: pax["GNU.sparse.name"] ?? header.name }),
      );
    }
    const name = header.name.replace(/\/+$/, "");
    if (!isInside(name)) {
      throw new Refusal(said("cli.archive.outside", { file: path, name: header.name }));
    }
    const kind = header.type ?? "file";
    if (kind !== "file" && kind !== "directory") {
      throw new Refusal(said("cli.archive.no_file", { file: path, name }));
    }
    yield { name, kind, content: body };
  }
}

/** The types of browsers do not know that a stream can be iterated. */
const iterate = <T>(stream: ReadableStream<T>) => stream as NodeReadableStream<T>;

function isInside(path: string): boolean {
  return (
    path !== "" &&
    !/^[/\\]|\\|\0/.test(path) &&
    path.split("/").every((name) => !["", ".", ".."].includes(name))
  );
}
