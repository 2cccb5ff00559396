/** Writes and reads export files. Only a complete file gets the final name, and an import checks the whole file first. */
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough, Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { linesOf } from "../../src/bytes.ts";
import { type Header, LONGEST_LINE, lineText, readClosing, readHeader } from "../../src/exports/format.ts";
import { byteStream } from "../../src/http/answer/text-stream.ts";
import { said } from "../../src/messages/said.ts";
import { Refusal } from "../../src/refusal.ts";
import { cannotRead, fileFault } from "../catalogue/open.ts";

/** The path of a new file: `place`, or a file in the directory `place` named after the time. Refuses an existing file. */
export async function exportPath(place: string, name: string, ending = "ndjson"): Promise<string> {
  const there = await stat(place).catch(() => null);
  const time = new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, "");
  const path = there?.isDirectory() ? join(place, `${name}_${time}Z.${ending}.gz`) : place;
  if (await stat(path).catch(() => null)) {
    throw new Refusal(said("cli.file.exists", { path }));
  }
  return path;
}

/**
 * Writes a file that only its owner can read, since it contains non-public data. An interruption leaves at most
 * `FILE.part`.
 *
 * @param fill writes the text. If it throws, no file remains
 */
export async function writeWhole(
  path: string,
  fill: (write: (text: string) => Promise<void>) => Promise<void>,
): Promise<{ bytes: number }> {
  const part = `${path}.part`;
  const { readable, writable } = new TransformStream<string, string>();
  const writer = writable.getWriter();
  const filled = fill((text) => writer.write(text)).then(
    () => writer.close(),
    (error) => writer.abort(error),
  );
  try {
    const text = Readable.from(readable, { objectMode: false });
    const file = createWriteStream(part, { mode: 0o600 });
    if (path.endsWith(".gz")) await pipeline(text, createGzip(), file);
    else await pipeline(text, file);
    const handle = await open(part, "r+");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(part, path);
    return { bytes: (await stat(path)).size };
  } catch (error) {
    await rm(part, { force: true });
    const { code } = error as NodeJS.ErrnoException;
    const isOfFile = ["ENOENT", "EACCES", "EPERM", "EROFS", "ENOSPC", "EISDIR", "ENOTDIR", "EDQUOT"].includes(
      code ?? "",
    );
    if (!isOfFile) throw error;
    const reason = fileFault(error, said("cli.file.no_directory"));
    throw new Refusal(said("cli.file.cannot_write", { path, reason }));
  } finally {
    // `fill` ends, because nobody reads from it any more
    await filled.catch(() => undefined);
  }
}

/** Reads the whole file. Refuses an incomplete or changed one. */
export async function lookThrough(path: string, onBytes: (read: number) => void): Promise<Header> {
  const hash = createHash("sha256");
  let header: Header | null = null;
  let lines = -1;
  let last: Uint8Array | null = null;
  try {
    for await (const line of linesOf(piecesOf(path, onBytes), LONGEST_LINE)) {
      if (last) hash.update(last).update("\n");
      header ??= readHeader(lineText(line));
      last = line;
      lines += 1;
    }
  } catch (error) {
    if (error instanceof RangeError) throw new Refusal(said("cli.export.long_line", { path }));
    throw error;
  }
  const closing = last && header ? readClosing(lineText(last)) : null;
  if (!header) throw new Refusal(said("cli.export.empty", { path }));
  if (!closing) throw new Refusal(said("cli.export.no_closing", { path }));
  if (closing.lines !== lines - 1 || closing.sha256 !== hash.digest("hex")) {
    throw new Refusal(said("cli.export.changed", { path }));
  }
  return header;
}

/** The uncompressed bytes of a checked file. */
export const contentOf = (path: string, onBytes: (read: number) => void): ReadableStream<Uint8Array> =>
  byteStream(piecesOf(path, onBytes));

/** Holds one piece in memory at a time. Recognises compressed files by their content. */
async function* piecesOf(path: string, onBytes: (read: number) => void): AsyncGenerator<Uint8Array> {
  const isPacked = await startsPacked(path);
  const raw = createReadStream(path, { highWaterMark: 256 * 1024 });
  let read = 0;
  raw.on("data", (piece) => {
    read += piece.length;
    onBytes(read);
  });
  const out = isPacked ? createGunzip() : new PassThrough();
  const done = pipeline(raw, out as Writable).catch((error: unknown) => void out.destroy(error as Error));
  try {
    yield* out as Readable;
  } catch (error) {
    throw refusalOf(path, error);
  } finally {
    raw.destroy();
    out.destroy();
    await done;
  }
}

async function startsPacked(path: string): Promise<boolean> {
  const file = await open(path).catch(cannotRead(path));
  try {
    const start = new Uint8Array(2);
    await file.read(start, 0, 2, 0);
    return start[0] === 0x1f && start[1] === 0x8b;
  } catch (error) {
    throw refusalOf(path, error);
  } finally {
    await file.close();
  }
}

function refusalOf(path: string, error: unknown): unknown {
  const { code = "" } = error as NodeJS.ErrnoException;
  if (code === "Z_BUF_ERROR") return new Refusal(said("cli.export.cut", { path }));
  if (code.startsWith("Z_")) return new Refusal(said("cli.export.damaged", { path }));
  if (["ENOENT", "EACCES", "EISDIR", "EIO"].includes(code)) {
    return new Refusal(said("cli.file.cannot_read", { path, reason: fileFault(error) }));
  }
  return error;
}
