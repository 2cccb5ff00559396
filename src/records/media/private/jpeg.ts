/** JPEG: a sequence of segments, the picture, and sometimes more after its end (ITU-T T.81 Annex B). */

import { type ByteSource, lettersOf, viewOf } from "../byte-source.ts";
import type { PrivatePart } from "../medium.ts";
import { base64, EXIF, EXIF_HEAD, onlyOrientation, orientationOf } from "./exif.ts";

const SOS = 0xda;
const EOI = 0xd9;
/**
 * Application segments that are needed for the picture: JFIF and colours. All others, and comments, are private. What follows
 * the first `upTo` bytes is private too: JFIF may have a small picture there, made before cropping (T.871 §10.1).
 */
const KEPT: Readonly<Record<number, { begins: string; upTo?: number }>> = {
  224: { begins: "JFIF\0", upTo: 14 },
  226: { begins: "ICC_PROFILE\0" },
  238: { begins: "Adobe", upTo: 12 },
};

export async function jpegParts(source: ByteSource): Promise<PrivatePart[]> {
  const parts: PrivatePart[] = [];
  for (let at = 2; at + 2 <= source.bytes; ) {
    const head = await source.read(at, 4);
    const marker = head[1]!;
    if (head[0] !== 0xff) return covered(parts, source, at);
    if (marker === EOI) return covered(parts, source, at + 2);
    if (marker === 0xff) at += 1;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) at += 2;
    else {
      const length = head.length < 4 ? 0 : viewOf(head).getUint16(2);
      if (length < 2) return covered(parts, source, at);
      if (isForeign(marker)) parts.push(...(await segmentParts(source, marker, at + 4, length - 2)));
      at += 2 + length;
      if (marker === SOS) at = await nextMarker(source, at);
    }
  }
  return parts;
}

/** Data after the end is not part of the picture: other pictures, films, data of a phone. */
const covered = (parts: PrivatePart[], { bytes }: ByteSource, end: number): PrivatePart[] => [
  ...parts,
  { at: end, length: bytes - end },
];

/** APP0 to APP15, and comments. */
const isForeign = (marker: number): boolean => (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe;

async function segmentParts(
  source: ByteSource,
  marker: number,
  at: number,
  length: number,
): Promise<PrivatePart[]> {
  const head = await source.read(at, Math.min(length, EXIF_HEAD));
  const says = (word: string) => lettersOf(head.subarray(0, word.length)) === word;
  const kept = KEPT[marker];
  if (kept !== undefined && says(kept.begins)) {
    const { upTo = length } = kept;
    return [{ at: at + upTo, length: length - upTo }];
  }
  if (marker !== 0xe1 || !says(EXIF)) return [{ at, length }];
  const orientation = orientationOf(head);
  if (orientation === 1) return [{ at, length }];
  return [{ at, length, bytes: btoa(EXIF) + base64(onlyOrientation(orientation)) }];
}

/** Where the coded picture ends: at the next marker that is not a restart (§B.1.1.2). */
async function nextMarker(source: ByteSource, from: number): Promise<number> {
  if (from >= source.bytes) return source.bytes;
  let at = from;
  let open = false;
  for await (const chunk of (await source.stream(from)) as unknown as AsyncIterable<Uint8Array>) {
    for (let index = 0; index < chunk.length; index++) {
      if (open) {
        const code = chunk[index]!;
        open = code === 0xff;
        if (code !== 0 && code !== 0xff && !(code >= 0xd0 && code <= 0xd7)) return at + index - 1;
        continue;
      }
      index = chunk.indexOf(0xff, index);
      if (index === -1) break;
      open = true;
    }
    at += chunk.length;
  }
  return source.bytes;
}
