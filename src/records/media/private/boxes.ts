/** MPEG-4, QuickTime and AVIF: boxes in boxes (ISO/IEC 14496-12; of AVIF, ISO/IEC 23008-12 §§6, 9). */

import { type ByteSource, lettersOf, viewOf } from "../byte-source.ts";
import type { PrivatePart } from "../medium.ts";
import { base64, onlyOrientation } from "./exif.ts";

type Box = { type: string; at: number; begins: number; ends: number };

/** Boxes whose contents are searched. */
const OPENED = new Set(["moov", "trak", "moof", "traf"]);
/** Boxes of films with places, cameras, names, and data of programs. */
const PRIVATE = new Set(["udta", "meta", "uuid", "ID32"]);
const MOST_BOXES = 10_000;
/** Bytes of the directory of a still picture. */
const LARGEST_META = 4 * 1024 * 1024;

export async function boxParts(source: ByteSource): Promise<PrivatePart[]> {
  const isStill = /^(avi[fs]|mif1|msf1)$/.test(lettersOf(await source.read(8, 4)));
  const parts: PrivatePart[] = [];
  let count = 0;
  async function walk(from: number, to: number, isTop: boolean): Promise<void> {
    for await (const box of boxes(source, from, to)) {
      count += 1;
      if (count > MOST_BOXES) return;
      if (OPENED.has(box.type)) await walk(box.begins, box.ends, false);
      else if (isStill && isTop && box.type === "meta") parts.push(...(await itemParts(source, box)));
      else if (PRIVATE.has(box.type))
        // a free box, which readers skip (§8.1.2)
        parts.push(
          { at: box.at + 4, length: 4, bytes: btoa("free") },
          { at: box.begins, length: box.ends - box.begins },
        );
    }
  }
  await walk(0, source.bytes, true);
  return parts;
}

async function* boxes(source: ByteSource, from: number, to: number): AsyncGenerator<Box> {
  for (let at = from; at + 8 <= to; ) {
    const head = await source.read(at, 16);
    const size = viewOf(head).getUint32(0);
    const isLarge = size === 1 && head.length === 16;
    const length = size === 0 ? to - at : isLarge ? Number(viewOf(head).getBigUint64(8)) : size;
    const ends = Math.min(at + length, to);
    const begins = at + (isLarge ? 16 : 8);
    if (ends < begins) return;
    yield { type: lettersOf(head.subarray(4, 8)), at, begins, ends };
    at = ends;
  }
}

/** Finds Exif and XMP, which are items: `iinf` has their types, `iloc` their positions. */
async function itemParts(source: ByteSource, meta: Box): Promise<PrivatePart[]> {
  if (meta.ends - meta.begins > LARGEST_META) return [];
  let kinds = new Map<number, string>();
  let places = new Map<number, { at: number; length: number }[]>();
  // a full box: four bytes before the first one in it
  for await (const box of boxes(source, meta.begins + 4, meta.ends)) {
    const bytes = await source.read(box.begins, box.ends - box.begins);
    if (box.type === "iinf") kinds = itemKinds(bytes.slice());
    if (box.type === "iloc") places = itemPlaces(bytes.slice());
  }
  const foreign = [...kinds].filter(([, kind]) => kind === "Exif" || kind === "mime");
  return foreign.flatMap(([id, kind]) =>
    (places.get(id) ?? [])
      .filter(({ at, length }) => at + length <= source.bytes)
      .map(({ at, length }, index) =>
        kind === "Exif" && index === 0 && length >= 30
          ? { at, length, bytes: base64(Uint8Array.of(0, 0, 0, 0, ...onlyOrientation(1))) }
          : { at, length },
      ),
  );
}

/** ISO/IEC 14496-12 §8.11.6: item id → four letters. */
function itemKinds(bytes: Uint8Array): Map<number, string> {
  const view = viewOf(bytes);
  const kinds = new Map<number, string>();
  for (let at = view.getUint8(0) === 0 ? 6 : 8; at + 20 <= bytes.length; ) {
    const length = view.getUint32(at);
    const version = view.getUint8(at + 8);
    const id = version === 3 ? view.getUint32(at + 12) : view.getUint16(at + 12);
    const kind = at + (version === 3 ? 18 : 16);
    kinds.set(id, lettersOf(bytes.subarray(kind, kind + 4)));
    if (length < 12) break;
    at += length;
  }
  return kinds;
}

/** §8.11.3: item id → position of its data in the file. Items inside `meta` itself are never Exif. */
function itemPlaces(bytes: Uint8Array): Map<number, { at: number; length: number }[]> {
  const view = viewOf(bytes);
  const version = view.getUint8(0);
  const sizes = view.getUint16(4);
  const [offset, length, base, index] = [
    sizes >> 12,
    (sizes >> 8) & 15,
    (sizes >> 4) & 15,
    sizes & 15,
  ] as const;
  let at = 6;
  const number = (size: number): number => {
    let value = 0;
    for (let left = size; left > 0; left--) value = value * 256 + view.getUint8(at++);
    return value;
  };
  const places = new Map<number, { at: number; length: number }[]>();
  for (let items = number(version < 2 ? 2 : 4); items > 0; items--) {
    const id = number(version < 2 ? 2 : 4);
    const method = version === 0 ? 0 : number(2) & 15;
    number(2);
    const begins = number(base);
    const extents = [];
    for (let count = number(2); count > 0; count--) {
      if (version > 0) number(index);
      extents.push({ at: begins + number(offset), length: number(length) });
    }
    if (method === 0) places.set(id, extents);
  }
  return places;
}
