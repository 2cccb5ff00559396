/** What is read from a picture before it is decoded. */

import { copyFile, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { diskFiles } from "../../src/adapters/files/disk.ts";
import { sharpImages } from "../../src/adapters/images/sharp-images.ts";
import { say } from "../../src/messages/said.ts";
import { ENGLISH } from "../../src/messages/translate.ts";
import { onlyOrientation } from "../../src/records/media/private/exif.ts";
import { inLong } from "../support/lane/lane.ts";
import { emptyPng, pngChunk } from "../support/museum/png.ts";
import { scanned, type Values } from "../support/museum/tiff.ts";

const UNREADABLE = /^The file is broken, or not a supported picture/;
const CUT_OFF = /^The picture is incomplete/;

let directory: string;
const at = (name: string) => join(directory, name);
const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "#a0522d" } });
const describePicture = async (name: string, maxPixels = 1_000_000_000) => {
  const described = await sharpImages({
    mediaRoot: directory,
    maxPixels,
    cache: { directory: at("cache"), maxBytes: 1_000_000 },
    files: diskFiles(directory),
    pathOf: async (key) => at(key),
  }).describe(name);
  return "refused" in described ? { ...described, refused: say(ENGLISH, described.refused) } : described;
};

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "svc-images-"));
});
afterAll(() => rm(directory, { recursive: true }));

it.each(["jpeg", "png", "tiff", "webp", "gif", "avif"] as const)(
  "a %s is recognised by its content, not by its name",
  async (format) => {
    await picture(30, 20)
      .toFormat(format)
      .toFile(at(`${format}.bin`));
    expect(await describePicture(`${format}.bin`)).toEqual({
      format,
      width: 30,
      height: 20,
      pages: 1,
      animated: false,
    });
  },
);

it("a picture with an orientation is measured as it is shown", async () => {
  await picture(30, 20).jpeg().withMetadata({ orientation: 6 }).toFile(at("side.jpg"));
  expect(await describePicture("side.jpg")).toMatchObject({ width: 20, height: 30 });
});

it("the frames of an animation and the pages of a scan are counted", async () => {
  const frames = await Promise.all(
    ["red", "green", "blue"].map((background) =>
      sharp({ create: { width: 8, height: 8, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  );
  const joined = () => sharp(frames, { join: { animated: true } });
  await joined()
    .gif({ delay: [100, 100, 100] })
    .toFile(at("moves.gif"));
  expect(await describePicture("moves.gif")).toEqual({
    format: "gif",
    width: 8,
    height: 8,
    pages: 3,
    animated: true,
  });
  await joined().tiff().toFile(at("letter.tif"));
  expect(await describePicture("letter.tif")).toEqual({
    format: "tiff",
    width: 8,
    height: 8,
    pages: 3,
    animated: false,
  });
});

inLong(it)("a picture with more pixels than allowed is refused from its header", async () => {
  const vast = { width: 19_000, height: 19_000, channels: 3, background: "white" } as const;
  await sharp({ create: vast, limitInputPixels: false })
    .toColourspace("b-w")
    .png({ compressionLevel: 1 })
    .toFile(at("vast.png"));
  expect((await stat(at("vast.png"))).size).toBeLessThan(10_000_000);
  const began = performance.now();
  expect(await describePicture("vast.png", 100_000_000)).toEqual({
    refused: "The picture has 361,000,000 pixels, but MEDIA_MAX_PIXELS allows 100,000,000: make it smaller",
  });
  expect(performance.now() - began).toBeLessThan(1_000);
  expect(await describePicture("vast.png", 361_000_000)).toMatchObject({ width: 19_000, height: 19_000 });
});

it("a vast picture that must be decoded as a whole is refused from its header", async () => {
  for (const [interlaced, orientation] of [
    [false, 1],
    [true, 1],
    [false, 6],
  ] as const) {
    const between = [pngChunk("eXIf", onlyOrientation(orientation))];
    await writeFile(at("interlaced.png"), emptyPng(20_000, 20_000, { interlaced, between }));
    expect(await describePicture("interlaced.png")).toEqual(
      interlaced || orientation > 1
        ? { refused: expect.stringContaining("save this one upright as TIFF") }
        : expect.objectContaining({ width: 20_000, height: 20_000 }),
    );
  }
});

it("a file that is no picture, or is an SVG, is refused with a sentence", async () => {
  const files: Record<string, string | Buffer> = {
    "empty.jpg": "",
    "letter.jpg": "Dear museum",
    "drawing.svg":
      '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect width="9" height="9"/></svg>',
    "page.html": "<!doctype html><title>x</title>",
    "film.mp4": Buffer.from("\0\0\0\x18ftypisom\0\0\0\0isomiso2", "latin1"),
    "archive.jpg": Buffer.from("PK\x03\x04\x14\0\0\0\0\0", "latin1"),
  };
  for (const [name, content] of Object.entries(files)) {
    await writeFile(at(name), content);
    expect(await describePicture(name), name).toEqual({
      refused: expect.stringMatching(UNREADABLE),
      unreadable: true,
    });
  }
});

describe("the values of a TIFF", () => {
  const bytes = (values: ArrayLike<number> & { buffer: ArrayBufferLike }) => new Uint8Array(values.buffer);
  const ramp = Array.from({ length: 60 * 40 }, (_, n) => (n % 60) / 60);
  const coloured = ramp.flatMap((value) => [value, value, value]);

  it.each<[string, Values]>([
    ["floating-point", { bits: 32, format: 3, channels: 1, data: bytes(new Float32Array(ramp)) }],
    [
      "32-bit",
      { bits: 32, format: 1, channels: 1, data: bytes(new Uint32Array(ramp.map((one) => one * 4e9))) },
    ],
    [
      "signed",
      { bits: 16, format: 2, channels: 1, data: bytes(new Int16Array(ramp.map((one) => one * 3e4))) },
    ],
    [
      "signed 8-bit",
      { bits: 8, format: 2, channels: 1, data: bytes(new Int8Array(ramp.map((one) => one * 99))) },
    ],
  ])("are refused if it is not known which is white: %s", async (_, values) => {
    await writeFile(at("values.tif"), scanned(60, 40, values));
    expect(await describePicture("values.tif")).toEqual({
      refused:
        "Pictures with 32-bit, signed or floating-point values are not supported: save them with 8 or 16 bits per channel",
    });
  });

  it.each<[string, Values]>([
    [
      "8 bits",
      { bits: 8, format: 1, channels: 1, data: bytes(new Uint8Array(ramp.map((one) => one * 255))) },
    ],
    [
      "16 bits",
      { bits: 16, format: 1, channels: 3, data: bytes(new Uint16Array(coloured.map((one) => one * 65535))) },
    ],
    ["linear light", { bits: 32, format: 3, channels: 3, data: bytes(new Float32Array(coloured)) }],
  ])("are accepted if it is known: %s", async (_, values) => {
    await writeFile(at("values.tif"), scanned(60, 40, values));
    expect(await describePicture("values.tif")).toMatchObject({ format: "tiff", width: 60, height: 40 });
  });

  it("are accepted in CIELAB", async () => {
    for (const space of ["lab", "labs"])
      await picture(30, 20)
        .toColourspace(space)
        .tiff()
        .toFile(at("lab.tif"))
        .then(async () => expect(await describePicture("lab.tif")).toMatchObject({ width: 30 }));
  });
});

it("a phone's HEIC picture is refused with advice", async () => {
  await copyFile(new URL("../fixtures/red.heic", import.meta.url), at("phone.heic"));
  expect(await describePicture("phone.heic")).toEqual({
    refused: "HEIC pictures (HEVC) are not supported: save the picture as JPEG, TIFF or AVIF",
    unreadable: true,
  });
});

it.each(["jpeg", "png", "webp"] as const)(
  "a %s that is cut off is refused, wherever it ends",
  async (format) => {
    const noise = {
      create: {
        width: 400,
        height: 300,
        channels: 3,
        background: "white",
        noise: { type: "gaussian", mean: 128, sigma: 40 },
      },
    } as const;
    const complete = await sharp(noise).toFormat(format).toBuffer();
    for (const part of [0.001, 0.1, 0.5, 0.99]) {
      await writeFile(at("part"), complete.subarray(0, Math.ceil(complete.length * part)));
      expect(await describePicture("part"), String(part)).toHaveProperty("refused");
    }
    await writeFile(at("part"), complete.subarray(0, complete.length - 20));
    const refused = expect.stringMatching(format === "webp" ? UNREADABLE : CUT_OFF);
    expect(await describePicture("part")).toMatchObject({ refused });
  },
);

it("the thumbnail in a JPEG that is cut off does not pass for its end, and bytes after the end do no harm", async () => {
  const small = await picture(16, 16).jpeg().toBuffer();
  const large = await picture(300, 200).jpeg().toBuffer();
  const segment = Buffer.concat([Buffer.from([0xff, 0xe1, 0, 0]), small]);
  segment.writeUInt16BE(segment.length - 2, 2);
  const complete = Buffer.concat([large.subarray(0, 2), segment, large.subarray(2)]);
  await writeFile(at("thumb.jpg"), Buffer.concat([complete, Buffer.alloc(3_000_000)]));
  expect(await describePicture("thumb.jpg")).toMatchObject({ width: 300, height: 200 });
  await writeFile(at("thumb.jpg"), complete.subarray(0, complete.length - 100));
  expect(await describePicture("thumb.jpg")).toEqual({ refused: expect.stringMatching(CUT_OFF) });
});

it("a missing file is a fault of the program, not of the picture", async () => {
  await expect(describePicture("nowhere.jpg")).rejects.toThrow();
});

it("reading leaves the file unchanged", async () => {
  await picture(30, 20).jpeg().toFile(at("kept.jpg"));
  await copyFile(at("kept.jpg"), at("copy.jpg"));
  await describePicture("kept.jpg");
  expect(await readFile(at("kept.jpg"))).toEqual(await readFile(at("copy.jpg")));
});
