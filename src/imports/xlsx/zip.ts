/**
 * Reads the parts of a ZIP archive as streams. Only parts in the directory at its end count, as in all office programs; others
 * would be read by some programs and not by others.
 */
import { Inflate } from "fflate";
import { Crc32, joinBytes } from "../../bytes.ts";
import { said } from "../../messages/said.ts";
import { ContentHash } from "../save/content-hash.ts";
import { type ImportSource, refused } from "../source.ts";

/** Most bytes of the directory, enough for more than ten thousand parts. */
const LONGEST_DIRECTORY = 2 * 1024 * 1024;
/** Most bytes of all parts that are read. */
const MOST_UNPACKED = 200 * 1024 * 1024;
/** A part longer than RATIO_FROM must not be more than MOST_RATIO times as long as its packed bytes. */
const RATIO_FROM = 1024 * 1024;
const MOST_RATIO = 200;
/** Packed bytes that are inflated at a time. At most a thousand times as many come out. */
const PIECE = 4_096;

const END = 0x06054b50;
const END_64 = 0x06064b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const FULL = 0xffffffff;

type Entry = { offset: number; packed: number; size: number; crc: number; method: number; flags: number };

export type Archive = {
  /** The names of the parts, in lower case, because case makes no difference (ECMA-376 part 2, §6.2.2). */
  names: ReadonlySet<string>;
  hash: string;
  /** Packed: empty cells hardly count. */
  sizeOf(name: string): number;
  read(name: string): AsyncGenerator<Uint8Array, void, undefined>;
};

/** Reads the file once for its directory and hash, and again from its beginning for each part. */
export async function openArchive(source: ImportSource): Promise<Archive> {
  const hash = new ContentHash();
  let last: Uint8Array[] = [];
  let kept = 0;
  let bytes = 0;
  for await (const chunk of source.open()) {
    await hash.add(chunk);
    bytes += chunk.byteLength;
    kept += chunk.byteLength;
    last.push(chunk);
    if (kept < 2 * LONGEST_DIRECTORY) continue;
    last = [joinBytes(last).slice(-LONGEST_DIRECTORY)];
    kept = LONGEST_DIRECTORY;
  }
  const entries = directoryIn(joinBytes(last), bytes, source.name);
  const budget = { unpacked: 0 };
  return {
    names: new Set(entries.keys()),
    hash: await hash.end(),
    sizeOf: (name) => entries.get(name.toLowerCase())?.packed ?? 0,
    read: (name) => readPart(source, entries.get(name.toLowerCase()), budget),
  };
}

export const damaged = (name: string) => refused(said("fault.workbook.damaged", { name }));

/** `end`: the last bytes of the file. */
function directoryIn(end: Uint8Array, bytes: number, name: string): Map<string, Entry> {
  const view = new DataView(end.buffer, end.byteOffset, end.byteLength);
  const base = bytes - end.byteLength;
  let at = end.byteLength - 22;
  while (at >= 0 && view.getUint32(at, true) !== END) at--;
  if (at < 0) throw damaged(name);
  let [size, from, stop] = [view.getUint32(at + 12, true), view.getUint32(at + 16, true), at];
  if (from === FULL || size === FULL) {
    stop = Number(view.getBigUint64(Math.max(0, at - 12), true)) - base;
    if (!(stop >= 0 && stop < at) || view.getUint32(stop, true) !== END_64) throw damaged(name);
    size = Number(view.getBigUint64(stop + 40, true));
    from = Number(view.getBigUint64(stop + 48, true));
  }
  if (from + size !== stop + base || from < base) throw damaged(name);
  const entries = new Map<string, Entry>();
  try {
    for (let next = from - base; next < stop; ) {
      if (view.getUint32(next, true) !== ENTRY) throw damaged(name);
      const lengths = [28, 30, 32].map((field) => view.getUint16(next + field, true));
      const own = end.subarray(next + 46, next + 46 + lengths[0]!);
      const path = new TextDecoder().decode(own).replaceAll("\\", "/").replace(/^\//, "").toLowerCase();
      const extra = next + 46 + lengths[0]!;
      // programs would disagree which of two parts of one name counts
      if (entries.has(path)) throw damaged(name);
      entries.set(path, entryAt(view, next, extra, extra + lengths[1]!));
      next = extra + lengths[1]! + lengths[2]!;
    }
  } catch (error) {
    throw error instanceof RangeError ? damaged(name) : error;
  }
  return entries;
}

function entryAt(view: DataView, at: number, extra: number, end: number): Entry {
  const entry = {
    flags: view.getUint16(at + 8, true),
    method: view.getUint16(at + 10, true),
    crc: view.getUint32(at + 16, true),
    packed: view.getUint32(at + 20, true),
    size: view.getUint32(at + 24, true),
    offset: view.getUint32(at + 42, true),
  };
  for (let next = extra; next + 4 <= end; next += 4 + view.getUint16(next + 2, true)) {
    if (view.getUint16(next, true) !== 1) continue;
    let field = next + 4;
    for (const key of ["size", "packed", "offset"] as const) {
      if (entry[key] !== FULL) continue;
      entry[key] = Number(view.getBigUint64(field, true));
      field += 8;
    }
  }
  return entry;
}

async function* readPart(
  source: ImportSource,
  entry: Entry | undefined,
  budget: { unpacked: number },
): AsyncGenerator<Uint8Array, void, undefined> {
  if (!entry || (entry.flags & 1) !== 0 || ![0, 8].includes(entry.method)) throw damaged(source.name);
  const crc = new Crc32();
  let size = 0;
  let out: Uint8Array[] = [];
  const inflate = entry.method === 0 ? null : new Inflate((chunk) => out.push(chunk));
  for await (const packed of packedBytes(source, entry)) {
    try {
      if (inflate) inflate.push(packed);
      else out.push(packed);
    } catch {
      throw damaged(source.name);
    }
    for (const chunk of out) {
      size += chunk.byteLength;
      budget.unpacked += chunk.byteLength;
      if (budget.unpacked > MOST_UNPACKED || (size > RATIO_FROM && size > entry.packed * MOST_RATIO))
        throw refused(said("fault.workbook.large", { name: source.name, most: MOST_UNPACKED / 2 ** 20 }));
      crc.add(chunk);
      yield chunk;
    }
    out = [];
  }
  if (size !== entry.size || crc.value !== entry.crc) throw damaged(source.name);
}

/** The packed bytes of a part, in pieces. */
async function* packedBytes(
  source: ImportSource,
  { offset, packed }: Entry,
): AsyncGenerator<Uint8Array, void, undefined> {
  const head = new Uint8Array(30);
  let at = 0;
  let from = offset + 30;
  for await (const chunk of source.open()) {
    for (let i = Math.max(0, offset - at); i < chunk.byteLength && at + i < offset + 30; i++)
      head[at + i - offset] = chunk[i]!;
    if (at < offset + 30 && at + chunk.byteLength >= offset + 30) {
      const view = new DataView(head.buffer);
      if (view.getUint32(0, true) !== LOCAL) throw damaged(source.name);
      from += view.getUint16(26, true) + view.getUint16(28, true);
    }
    if (at + chunk.byteLength >= offset + 30) {
      const own = chunk.subarray(Math.max(0, from - at), Math.max(0, from + packed - at));
      for (let i = 0; i < own.byteLength; i += PIECE) yield own.subarray(i, i + PIECE);
    }
    at += chunk.byteLength;
    if (at >= offset + 30 && at >= from + packed) return;
  }
}
