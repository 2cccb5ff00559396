/**
 * Writes a compressed file in pieces. Each piece is a gzip member (RFC 1952 §2.2), so gunzip reads them as one file, and
 * outdated pieces can be removed. The file has a temporary name until it is published.
 */
import { createHash } from "node:crypto";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { syncDirectory, writeDurably } from "../durable-files.ts";
import { withFault } from "./disk-fault.ts";

const compress = promisify(gzip);
/** Text is half as large as with level 1. Level 6 would be much slower and save only one percent more. */
const LEVEL = 5;
/** Pieces that are compressed at the same time, in threads of the runtime. */
const AT_ONCE = 3;
const COPY_BYTES = 1024 * 1024;

type Piece = { at: number; length: number };

export type PieceFile = {
  /** Resolves with the number of the piece, when there is room for the next one. */
  put(content: string | Uint8Array): Promise<number>;
  drop(piece: number): void;
  /** Completes the file and waits until it is on the disk; returns its size in bytes. */
  complete(): Promise<number>;
  /** Gives the complete file its name, with a checksum file. */
  publish(): Promise<void>;
  /** Deletes the file, whether or not it is complete. */
  abandon(): Promise<void>;
};

/** Starts writing `path`, whose directory must exist. */
export async function openPieceFile(path: string): Promise<PieceFile> {
  const draft = draftOf(path);
  const name = basename(draft);
  const file = await withFault(dirname(path), () => open(draft, "wx+", 0o600));
  underWay.add(name);
  const pieces: (Piece | null)[] = [];
  let end = 0;
  let written: Promise<void> = Promise.resolve();
  let fault: unknown;
  let sum = "";
  const compressing: Promise<void>[] = [];
  const dropped = new Set<number>();
  const demandDisk = () =>
    withFault(dirname(path), async () => {
      if (fault) throw fault;
    });

  return {
    async put(content) {
      await demandDisk();
      const number = pieces.push(null) - 1;
      const packed = compress(content, { level: LEVEL });
      const before = written;
      written = (async () => {
        const [bytes] = await Promise.all([packed, before]);
        await writeAll(file, bytes, end);
        pieces[number] = { at: end, length: bytes.length };
        end += bytes.length;
      })();
      // the next `put` throws this error
      compressing.push(
        written.catch((error) => {
          fault ??= error;
        }),
      );
      if (compressing.length >= AT_ONCE) await compressing.shift();
      await demandDisk();
      return number;
    },

    drop(piece) {
      dropped.add(piece);
    },

    complete: () =>
      withFault(dirname(path), async () => {
        await written;
        const bytes = await closeGaps(
          file,
          pieces.filter((piece, number) => piece !== null && !dropped.has(number)) as Piece[],
          end,
        );
        await file.sync();
        sum = await checksum(file);
        await file.close();
        return bytes;
      }),

    publish: () =>
      withFault(dirname(path), async () => {
        // in the format of `sha256sum`, before the backup itself gets its name
        await writeDurably(`${path}.sha256`, `${sum}  ${basename(path)}\n`, "w");
        await rename(draft, path);
        await syncDirectory(dirname(path));
        underWay.delete(name);
      }),

    async abandon() {
      await Promise.allSettled(compressing);
      await file.close().catch(() => undefined);
      for (const left of [draft, path, `${path}.sha256`]) await rm(left, { force: true });
      underWay.delete(name);
    },
  };
}

/** Names of the unfinished files of this process. */
const underWay = new Set<string>();

const DRAFT = /^\.(?:db|media)_.+\.([^.]+)\.(\d+)\.part$/;

/** The temporary name, which contains the machine and process that write the file. */
function draftOf(path: string): string {
  return join(dirname(path), `.${basename(path)}.${machine()}.${process.pid}.part`);
}

const machine = () => hostname().replaceAll(/[^\w-]/g, "-");

const HOUR = 3_600_000;

/**
 * Whether this is an unfinished file whose process has ended. A file of another machine counts as such after a day. A file of
 * an earlier process that had the number of this one, as in a restarted container, counts after an hour.
 *
 * @param modified when any file of its set was last changed, in milliseconds since 1970
 */
export function isLeftBehind(name: string, modified: number): boolean {
  const [, host, pid] = DRAFT.exec(name) ?? [];
  if (host === undefined || underWay.has(name)) return false;
  if (host !== machine()) return Date.now() - modified > 24 * HOUR;
  if (Number(pid) === process.pid) return Date.now() - modified > HOUR;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Deno may refuse to answer (permission to run programs); then the file counts as left behind after an hour
    return code === "ESRCH" || (code !== "EPERM" && Date.now() - modified > HOUR);
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await file.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
  }
}

/** Moves the remaining pieces together; returns the size of the file. */
async function closeGaps(file: FileHandle, pieces: readonly Piece[], end: number): Promise<number> {
  const room = new Uint8Array(COPY_BYTES);
  let to = 0;
  for (const piece of pieces.toSorted((a, b) => a.at - b.at)) {
    for (let done = 0; done < piece.length && to !== piece.at; ) {
      const wanted = Math.min(room.length, piece.length - done);
      const { bytesRead } = await file.read(room, 0, wanted, piece.at + done);
      await writeAll(file, room.subarray(0, bytesRead), to + done);
      done += bytesRead;
    }
    to += piece.length;
  }
  if (to < end) await file.truncate(to);
  return to;
}

/** SHA-256 of the file, read back from the disk. */
async function checksum(file: FileHandle): Promise<string> {
  const hash = createHash("sha256");
  const room = new Uint8Array(COPY_BYTES);
  for (let at = 0; ; ) {
    const { bytesRead } = await file.read(room, 0, room.length, at);
    if (bytesRead === 0) return hash.digest("hex");
    hash.update(room.subarray(0, bytesRead));
    at += bytesRead;
  }
}
