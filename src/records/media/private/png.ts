/** PNG: a sequence of chunks, each with a checksum (https://www.w3.org/TR/png-3/#5Chunk-layout). */
import { Crc32 } from "../../../bytes.ts";
import { yieldingRunner } from "../../../http/yielding.ts";
import { wordSet } from "../../../text.ts";
import { type ByteSource, lettersOf, viewOf } from "../byte-source.ts";
import type { PrivatePart } from "../medium.ts";
import { base64, EXIF_HEAD, onlyOrientation, orientationOf } from "./exif.ts";

const SIGNATURE = 8;
/** Chunks without which the picture would look different, besides those with a capital first letter. */
const KEPT = wordSet(
  "tRNS gAMA cHRM sRGB iCCP cICP mDCV mDCv cLLI cLLi sBIT bKGD hIST pHYs sPLT acTL fcTL fdAT",
);
/** A chunk that every reader skips. */
const NOTHING = "noNe";

export async function pngParts(source: ByteSource): Promise<PrivatePart[]> {
  const parts: PrivatePart[] = [];
  for (let at = SIGNATURE; at + 12 <= source.bytes; ) {
    const head = await source.read(at, 8);
    const length = viewOf(head).getUint32(0);
    const type = lettersOf(head.subarray(4, 8));
    const end = at + 12 + length;
    if (end > source.bytes) break;
    if (!/^[A-Z]/.test(type) && !KEPT.has(type)) parts.push(...(await chunkParts(source, type, at, length)));
    at = end;
    if (type === "IEND") return [...parts, { at, length: source.bytes - at }];
  }
  return parts;
}

async function chunkParts(
  source: ByteSource,
  type: string,
  at: number,
  length: number,
): Promise<PrivatePart[]> {
  const orientation =
    type === "eXIf" ? orientationOf(await source.read(at + 8, Math.min(length, EXIF_HEAD))) : 1;
  const data = orientation === 1 ? new Uint8Array(0) : onlyOrientation(orientation);
  const name = orientation === 1 ? NOTHING : type;
  const begins = new Uint8Array(4 + data.length);
  begins.set([...name].map((letter) => letter.charCodeAt(0)));
  begins.set(data, 4);
  const checksum = new Uint8Array(4);
  viewOf(checksum).setUint32(0, await checksumOf(begins, 4 + length));
  return [
    { at: at + 4, length: 4 + length, bytes: base64(begins) },
    { at: at + 8 + length, length: 4, bytes: base64(checksum) },
  ];
}

/** Zeros that are added to a checksum at a time. */
const ZEROS = new Uint8Array(64 * 1024);

/** CRC-32 of these bytes, padded with zeros to `length` (Annex D). */
async function checksumOf(begins: Uint8Array, length: number): Promise<number> {
  const yielding = yieldingRunner();
  const checksum = new Crc32();
  checksum.add(begins.subarray(0, length));
  for (let left = length - begins.length; left > 0; left -= ZEROS.length)
    await yielding(() => checksum.add(ZEROS.subarray(0, left)));
  return checksum.value;
}
