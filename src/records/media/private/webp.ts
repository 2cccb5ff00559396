/** WebP: a sequence of RIFF chunks (RFC 9649 §2). */

import { type ByteSource, lettersOf, viewOf } from "../byte-source.ts";
import type { PrivatePart } from "../medium.ts";
import { base64, EXIF_HEAD, onlyOrientation, orientationOf } from "./exif.ts";

const KEPT = new Set(["VP8 ", "VP8L", "ALPH", "ANIM", "ANMF", "ICCP"]);
/** Bits of the first byte of VP8X that announce these chunks. */
const HAS_XMP = 0x04;
const HAS_EXIF = 0x08;

export async function webpParts(source: ByteSource): Promise<PrivatePart[]> {
  const parts: PrivatePart[] = [];
  const whole = Math.min(source.bytes, viewOf(await source.read(4, 4)).getUint32(0, true) + 8);
  let flags: { at: number; value: number } | null = null;
  let turned = false;
  for (let at = 12; at + 8 <= whole; ) {
    const head = await source.read(at, 9);
    const type = lettersOf(head.subarray(0, 4));
    const length = Math.min(viewOf(head).getUint32(4, true), whole - at - 8);
    if (type === "VP8X") flags = { at: at + 8, value: head[8]! };
    else if (!KEPT.has(type)) {
      const orientation =
        type === "EXIF" ? orientationOf(await source.read(at + 8, Math.min(length, EXIF_HEAD))) : 1;
      turned ||= orientation !== 1;
      if (orientation === 1) parts.push({ at, length: 4, bytes: btoa("none") }, { at: at + 8, length });
      else parts.push({ at: at + 8, length, bytes: base64(onlyOrientation(orientation)) });
    }
    at += 8 + length + (length % 2);
  }
  if (flags && (flags.value & (HAS_XMP | HAS_EXIF)) !== 0) {
    const kept = flags.value & ~(turned ? HAS_XMP : HAS_XMP | HAS_EXIF);
    parts.push({ at: flags.at, length: 1, bytes: base64(Uint8Array.of(kept)) });
  }
  return [...parts, { at: whole, length: source.bytes - whole }];
}
