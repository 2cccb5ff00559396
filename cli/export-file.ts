/** The file of an export. Only a complete file gets the final name, and it is checked completely before an import uses it. */
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough, Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { closingLine, type Header, readClosing, readHeader } from "../src/exports/format.ts";
import { said } from "../src/messages/said.ts";
import { Refusal } from "../src/refusal.ts";
import { fileFault } from "./open.ts";

/** Bytes; the largest record has about one million. */
const LONGEST_LINE = 64 * 1024 * 1024;

export type Written = { path: string; lines: number; bytes: number };

/** The path of a new file: `place`, or if that is a directory, a file in it named after the time. Never overwrites a file. */
export async function exportPath(place: string, name: string, ending = "ndjson"): Promise<string> {
  const there = await stat(place).catch(() => null);
  const time = new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, "");
  const path = there?.isDirectory() ? join(place, `${name}_${time}Z.${ending}.gz`) : place;
  if (await stat(path).catch(() => null)) {
    throw new Refusal(said("cli.file.exists", { path }));
  }
  return path;
}

/** Readable by its owner only, since it contains non-public data. An interruption leaves at most `FILE.part`. */
export async function writeWhole(path: string, pieces: AsyncIterable<string>): Promise<{ bytes: number }> {
  const part = `${path}.part`;
  try {
    const file = createWriteStream(part, { mode: 0o600 });
    if (path.endsWith(".gz"))
      await pipeline(Readable.from(pieces, { objectMode: false }), createGzip(), file);
    else await pipeline(Readable.from(pieces, { objectMode: false }), file);
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
  }
}

/** Writes header, rows and closing line; `onLines` gets the number of rows so far. */
export async function* sealed(
  header: string,
  pages: AsyncIterable<readonly string[]>,
  onLines: (count: number) => void,
): AsyncIterable<string> {
  const hash = createHash("sha256");
  const hashed = (text: string) => {
    hash.update(text);
    return text;
  };
  let lines = 0;
  yield hashed(`${header}\n`);
  for await (const page of pages) {
    lines += page.length;
    yield hashed(`${page.join("\n")}\n`);
    onLines(lines);
  }
  yield `${closingLine({ lines, sha256: hash.digest("hex") })}\n`;
}

export type Looked = { header: Header; lines: number };

/** Reads the whole file; refuses one that is incomplete or changed. Writes nothing. */
export async function lookThrough(path: string, onBytes: (read: number) => void): Promise<Looked> {
  const hash = createHash("sha256");
  let header: Header | null = null;
  let lines = -1;
  let last: Uint8Array | null = null;
  for await (const line of linesOf(path, onBytes)) {
    if (last) hash.update(last).update("\n");
    header ??= readHeader(textOf(line));
    last = line;
    lines += 1;
  }
  const closing = last && header ? readClosing(textOf(last)) : null;
  if (!header) throw new Refusal(said("cli.export.empty", { path }));
  if (!closing) throw new Refusal(said("cli.export.no_closing", { path }));
  if (closing.lines !== lines - 1 || closing.sha256 !== hash.digest("hex")) {
    throw new Refusal(said("cli.export.changed", { path }));
  }
  return { header, lines: closing.lines };
}

/** The rows of a checked file, without header and closing line. */
export async function* rowsOf(
  path: string,
  lines: number,
  onBytes: (read: number) => void,
): AsyncIterable<string> {
  let at = -1;
  for await (const line of linesOf(path, onBytes)) {
    at += 1;
    if (at > 0 && at <= lines) yield textOf(line);
  }
}

const textOf = (line: Uint8Array): string =>
  Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString("utf8");

/** Lines without line ends, one chunk of the file in memory at a time. Compressed files are recognised by their content. */
async function* linesOf(path: string, onBytes: (read: number) => void): AsyncIterable<Uint8Array> {
  const isPacked = await startsPacked(path);
  const raw = createReadStream(path, { highWaterMark: 256 * 1024 });
  let read = 0;
  raw.on("data", (piece) => {
    read += piece.length;
    onBytes(read);
  });
  const out = isPacked ? createGunzip() : new PassThrough();
  const done = pipeline(raw, out as Writable).catch((error: unknown) => void out.destroy(error as Error));
  let rest: Buffer = Buffer.alloc(0);
  try {
    for await (const piece of out as Readable) {
      let text: Buffer = rest.length > 0 ? Buffer.concat([rest, piece as Buffer]) : (piece as Buffer);
      for (let end = text.indexOf(10); end !== -1; end = text.indexOf(10)) {
        yield text.subarray(0, end);
        text = text.subarray(end + 1);
      }
      if (text.length > LONGEST_LINE) throw new Refusal(said("cli.export.long_line", { path }));
      rest = text;
    }
    if (rest.length > 0) yield rest;
  } catch (error) {
    throw refusalOf(path, error);
  } finally {
    raw.destroy();
    out.destroy();
    await done;
  }
}

async function startsPacked(path: string): Promise<boolean> {
  const file = await open(path).catch((error: unknown) => {
    throw new Refusal(said("cli.file.cannot_read", { path, reason: fileFault(error) }));
  });
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
