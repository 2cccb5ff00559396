/**
 * Reads the directories of a TIFF, which have the positions of its tiles. Classic and BigTIFF, in both byte orders.
 * https://www.itu.int/itudoc/itu-t/com16/tiff-fx/docs/tiff6.pdf, http://bigtiff.org
 */

/** Bytes of the file from `first` to `last`, both included; fewer at its end. */
type ReadRange = (first: number, last: number) => Promise<Uint8Array>;

export type Directory = {
  width: number;
  height: number;
  compression: number;
  photometric: number;
  tileWidth: number;
  tileHeight: number;
  offsets: readonly number[];
  byteCounts: readonly number[];
  /** JPEG tables that all tiles share (TIFF Technical Note 2); empty if each tile has its own. */
  jpegTables: Uint8Array;
};

const TAGS = {
  width: 256,
  height: 257,
  compression: 259,
  photometric: 262,
  tileWidth: 322,
  tileHeight: 323,
  offsets: 324,
  byteCounts: 325,
  jpegTables: 347,
} as const;
/** Type → bytes of one value, for the types of these tags. */
const SIZES: Readonly<Record<number, number>> = { 1: 1, 3: 2, 4: 4, 7: 1, 16: 8 };

/** A pyramid of the largest picture has 16 levels; in a file with more, the directories form a circle. */
const MOST_DIRECTORIES = 24;
/** A gigapixel has 4,000 tiles, and the JPEG tables have some hundred bytes. */
const MOST_VALUE_BYTES = 2_000_000;
/** Bytes read at once: directories are close to the data that they point at. */
const PIECE = 16_384;

/** Throws if the file is not a TIFF. */
export async function readDirectories(read: ReadRange): Promise<Directory[]> {
  const at = inPieces(read);
  const head = await at(0, 16);
  const little = head.getUint16(0) === 0x4949;
  const version = head.getUint16(2, little);
  if ((!little && head.getUint16(0) !== 0x4d4d) || (version !== 42 && version !== 43)) {
    throw new Error("The file is not a TIFF");
  }
  const file: File = { at, little, big: version === 43 };
  const directories: Directory[] = [];
  let next = file.big ? offsetIn(head, 8, file) : head.getUint32(4, little);
  while (next !== 0) {
    if (directories.length === MOST_DIRECTORIES)
      throw new Error("The TIFF has more directories than a pyramid");
    const found = await readDirectory(file, next);
    directories.push(found.directory);
    next = found.next;
  }
  return directories;
}

type File = { at: (offset: number, length: number) => Promise<DataView>; little: boolean; big: boolean };

async function readDirectory(file: File, offset: number): Promise<{ directory: Directory; next: number }> {
  const { at, little, big } = file;
  const [countBytes, entryBytes, pointerBytes] = big ? [8, 20, 8] : [2, 12, 4];
  const head = await at(offset, countBytes);
  const count = big ? offsetIn(head, 0, file) : head.getUint16(0, little);
  if (count > 500) throw new Error("The TIFF has a directory that cannot be read");
  const entries = await at(offset + countBytes, count * entryBytes + pointerBytes);
  const values = new Map<number, DataView>();
  const types = new Map<number, number>();
  for (let index = 0; index < count; index++) {
    const entry = index * entryBytes;
    const tag = entries.getUint16(entry, little);
    if (!WANTED.has(tag)) continue;
    types.set(tag, entries.getUint16(entry + 2, little));
    values.set(tag, await valueIn(file, entries, entry));
  }
  const numbers = (tag: number) => numbersOf(values.get(tag), types.get(tag), file);
  const number = (tag: number) => numbers(tag)[0] ?? 0;
  const tables = values.get(TAGS.jpegTables);
  const directory = {
    width: number(TAGS.width),
    height: number(TAGS.height),
    compression: number(TAGS.compression),
    photometric: number(TAGS.photometric),
    tileWidth: number(TAGS.tileWidth),
    tileHeight: number(TAGS.tileHeight),
    offsets: numbers(TAGS.offsets),
    byteCounts: numbers(TAGS.byteCounts),
    jpegTables: tables ? bytesOf(tables).slice() : new Uint8Array(),
  };
  const end = count * entryBytes;
  return { directory, next: big ? offsetIn(entries, end, file) : entries.getUint32(end, little) };
}

const WANTED: ReadonlySet<number> = new Set(Object.values(TAGS));

/** The values from the entry if they fit into it, else from where it points. */
async function valueIn(file: File, entries: DataView, entry: number): Promise<DataView> {
  const { at, little, big } = file;
  const size = SIZES[entries.getUint16(entry + 2, little)];
  const count = big ? offsetIn(entries, entry + 4, file) : entries.getUint32(entry + 4, little);
  const length = (size ?? Number.NaN) * count;
  if (!(length <= MOST_VALUE_BYTES)) throw new Error("The TIFF has a value that cannot be read");
  const [place, room] = big ? [entry + 12, 8] : [entry + 8, 4];
  if (length <= room) return new DataView(entries.buffer, entries.byteOffset + place, length);
  return at(big ? offsetIn(entries, place, file) : entries.getUint32(place, little), length);
}

function numbersOf(value: DataView | undefined, type: number | undefined, file: File): number[] {
  if (value === undefined || type === undefined) return [];
  const size = SIZES[type]!;
  return Array.from({ length: value.byteLength / size }, (_, index) => {
    const at = index * size;
    if (size === 1) return value.getUint8(at);
    if (size === 2) return value.getUint16(at, file.little);
    return size === 4 ? value.getUint32(at, file.little) : offsetIn(value, at, file);
  });
}

function offsetIn(view: DataView, at: number, { little }: Pick<File, "little">): number {
  const offset = Number(view.getBigUint64(at, little));
  if (!Number.isSafeInteger(offset)) throw new Error("The TIFF has an offset that cannot be");
  return offset;
}

const bytesOf = (view: DataView) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

/** Answers from the piece that was read last where possible: each read may be a request to another machine. */
function inPieces(read: ReadRange): File["at"] {
  let start = 0;
  let piece = new Uint8Array();
  return async (offset, length) => {
    if (offset < start || offset + length > start + piece.length) {
      piece = (await read(offset, offset + Math.max(length, PIECE) - 1)).slice();
      start = offset;
    }
    if (offset + length > start + piece.length) throw new Error("The TIFF is cut off");
    return new DataView(piece.buffer, piece.byteOffset + offset - start, length);
  };
}
