/** Visitors get files without places, cameras and names; nothing else in the file changes. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { diskFiles } from "../../src/adapters/files/disk.ts";
import { sourceOf } from "../../src/records/media/byte-source.ts";
import { privateParts } from "../../src/records/media/private/parts.ts";
import { cover } from "../../src/records/media/private/withheld.ts";
import { newObject, send } from "../support/museum/media.ts";
import { museumHere } from "../support/museum/museum.ts";

let place: string;
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), "svc-private-"));
});
afterAll(() => rm(place, { recursive: true }));

/** What visitors get of the file. */
async function forVisitors(mime: string, bytes: Buffer): Promise<Buffer> {
  const name = crypto.randomUUID();
  await writeFile(join(place, name), bytes);
  const parts = await privateParts(mime, sourceOf(diskFiles(place), name, bytes.length));
  const pieces: Uint8Array[] = [];
  // in uneven pieces, so that private parts begin and end inside them
  for (let at = 0; at < bytes.length; at += 997) pieces.push(cover(bytes.subarray(at, at + 997), at, parts));
  return Buffer.concat(pieces);
}

const SECRET = "Geheimrat";

function photograph(orientation: number) {
  return sharp({
    create: {
      width: 60,
      height: 40,
      channels: 3,
      noise: { type: "gaussian", mean: 128, sigma: 50 },
    } as never,
  })
    .withMetadata({ orientation })
    .withExif({
      IFD0: { Artist: SECRET, Model: SECRET, Orientation: `${orientation}` },
      IFD3: { GPSLatitudeRef: "N", GPSLatitude: "51/1 30/1 3230/100", GPSMapDatum: SECRET },
    })
    .withIccProfile("p3");
}

/** A TIFF with a name and a place among its tags, which sharp does not write: it gets a new directory at its end. */
function tiffWithSecrets(plain: Buffer): Buffer {
  const from = plain.readUInt32LE(4);
  const count = plain.readUInt16LE(from);
  const entries = Array.from({ length: count }, (_none, index) =>
    plain.subarray(from + 2 + index * 12, from + 14 + index * 12),
  );
  const words = Buffer.from(`${SECRET}\0`);
  const entry = (tag: number, type: number, values: number, where: number) => {
    const made = Buffer.alloc(12);
    made.writeUInt16LE(tag);
    made.writeUInt16LE(type, 2);
    made.writeUInt32LE(values, 4);
    made.writeUInt32LE(where, 8);
    return made;
  };
  const directory = (tags: Buffer[]) => {
    const head = Buffer.alloc(2);
    head.writeUInt16LE(tags.length);
    const sorted = tags.sort((one, other) => one.readUInt16LE() - other.readUInt16LE());
    return Buffer.concat([head, ...sorted, Buffer.alloc(4)]);
  };
  const names = plain.length;
  const places = directory([entry(18, 2, words.length, names + words.length)]);
  const at = names + 2 * words.length;
  const main = directory([...entries, entry(315, 2, words.length, names), entry(34853, 4, 1, at)]);
  const made = Buffer.concat([plain, words, words, places, main]);
  made.writeUInt32LE(at + places.length, 4);
  return made;
}

async function withSecrets(format: "jpeg" | "png" | "webp" | "tiff" | "avif", orientation: number) {
  const made = await photograph(orientation)[format]().toBuffer();
  return format === "tiff" ? tiffWithSecrets(made) : made;
}

describe.each([
  ["image/jpeg", "jpeg"],
  ["image/png", "png"],
  ["image/webp", "webp"],
  ["image/tiff", "tiff"],
  ["image/avif", "avif"],
] as const)("a file of type %s", (mime, format) => {
  it.each([1, 6])(
    "loses everything private and keeps its pixels and orientation (%i)",
    async (orientation) => {
      const bytes = await withSecrets(format, orientation);
      expect(bytes.includes(SECRET)).toBe(true);
      const cleaned = await forVisitors(mime, bytes);
      expect(cleaned.length).toBe(bytes.length);
      expect(cleaned.includes(SECRET)).toBe(false);
      const [before, after] = await Promise.all([bytes, cleaned].map((file) => sharp(file).metadata()));
      expect([after!.width, after!.height, after!.autoOrient]).toEqual([
        before!.width,
        before!.height,
        before!.autoOrient,
      ]);
      expect(after!.icc).toEqual(before!.icc);
      const pixels = (file: Buffer) => sharp(file, { failOn: "warning" }).autoOrient().raw().toBuffer();
      expect((await pixels(cleaned)).equals(await pixels(bytes))).toBe(true);
    },
  );
});

it("data behind the end of a JPEG is blanked, and a progressive JPEG is read to its end", async () => {
  const bytes = await photograph(1).jpeg({ progressive: true }).toBuffer();
  const cleaned = await forVisitors(
    "image/jpeg",
    Buffer.concat([bytes, await photograph(1).jpeg().toBuffer()]),
  );
  expect(cleaned.includes(SECRET)).toBe(false);
  expect(cleaned.subarray(bytes.length).every((byte) => byte === 0)).toBe(true);
  expect((await sharp(cleaned).raw().toBuffer()).equals(await sharp(bytes).raw().toBuffer())).toBe(true);
});

it("other private segments of JPEG and chunks of PNG are blanked", async () => {
  const plain = await photograph(1).jpeg().toBuffer();
  const segment = (marker: number, words: string) => {
    const head = Buffer.from([0xff, marker, 0, 0]);
    head.writeUInt16BE(words.length + 2, 2);
    return Buffer.concat([head, Buffer.from(words, "latin1")]);
  };
  const words = `${SECRET} was here`;
  const written = [
    segment(0xe1, `http://ns.adobe.com/xap/1.0/\0${words}`),
    segment(0xed, `Photoshop 3.0\0${words}`),
    segment(0xe2, `MPF\0${words}`),
    segment(0xfe, words),
  ];
  const jpeg = Buffer.concat([plain.subarray(0, 2), ...written, plain.subarray(2)]);
  const picture = await photograph(1).png().toBuffer();
  const chunk = Buffer.concat([Buffer.from([0, 0, 0, words.length]), Buffer.from(`tEXt${words}crc!`)]);
  const png = Buffer.concat([picture.subarray(0, 33), chunk, picture.subarray(33)]);
  for (const [mime, bytes, original] of [
    ["image/jpeg", jpeg, plain],
    ["image/png", png, picture],
  ] as const) {
    const cleaned = await forVisitors(mime, bytes);
    expect(cleaned.includes(SECRET)).toBe(false);
    const pixels = (file: Buffer) => sharp(file, { failOn: "warning" }).raw().toBuffer();
    expect((await pixels(cleaned)).equals(await pixels(original))).toBe(true);
  }
});

it("a JPEG loses the small picture in its first segment, and what stands behind the ends of known segments", async () => {
  const plain = await photograph(1).jpeg().toBuffer();
  const segment = (marker: number, content: Buffer) => {
    const head = Buffer.from([0xff, marker, 0, 0]);
    head.writeUInt16BE(content.length + 2, 2);
    return Buffer.concat([head, content]);
  };
  const behind = plain.subarray(2, 4).readUInt16BE() === 0xffe0 ? 4 + plain.readUInt16BE(4) : 2;
  // two by three pixels, the second marked as an extension
  const small = Buffer.from(`${SECRET}${SECRET}`);
  const jfif = (name: string, rest: number[]) => Buffer.concat([Buffer.from(`${name}\0`), Buffer.from(rest)]);
  const jpeg = Buffer.concat([
    plain.subarray(0, 2),
    segment(0xe0, Buffer.concat([jfif("JFIF", [1, 2, 0, 0, 1, 0, 1, 2, 3]), small])),
    segment(0xe0, Buffer.concat([jfif("JFXX", [0x13, 2, 3]), small])),
    segment(0xee, Buffer.concat([Buffer.from("Adobe"), Buffer.from([0, 100, 0, 0, 0, 0, 1]), small])),
    plain.subarray(behind),
  ]);
  const cleaned = await forVisitors("image/jpeg", jpeg);
  expect(jpeg.includes(SECRET)).toBe(true);
  expect(cleaned.includes(SECRET)).toBe(false);
  const pixels = (file: Buffer) => sharp(file, { failOn: "warning" }).raw().toBuffer();
  expect((await pixels(cleaned)).equals(await pixels(plain))).toBe(true);
});

it("a PNG whose text is very long gives the thread to others while its checksum is computed", async () => {
  const length = 50_000_000;
  const head = Buffer.alloc(16);
  head.writeUInt32BE(length, 8);
  head.write("tEXt", 12);
  const end = Buffer.from([0, 0, 0, 0, 73, 69, 78, 68, 0, 0, 0, 0]);
  const file = Buffer.concat([head, Buffer.alloc(length + 4), end]);
  const source = {
    bytes: file.length,
    read: async (at: number, count: number) => file.subarray(at, at + count),
    stream: () => Promise.reject(new Error("not read")),
  };
  let turns = 0;
  const ticking = setInterval(() => {
    turns += 1;
  });
  const [, checksum] = await privateParts("image/png", source);
  clearInterval(ticking);
  expect(turns).toBeGreaterThan(1);
  const expected = Buffer.alloc(4);
  expected.writeUInt32BE(crc32(Buffer.concat([Buffer.from("noNe"), Buffer.alloc(length)])));
  expect(checksum).toEqual({ at: 16 + length, length: 4, bytes: expected.toString("base64") });
});

it("every page of a TIFF loses its private data and stays readable", async () => {
  const one = await photograph(1).tiff({ compression: "lzw" }).toBuffer();
  const pages = await sharp([one, one, one], { join: { animated: true } })
    .tiff()
    .toBuffer();
  const big = await photograph(1).tiff({ bigtiff: true, tile: true, pyramid: true }).toBuffer();
  for (const bytes of [pages, big]) {
    const cleaned = await forVisitors("image/tiff", bytes);
    expect(cleaned.includes(SECRET)).toBe(false);
    expect((await sharp(cleaned).metadata()).pages).toBe((await sharp(bytes).metadata()).pages);
    expect((await sharp(cleaned).raw().toBuffer()).equals(await sharp(bytes).raw().toBuffer())).toBe(true);
  }
});

/** An entry of a directory of a TIFF, little-endian (TIFF 6.0 §2). */
function entry(tag: number, type: number, values: number, where: number): Buffer {
  const made = Buffer.alloc(12);
  made.writeUInt16LE(tag);
  made.writeUInt16LE(type, 2);
  made.writeUInt32LE(values, 4);
  made.writeUInt32LE(where, 8);
  return made;
}

function directory(tags: Buffer[], next: number): Buffer {
  const ends = Buffer.alloc(6);
  ends.writeUInt16LE(tags.length);
  ends.writeUInt32LE(next, 2);
  const inOrder = [...tags].sort((one, other) => one.readUInt16LE() - other.readUInt16LE());
  return Buffer.concat([ends.subarray(0, 2), ...inOrder, ends.subarray(2)]);
}

/** A TIFF without compression, and the entries of its directory. */
async function plainTiff(): Promise<{ plain: Buffer; own: Buffer[] }> {
  const plain = await photograph(1).tiff({ compression: "none" }).toBuffer();
  const from = plain.readUInt32LE(4);
  const own = Array.from({ length: plain.readUInt16LE(from) }, (_none, index) =>
    plain.subarray(from + 2 + index * 12, from + 14 + index * 12),
  ).filter((tag) => tag.readUInt16LE() !== 254);
  return { plain, own };
}

const pixelsOf = (file: Buffer) => sharp(file, { failOn: "warning" }).raw().toBuffer();

it("a TIFF loses its thumbnails, beside its picture and below it", async () => {
  const { plain, own } = await plainTiff();
  const pixels = Buffer.from(SECRET);
  const at = plain.length;
  const small = (jpeg: boolean) => [
    entry(254, 4, 1, 1),
    entry(256, 4, 1, pixels.length),
    entry(257, 4, 1, 1),
    ...(jpeg
      ? [entry(513, 4, 1, at), entry(514, 4, 1, pixels.length)]
      : [entry(273, 4, 1, at), entry(279, 4, 1, pixels.length)]),
  ];
  for (const jpeg of [false, true])
    for (const below of [false, true]) {
      const first = at + pixels.length;
      const thumbnail = directory(small(jpeg), 0);
      const pointer = below ? [entry(330, 4, 1, first)] : [];
      const main = directory([...own, ...pointer], below ? 0 : first);
      const made = Buffer.concat([plain, pixels, thumbnail, main]);
      made.writeUInt32LE(first + thumbnail.length, 4);
      expect(made.includes(SECRET)).toBe(true);
      const cleaned = await forVisitors("image/tiff", made);
      expect(cleaned.includes(SECRET)).toBe(false);
      expect((await pixelsOf(cleaned)).equals(await pixelsOf(plain))).toBe(true);
      expect((await sharp(cleaned).metadata()).pages ?? 1).toBe(1);
    }
});

it("a TIFF with a thumbnail among further pictures keeps none of their private data", async () => {
  const { plain, own } = await plainTiff();
  const pieces = [plain];
  const put = (piece: Buffer) => {
    const at = Buffer.concat(pieces).length;
    pieces.push(piece);
    return at;
  };
  const secret = () => put(Buffer.from(`${SECRET}.`));
  const text = (tag: number) => entry(tag, 2, SECRET.length + 1, secret());
  const picture = () => [
    entry(256, 4, 1, 9),
    entry(257, 4, 1, 1),
    entry(273, 4, 1, secret()),
    entry(279, 4, 1, 9),
  ];
  const exif = put(directory([text(37510)], 0));
  const thumbnail = put(directory([entry(254, 4, 1, 1), ...picture(), entry(34665, 4, 1, exif)], 0));
  const further = put(directory([...picture(), text(270)], 0));
  const both = Buffer.alloc(8);
  both.writeUInt32LE(further);
  both.writeUInt32LE(thumbnail, 4);
  const first = put(directory([...own, entry(330, 4, 2, put(both))], 0));
  const made = Buffer.concat(pieces);
  made.writeUInt32LE(first, 4);
  const cleaned = await forVisitors("image/tiff", made);
  expect(made.toString("latin1").split(SECRET)).toHaveLength(5);
  expect(cleaned.includes(SECRET)).toBe(false);
  expect((await pixelsOf(cleaned)).equals(await pixelsOf(plain))).toBe(true);
});

it("a TIFF whose thumbnails lead to each other in a circle is read to its end", async () => {
  const { plain, own } = await plainTiff();
  const small = (next: number) => directory([entry(254, 4, 1, 1), entry(256, 4, 1, 1)], next);
  const at = plain.length;
  const length = small(0).length;
  const made = Buffer.concat([plain, small(at + length), small(at), directory(own, at)]);
  made.writeUInt32LE(at + 2 * length, 4);
  const cleaned = await forVisitors("image/tiff", made);
  expect((await pixelsOf(cleaned)).equals(await pixelsOf(plain))).toBe(true);
});

it("a film does not tell where it was taken", async () => {
  const box = (type: string, ...inner: Buffer[]) => {
    const body = Buffer.concat(inner);
    const head = Buffer.alloc(8, 0);
    head.writeUInt32BE(body.length + 8);
    head.write(type, 4, "latin1");
    return Buffer.concat([head, body]);
  };
  const place = box("udta", box("\xa9xyz", Buffer.from(`+51.5-000.1/${SECRET}`)));
  const film = Buffer.concat([
    box("ftyp", Buffer.from("isom\0\0\0\0isom")),
    box("moov", box("mvhd", Buffer.alloc(100)), box("trak", box("tkhd", Buffer.alloc(84)), place), place),
    box("mdat", Buffer.from("the film")),
    box("meta", Buffer.from(SECRET)),
  ]);
  const cleaned = await forVisitors("video/mp4", film);
  expect(cleaned.length).toBe(film.length);
  expect(cleaned.includes(SECRET)).toBe(false);
  expect(cleaned.includes("the film")).toBe(true);
  expect(cleaned.toString("latin1").match(/free/g)).toHaveLength(3);
});

it("no broken file causes an error other than a RangeError", async () => {
  for (const [mime, format] of [
    ["image/jpeg", "jpeg"],
    ["image/png", "png"],
    ["image/webp", "webp"],
    ["image/tiff", "tiff"],
    ["image/avif", "avif"],
  ] as const) {
    const bytes = await withSecrets(format, 6);
    for (let times = 0; times < 60; times++) {
      const broken = Buffer.from(
        bytes.subarray(0, times % 3 === 0 ? bytes.length - times * 7 : bytes.length),
      );
      for (let hits = 0; hits < 4; hits++)
        broken[Math.floor(((times * 31 + hits * 17) % 400) % broken.length)] =
          (times * 13 + hits * 101) & 255;
      await forVisitors(mime, broken).catch((error) =>
        expect([format, times, error]).toEqual([format, times, expect.any(RangeError)]),
      );
    }
  }
});

describe("private data over HTTP", async () => {
  const museum = await museumHere();

  it("visitors get the picture without private data, also in ranges; staff get it as it was uploaded", async () => {
    const editor = await museum.as("editor");
    const object = await newObject(editor);
    const bytes = await photograph(6).jpeg().toBuffer();
    const { media_id, width, height } = (await (await send(editor, object, bytes, "a.jpg")).json()) as {
      media_id: string;
      width: number;
      height: number;
    };
    expect([width, height]).toEqual([40, 60]);
    await editor(`/v1/objects/${object}/publish`, { method: "POST" });
    const path = `/objects/${object}/media/${media_id}/file`;
    const whole = await museum.ask(path);
    const cleaned = Buffer.from(await whole.arrayBuffer());
    expect(cleaned.includes(SECRET)).toBe(false);
    const from = bytes.indexOf(SECRET);
    const part = await museum.ask(path, { headers: { Range: `bytes=${from}-${from + 200}` } });
    expect([
      part.status,
      Buffer.from(await part.arrayBuffer()).equals(cleaned.subarray(from, from + 201)),
    ]).toEqual([206, true]);
    const own = await editor(path);
    expect(Buffer.from(await own.arrayBuffer()).equals(bytes)).toBe(true);
    expect(own.headers.get("ETag")).not.toBe(whole.headers.get("ETag"));
  });
});
