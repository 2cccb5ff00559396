/** Files that the operator names, opened once, and read through the handle. */
import { randomUUID } from "node:crypto";
import { constants, type FileHandle, open } from "node:fs/promises";
import { isAbsolute, resolve } from "node:path";
import type { FileIdentity, NamedFile, NamedFiles } from "../../ports/named-files.ts";

const PIECE = 64 * 1024;

/**
 * @param directory the data directory, whose owner may open them again after a restart; null: the database is external, and
 * only this process may
 */
export const namedFiles = (directory: string | null): NamedFiles => ({
  place: directory === null ? randomUUID() : resolve(directory),
  open: openNamed,
});

/** Null also for a link, a pipe and a device. */
async function openNamed(path: string): Promise<NamedFile | null> {
  if (!isAbsolute(path)) return null;
  // without waiting for the other end of a pipe; Windows lacks both flags
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => null);
  const identity = file && (await identityOf(file));
  if (identity) return { identity, stream: () => streamOf(file), close: () => file.close() };
  await file?.close();
  return null;
}

/** Null: it is not a regular file. */
export async function identityOf(file: FileHandle): Promise<FileIdentity | null> {
  const about = await file.stat({ bigint: true });
  if (!about.isFile()) return null;
  const { dev, ino, size, mtimeNs } = about;
  return { device: `${dev}`, inode: `${ino}`, size: `${size}`, modified: `${mtimeNs}` };
}

function streamOf(file: FileHandle): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = new Uint8Array(PIECE);
        const { bytesRead } = await file.read(piece, 0, PIECE, at);
        at += bytesRead;
        if (bytesRead > 0) controller.enqueue(piece.subarray(0, bytesRead));
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}
