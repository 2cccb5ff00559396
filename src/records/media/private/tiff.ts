/** TIFF and BigTIFF: directories of tags, which point at their values (TIFF 6.0 §2; https://www.awaresystems.be/imaging/tiff/bigtiff.html). */

import { type ByteSource, lettersOf, viewOf } from "../byte-source.ts";
import type { PrivatePart } from "../medium.ts";
import { base64 } from "./exif.ts";

/** Tags that are needed to show the picture, and the copyright notice. All others are private. */
const KEPT = new Set([
  ...[
    254, 255, 256, 257, 258, 259, 262, 263, 264, 265, 266, 273, 274, 277, 278, 279, 280, 281, 282, 283, 284,
  ],
  ...[
    286, 287, 290, 291, 292, 293, 296, 297, 301, 317, 318, 319, 320, 321, 322, 323, 324, 325, 330, 332, 333,
  ],
  ...[
    334, 336, 338, 339, 340, 341, 342, 347, 512, 513, 514, 515, 517, 518, 519, 520, 521, 529, 530, 531, 532,
  ],
  ...[32995, 32996, 32997, 32998, 33432, 34675],
]);
const SUB_DIRECTORIES = 330;
const NEW_SUBFILE_TYPE = 254;
const TILE_WIDTH = 322;
/** Where a picture is, and how many bytes it has: in strips, or as a JPEG (§§8, 22). */
const PICTURES = [
  [273, 279],
  [513, 514],
] as const;
/** Tags of further directories that are private as a whole: Exif, GPS, interoperability. */
const FOREIGN_DIRECTORIES = new Set([34665, 34853, 40965]);
/** Bytes of one value, by its type. */
const SIZES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8];
const MOST_DIRECTORIES = 10_000;
const MOST_TAGS = 4_096;

type Form = { little: boolean; big: boolean };
/** `at`: in the directory. `size`: of one value, in bytes. `where`: the pointer to the values. `begins`: where they are. */
type Tag = { tag: number; at: number; size: number; length: number; where: number; begins: number };
type Directory = { at: number; length: number; tags: Tag[]; bytes: Uint8Array; next: number };

/** What becomes of a directory: it loses its private tags, all of its tags, or, with its picture, everything. */
type Fate = "cleaned" | "emptied" | "removed";

export async function tiffParts(source: ByteSource): Promise<PrivatePart[]> {
  const head = await source.read(0, 16);
  const little = lettersOf(head.subarray(0, 2)) === "II";
  const form = { little, big: viewOf(head).getUint16(2, little) === 43 };
  const parts: PrivatePart[] = [];
  const seen = new Set<number>();
  const waiting: { at: number; fate: Fate }[] = [
    { at: wordAt(head, form.big ? 8 : 4, form), fate: "cleaned" },
  ];
  for (let one = waiting.pop(); one && seen.size < MOST_DIRECTORIES; one = waiting.pop()) {
    const { at, fate } = one;
    if (at === 0 || seen.has(at)) continue;
    seen.add(at);
    const directory = await readDirectory(source, at, form);
    if (!directory) continue;
    const below: { at: number; fate: Fate }[] = [];
    for (const { tag, where } of directory.tags)
      if (FOREIGN_DIRECTORIES.has(tag)) below.push({ at: where, fate: "emptied" });
    const subdirectories = await subdirectoriesOf(source, directory, form);
    if (fate === "removed") {
      parts.push(...(await wholeParts(source, directory, form)));
      waiting.push(...below, ...subdirectories.map((each) => ({ at: each, fate })));
      continue;
    }
    const { thumbnails, next } = await skipThumbnails(source, directory.next, form);
    // one tag points at all of them
    const isAmong = await hasThumbnail(source, subdirectories, form);
    waiting.push(
      ...below,
      ...subdirectories.map((each) => ({ at: each, fate: isAmong ? ("removed" as const) : fate })),
      ...thumbnails.map((each) => ({ at: each, fate: "removed" as const })),
      { at: next, fate },
    );
    const kept = directory.tags.filter(
      ({ tag }) => fate === "cleaned" && KEPT.has(tag) && !(isAmong && tag === SUB_DIRECTORIES),
    );
    for (const tag of directory.tags)
      if (!FOREIGN_DIRECTORIES.has(tag.tag) && !kept.includes(tag))
        parts.push(...valueParts(source, tag, form));
    if (kept.length < directory.tags.length || next !== directory.next)
      parts.push({
        at: directory.at,
        length: directory.length,
        bytes: base64(rewritten(directory, kept, next, form)),
      });
  }
  return parts;
}

const word = ({ big }: Form): number => (big ? 8 : 4);

function wordAt(bytes: Uint8Array, at: number, { little, big }: Form): number {
  if (at + (big ? 8 : 4) > bytes.length) return 0;
  return big ? Number(viewOf(bytes).getBigUint64(at, little)) : viewOf(bytes).getUint32(at, little);
}

async function readDirectory(source: ByteSource, at: number, form: Form): Promise<Directory | null> {
  const { little, big } = form;
  const counter = big ? 8 : 2;
  const entry = big ? 20 : 12;
  const head = await source.read(at, counter);
  if (head.length < counter) return null;
  const count = big ? Number(viewOf(head).getBigUint64(0, little)) : viewOf(head).getUint16(0, little);
  const length = counter + count * entry + word(form);
  if (count > MOST_TAGS || at + length > source.bytes) return null;
  const bytes = (await source.read(at, length)).slice();
  const view = viewOf(bytes);
  const tags = Array.from({ length: count }, (_none, index): Tag => {
    const here = counter + index * entry;
    const values = big ? Number(view.getBigUint64(here + 4, little)) : view.getUint32(here + 4, little);
    const size = SIZES[view.getUint16(here + 2, little)] ?? 0;
    const length = size * values;
    const pointer = here + entry - word(form);
    const where = wordAt(bytes, pointer, form);
    const begins = length <= word(form) ? at + pointer : where;
    return { tag: view.getUint16(here, little), at: here, size, length, where, begins };
  });
  return { at, length, tags, bytes, next: wordAt(bytes, length - word(form), form) };
}

/** Small values are in the directory itself; others are elsewhere. */
function valueParts({ bytes }: ByteSource, { length, where }: Tag, form: Form): PrivatePart[] {
  return length <= word(form) || where + length > bytes ? [] : [{ at: where, length }];
}

/** Whole numbers of two, four or eight bytes. */
async function numbersOf(source: ByteSource, { size, length, begins }: Tag, form: Form): Promise<number[]> {
  if (size < 2) return [];
  const bytes = (await source.read(begins, Math.min(length, MOST_TAGS * size))).slice();
  const view = viewOf(bytes);
  return Array.from({ length: Math.floor(bytes.length / size) }, (_none, index) => {
    const at = index * size;
    if (size === 8) return Number(view.getBigUint64(at, form.little));
    return size === 2 ? view.getUint16(at, form.little) : view.getUint32(at, form.little);
  });
}

/**
 * Whether this is a smaller version of another picture (§8 NewSubfileType), perhaps made before that was cropped. The levels
 * of a pyramid are smaller versions too, but have tiles.
 */
async function isThumbnail(source: ByteSource, { tags }: Directory, form: Form): Promise<boolean> {
  const kind = tags.find(({ tag }) => tag === NEW_SUBFILE_TYPE);
  if (!kind || tags.some(({ tag }) => tag === TILE_WIDTH)) return false;
  return ((await numbersOf(source, kind, form))[0] ?? 0) % 2 === 1;
}

async function hasThumbnail(source: ByteSource, places: readonly number[], form: Form): Promise<boolean> {
  for (const at of places) {
    const directory = await readDirectory(source, at, form);
    if (directory && (await isThumbnail(source, directory, form))) return true;
  }
  return false;
}

async function subdirectoriesOf(source: ByteSource, { tags }: Directory, form: Form): Promise<number[]> {
  const tag = tags.find((one) => one.tag === SUB_DIRECTORIES);
  return tag ? numbersOf(source, tag, form) : [];
}

/** The thumbnails that begin a chain of directories, and the directory behind them. */
async function skipThumbnails(
  source: ByteSource,
  first: number,
  form: Form,
): Promise<{ thumbnails: number[]; next: number }> {
  const thumbnails = new Set<number>();
  let next = first;
  while (next !== 0 && !thumbnails.has(next) && thumbnails.size < MOST_DIRECTORIES) {
    const directory = await readDirectory(source, next, form);
    if (!directory || !(await isThumbnail(source, directory, form))) break;
    thumbnails.add(next);
    next = directory.next;
  }
  // a chain may lead back to itself
  return { thumbnails: [...thumbnails], next: thumbnails.has(next) ? 0 : next };
}

/** The directory, its values, and its picture. */
async function wholeParts(
  source: ByteSource,
  { at, length, tags }: Directory,
  form: Form,
): Promise<PrivatePart[]> {
  const numbers = async (wanted: number) => {
    const tag = tags.find((one) => one.tag === wanted);
    return tag ? numbersOf(source, tag, form) : [];
  };
  const parts = [{ at, length }, ...tags.flatMap((tag) => valueParts(source, tag, form))];
  for (const [offsets, counts] of PICTURES) {
    const lengths = await numbers(counts);
    for (const [index, begins] of (await numbers(offsets)).entries())
      parts.push({ at: begins, length: lengths[index] ?? 0 });
  }
  return parts;
}

/** The directory with these tags only, in their order, and a pointer to the next directory. */
function rewritten({ bytes }: Directory, kept: readonly Tag[], next: number, form: Form): Uint8Array {
  const { little, big } = form;
  const [counter, entry] = big ? [8, 20] : [2, 12];
  const made = new Uint8Array(counter + kept.length * entry + word(form));
  if (big) viewOf(made).setBigUint64(0, BigInt(kept.length), little);
  else viewOf(made).setUint16(0, kept.length, little);
  for (const [index, { at }] of kept.entries())
    made.set(bytes.subarray(at, at + entry), counter + index * entry);
  if (big) viewOf(made).setBigUint64(made.length - 8, BigInt(next), little);
  else viewOf(made).setUint32(made.length - 4, next, little);
  return made;
}
