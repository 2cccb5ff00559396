/** Tar archives in the format of POSIX.1-2001 (pax): headers of 512 bytes, long names and large sizes in records before. */

import { joinBytes } from "../../bytes.ts";

const BLOCK = 512;
/** What eleven octal digits can say. */
const LARGEST = 8 ** 11 - 1;
const NAME_BYTES = 100;

export type TarEntry = {
  /** With slashes, relative, without one at the end. */
  path: string;
  kind: "file" | "directory";
  /** Bytes that follow. */
  size: number;
  /** Seconds since 1970. */
  modified: number;
};

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** What stands before the bytes of an entry. */
export function tarHeader(entry: TarEntry): Uint8Array {
  const path = entry.kind === "directory" ? `${entry.path}/` : entry.path;
  const long = encoder.encode(path).length > NAME_BYTES || /[^\x20-\x7e]/.test(path);
  const records = [
    ...(long ? [paxRecord("path", path)] : []),
    ...(entry.size > LARGEST ? [paxRecord("size", String(entry.size))] : []),
  ].join("");
  const type = entry.kind === "directory" ? "5" : "0";
  const own = block(path, type, Math.min(entry.size, LARGEST), entry.modified);
  if (records === "") return own;
  const data = encoder.encode(records);
  return joinBytes([block("PaxHeader", "x", data.length, entry.modified), data, padding(data.length), own]);
}

/** What fills the last block of an entry. */
export function padding(size: number): Uint8Array {
  return new Uint8Array((BLOCK - (size % BLOCK)) % BLOCK);
}

/** What an archive ends with. */
export const TAR_END: Uint8Array = new Uint8Array(2 * BLOCK);

/** `12 path=a.jpg\n`, where the number counts itself. */
function paxRecord(key: string, value: string): string {
  const rest = encoder.encode(` ${key}=${value}\n`).length;
  let length = rest + String(rest).length;
  if (String(length).length > String(rest).length) length = rest + String(length).length;
  return `${length} ${key}=${value}\n`;
}

function block(path: string, type: string, size: number, modified: number): Uint8Array {
  const bytes = new Uint8Array(BLOCK);
  const put = (text: string, at: number) => bytes.set(encoder.encode(text), at);
  const octal = (value: number, digits: number) =>
    Math.max(0, Math.floor(value)).toString(8).padStart(digits, "0");
  bytes.set(encoder.encode(path).subarray(0, NAME_BYTES), 0);
  put(type === "5" ? "0000700" : "0000600", 100);
  put("0000000", 108);
  put("0000000", 116);
  put(octal(size, 11), 124);
  put(octal(modified, 11), 136);
  put("        ", 148);
  put(type, 156);
  put("ustar\u000000", 257);
  put(`${octal(sumOf(bytes), 6)}\u0000 `, 148);
  return bytes;
}

function sumOf(bytes: Uint8Array): number {
  let sum = 0;
  for (const byte of bytes) sum += byte;
  return sum;
}

/** What is read of an archive: an entry, then its bytes piece by piece. */
export type TarPart = { entry: TarEntry } | { bytes: Uint8Array };

/** Reads what `tarHeader` writes, and what GNU tar and bsdtar write of ordinary files. Throws when it is not a whole archive. */
export async function* readTar(source: AsyncIterable<Uint8Array>): AsyncGenerator<TarPart> {
  const input = source[Symbol.asyncIterator]();
  let rest: Uint8Array = new Uint8Array();
  const more = async () => {
    const { done, value } = await input.next();
    if (done) throw new Error("the archive ends too early");
    return value;
  };
  const take = async (size: number): Promise<Uint8Array> => {
    const pieces = [rest];
    for (let have = rest.length; have < size; ) {
      const piece = await more();
      pieces.push(piece);
      have += piece.length;
    }
    const all = joinBytes(pieces);
    rest = all.subarray(size);
    return all.subarray(0, size);
  };
  let said: Record<string, string> = {};
  for (;;) {
    const head = await take(BLOCK);
    if (head.every((byte) => byte === 0)) {
      for (let next = await input.next(); !next.done; next = await input.next()); // its checksum is at the end
      return;
    }
    demandSum(head);
    const type = String.fromCharCode(head[156] || 48);
    const size = said.size ? Number(said.size) : number(head, 124, 12);
    if (type === "x" || type === "L") {
      const data = await take(size);
      await take(padding(size).length);
      said = { ...said, ...(type === "x" ? paxOf(data) : { path: text(data, 0, size) }) };
      continue;
    }
    if (type === "0" || type === "5") {
      const prefix = text(head, 257, 5) === "ustar" ? text(head, 345, 155) : "";
      const path = said.path ?? (prefix ? `${prefix}/` : "") + text(head, 0, NAME_BYTES);
      const kind = type === "5" ? "directory" : "file";
      yield { entry: { path: path.replace(/\/+$/, ""), kind, size, modified: number(head, 136, 12) } };
    } else if (type !== "g")
      throw new Error("the archive contains something that is neither a file nor a directory");
    said = {};
    for (let left = size; left > 0; ) {
      if (rest.length === 0) rest = await more();
      const piece = rest.subarray(0, left);
      rest = rest.subarray(piece.length);
      left -= piece.length;
      if (type === "0") yield { bytes: piece };
    }
    await take(padding(size).length);
  }
}

function demandSum(head: Uint8Array): void {
  const blank = head.slice();
  blank.fill(32, 148, 156);
  if (sumOf(blank) !== number(head, 148, 8)) throw new Error("the archive is damaged");
}

function number(bytes: Uint8Array, at: number, length: number): number {
  return Number.parseInt(text(bytes, at, length).trim() || "0", 8);
}

function text(bytes: Uint8Array, at: number, length: number): string {
  const own = bytes.subarray(at, at + length);
  const end = own.indexOf(0);
  return decoder.decode(end === -1 ? own : own.subarray(0, end));
}

function paxOf(data: Uint8Array): Record<string, string> {
  const said: Record<string, string> = {};
  for (let at = 0; at < data.length; ) {
    const length = Number.parseInt(decoder.decode(data.subarray(at, at + 20)), 10);
    if (!(length > 0)) throw new Error("the archive is damaged");
    const record = decoder.decode(data.subarray(at, at + length - 1));
    const [, key, value] = /^\d+ ([^=]+)=(.*)$/s.exec(record) ?? [];
    if (key !== undefined) said[key] = value!;
    at += length;
  }
  return said;
}
