/**
 * A compressed file that is written in pieces. Each piece is a gzip member (RFC 1952 §2.2), so gunzip reads them as
 * one file, and an outdated piece can be removed. The file has a temporary name until it is complete, on the disk,
 * and has its checksum file.
 */
import { createHash } from "node:crypto";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { withFault } from "./disk-fault.ts";

const compress = promisify(gzip);
/** Half the size of level 1 for text, and a good deal quicker than 6 for one percent more. */
const LEVEL = 5;
/** Pieces that are compressed at once, in threads of the runtime. */
const AT_ONCE = 3;
const COPY_BYTES = 1024 * 1024;

type Piece = { at: number; length: number };

export type PieceFile = {
  /** Comes back when there is room for the next piece. Answers its number. */
  put(content: string | Uint8Array): Promise<number>;
  drop(piece: number): void;
  /** Completes the file; answers its size. */
  keep(): Promise<number>;
  /** Leaves nothing behind. */
  abandon(): Promise<void>;
};

/** Begins `path`; the directory is there already. */
export async function openPieceFile(path: string): Promise<PieceFile> {
  const draft = draftOf(path);
  const file = await withFault(dirname(path), () => open(draft, "wx+", 0o600));
  const pieces: (Piece | null)[] = [];
  let end = 0;
  let written: Promise<void> = Promise.resolve();
  let fault: unknown;
  const underWay: Promise<void>[] = [];
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
      // whoever puts the next piece is told
      underWay.push(
        written.catch((error) => {
          fault ??= error;
        }),
      );
      if (underWay.length >= AT_ONCE) await underWay.shift();
      await demandDisk();
      return number;
    },

    drop(piece) {
      dropped.add(piece);
    },

    keep: () =>
      withFault(dirname(path), async () => {
        await written;
        const bytes = await closeGaps(
          file,
          pieces.filter((piece, number) => piece !== null && !dropped.has(number)) as Piece[],
          end,
        );
        await file.sync();
        const sum = await checksum(file);
        await file.close();
        await writeSum(path, sum);
        await rename(draft, path);
        await syncDirectory(dirname(path));
        return bytes;
      }),

    async abandon() {
      await Promise.allSettled(underWay);
      await file.close().catch(() => undefined);
      await rm(draft, { force: true });
      await rm(`${path}.sha256`, { force: true });
    },
  };
}

const DRAFT = /^\.(?:db|media)_.+\.([^.]+)\.(\d+)\.part$/;

/** Says which process of which machine writes it. */
function draftOf(path: string): string {
  return join(dirname(path), `.${basename(path)}.${machine()}.${process.pid}.part`);
}

const machine = () => hostname().replaceAll(/[^\w-]/g, "-");

const HOUR = 3_600_000;

/** Whether a file is a draft whose process has ended. Those of other machines are left for a day. */
export function isLeftBehind(name: string, modified: number): boolean {
  const [, host, pid] = DRAFT.exec(name) ?? [];
  if (host === undefined || Number(pid) === process.pid) return false;
  if (host !== machine()) return Date.now() - modified > 24 * HOUR;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Deno lets only those ask who may run programs: there it is left for an hour
    return code === "ESRCH" || (code !== "EPERM" && Date.now() - modified > HOUR);
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await file.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
  }
}

/** Moves the pieces that are wanted together; answers the size then. */
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

/** Of what is on the disk, read back. */
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

/** As sha256sum writes it and `sha256sum -c` reads it. Before the file itself has its name: it is never without. */
async function writeSum(path: string, sum: string): Promise<void> {
  const file = await open(`${path}.sha256`, "w", 0o600);
  try {
    await file.writeFile(`${sum}  ${basename(path)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
