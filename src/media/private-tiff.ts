/** TIFF and BigTIFF: directories of tags, which point at their values (TIFF 6.0 §2; https://www.awaresystems.be/imaging/tiff/bigtiff.html). */
import { type ByteSource, lettersOf, viewOf } from "./byte-source.ts";
import { base64 } from "./exif.ts";
import type { PrivatePart } from "./medium.ts";

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
/** Tags of further directories that are private as a whole: Exif, GPS, interoperability. */
const FOREIGN_DIRECTORIES = new Set([34665, 34853, 40965]);
/** Bytes of one value, by its type. */
const SIZES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8];
const MOST_DIRECTORIES = 10_000;
const MOST_TAGS = 4_096;

type Form = { little: boolean; big: boolean };
type Tag = { tag: number; at: number; values: number; length: number; where: number };
type Directory = { at: number; length: number; tags: Tag[]; bytes: Uint8Array; next: number };

export async function tiffParts(source: ByteSource): Promise<PrivatePart[]> {
  const head = await source.read(0, 16);
  const little = lettersOf(head.subarray(0, 2)) === "II";
  const form = { little, big: viewOf(head).getUint16(2, little) === 43 };
  const parts: PrivatePart[] = [];
  const seen = new Set<number>();
  const waiting = [{ at: wordAt(head, form.big ? 8 : 4, form), foreign: false }];
  for (let one = waiting.pop(); one && seen.size < MOST_DIRECTORIES; one = waiting.pop()) {
    if (one.at === 0 || seen.has(one.at)) continue;
    seen.add(one.at);
    const directory = await readDirectory(source, one.at, form);
    if (!directory) continue;
    waiting.push({ at: directory.next, foreign: one.foreign });
    const kept = one.foreign ? [] : directory.tags.filter(({ tag }) => KEPT.has(tag));
    for (const tag of directory.tags) {
      if (FOREIGN_DIRECTORIES.has(tag.tag)) waiting.push({ at: tag.where, foreign: true });
      else if (!kept.includes(tag)) parts.push(...valueParts(source, tag, form));
      else if (tag.tag === SUB_DIRECTORIES)
        for (const at of await pointersOf(source, tag, form)) waiting.push({ at, foreign: false });
    }
    if (one.foreign || kept.length < directory.tags.length)
      parts.push({
        at: directory.at,
        length: directory.length,
        bytes: base64(rewritten(directory, kept, form)),
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
    const size = (SIZES[view.getUint16(here + 2, little)] ?? 0) * values;
    return {
      tag: view.getUint16(here, little),
      at: here,
      values,
      length: size,
      where: wordAt(bytes, here + entry - word(form), form),
    };
  });
  return { at, length, tags, bytes, next: wordAt(bytes, length - word(form), form) };
}

/** Small values are in the directory itself; others are elsewhere. */
function valueParts({ bytes }: ByteSource, { length, where }: Tag, form: Form): PrivatePart[] {
  return length <= word(form) || where + length > bytes ? [] : [{ at: where, length }];
}

async function pointersOf(source: ByteSource, tag: Tag, form: Form): Promise<number[]> {
  if (tag.length <= word(form)) return [tag.where];
  const bytes = await source.read(tag.where, Math.min(tag.length, MOST_TAGS));
  return Array.from({ length: Math.floor(bytes.length / word(form)) }, (_none, index) =>
    wordAt(bytes, index * word(form), form),
  );
}

/** The directory with these tags only, in their order, and its pointer to the next directory. */
function rewritten({ bytes }: Directory, kept: readonly Tag[], form: Form): Uint8Array {
  const { little, big } = form;
  const [counter, entry] = big ? [8, 20] : [2, 12];
  const made = new Uint8Array(counter + kept.length * entry + word(form));
  if (big) viewOf(made).setBigUint64(0, BigInt(kept.length), little);
  else viewOf(made).setUint16(0, kept.length, little);
  for (const [index, { at }] of kept.entries())
    made.set(bytes.subarray(at, at + entry), counter + index * entry);
  made.set(bytes.subarray(bytes.length - word(form)), counter + kept.length * entry);
  return made;
}
