/** Pictures of every kind, checked and prepared; what the cache does, and what happens if it cannot. */

import { chmod, mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { createSingleFlight } from "../../src/iiif/single-flight.ts";
import { readDirectories } from "../../src/iiif/tiff.ts";
import { said, toldText } from "../../src/messages/said.ts";
import { inLong } from "../support/lane/lane.ts";
import { jpeg } from "../support/museum/media.ts";
import { museumHere } from "../support/museum/museum.ts";
import { colourAt, difference, hang, pixelsOf, prepared, squares } from "../support/museum/pictures.ts";

const museum = await museumHere({ env: { IMAGE_CACHE_MAX_BYTES: "200k" } });
const editor = await museum.as("editor");

const get = (path: string) => museum.ask(`/iiif/3/${path}`);
const row = async (id: string) =>
  (
    await museum.services.sql<{ status: string; error_detail: string | null; pyramid_key: string | null }[]>`
      select status, error_detail, pyramid_key from object_media where id = ${id}`
  )[0]!;
const filesIn = (directory: string) => readdir(join(museum.dataDir, directory)).catch(() => []);

/** Compares the middles of all squares, as closely as the format keeps colours. */
async function expectPicture(id: string, width: number, height: number, near = 14): Promise<void> {
  const shown = await pixelsOf(await get(`${id}/full/max/0/default.png`));
  expect([shown.width, shown.height]).toEqual([width, height]);
  for (let x = 50; x < width; x += 100)
    for (let y = 50; y < height; y += 100) {
      const found = shown.at(x, y);
      if (difference(found.length < 3 ? [found[0]!, found[0]!, found[0]!] : found, colourAt(x, y)) > near)
        expect.fail(`${found} instead of ${colourAt(x, y)} at ${x},${y}`);
    }
}

describe("a picture has its colours if it comes from", () => {
  const small = () => squares(300, 200);
  it.each<[string, string, () => Promise<Buffer>, number]>([
    ["JPEG", "a.jpg", () => small().jpeg({ quality: 95, chromaSubsampling: "4:4:4" }).toBuffer(), 14],
    ["progressive JPEG", "b.jpg", () => small().jpeg({ quality: 95, progressive: true }).toBuffer(), 14],
    ["PNG with 16 bits", "c.png", () => small().toColourspace("rgb16").png().toBuffer(), 1],
    ["interlaced PNG", "d.png", () => small().png({ progressive: true }).toBuffer(), 0],
    ["PNG with a palette", "e.png", () => small().png({ palette: true }).toBuffer(), 14],
    [
      "TIFF with LZW",
      "f.tif",
      () => small().tiff({ compression: "lzw", predictor: "horizontal" }).toBuffer(),
      0,
    ],
    [
      "TIFF with 16 bits",
      "g.tif",
      () => small().toColourspace("rgb16").tiff({ compression: "deflate" }).toBuffer(),
      1,
    ],
    ["tiled TIFF", "h.tif", () => small().tiff({ tile: true, tileWidth: 64, tileHeight: 64 }).toBuffer(), 14],
    ["CMYK JPEG", "i.jpg", () => small().toColourspace("cmyk").jpeg({ quality: 95 }).toBuffer(), 140],
    ["CMYK TIFF", "j.tif", () => small().toColourspace("cmyk").tiff({ compression: "lzw" }).toBuffer(), 140],
    [
      "JPEG in Display P3",
      "k.jpg",
      () => small().withIccProfile("p3").jpeg({ quality: 95, chromaSubsampling: "4:4:4" }).toBuffer(),
      40,
    ],
    ["WebP", "l.webp", () => small().webp({ lossless: true }).toBuffer(), 1],
    ["GIF", "m.gif", () => small().gif().toBuffer(), 20],
    ["AVIF", "n.avif", () => small().avif({ quality: 90, chromaSubsampling: "4:4:4" }).toBuffer(), 30],
  ])("%s", async (_, name, made, near) => {
    const id = await hang(editor, await made(), name);
    await expectPicture(id, 300, 200, near);
    await prepared(museum.services);
    expect(await row(id)).toMatchObject({ status: "ready", pyramid_key: null });
  });

  it("the first page of a scan or the first picture of an animation", async () => {
    const pages = await Promise.all([0, 1].map(() => small().png().toBuffer()));
    const second = await sharp({ create: { width: 300, height: 200, channels: 3, background: "red" } })
      .png()
      .toBuffer();
    const joined = () => sharp([pages[0]!, second], { join: { animated: true } });
    await expectPicture(await hang(editor, await joined().tiff().toBuffer(), "letter.tif"), 300, 200);
    const moving = await joined()
      .webp({ lossless: true, delay: [90, 90] })
      .toBuffer();
    await expectPicture(await hang(editor, moving, "moving.webp"), 300, 200);
  });

  it.each([
    [3, 1_500, 1_200],
    [6, 1_200, 1_500],
    [7, 1_200, 1_500],
  ])("a file with orientation %s, also through its pyramid", async (orientation, width, height) => {
    const lying = await squares(1_500, 1_200).png().toBuffer();
    const id = await hang(
      editor,
      await sharp(lying).withMetadata({ orientation }).png().toBuffer(),
      "lying.png",
    );
    const turned = await pixelsOf(
      await sharp(await sharp(lying).withMetadata({ orientation }).png().toBuffer())
        .autoOrient()
        .png()
        .toBuffer(),
    );
    for (const from of ["original", "pyramid"]) {
      const { width: wide, height: high } = (await (await get(`${id}/info.json`)).json()) as {
        width: number;
        height: number;
      };
      expect([from, wide, high]).toEqual([from, width, height]);
      const part = await pixelsOf(await get(`${id}/600,600,500,500/max/0/default.png`));
      for (let x = 50; x < 500; x += 100)
        for (let y = 50; y < 500; y += 100)
          expect(difference(part.at(x, y), turned.at(x + 600, y + 600))).toBeLessThan(14);
      await prepared(museum.services);
    }
    expect((await row(id)).pyramid_key).toBe(`pyramids/${id}.tif`);
  });
});

it("images contain none of the original's metadata", async () => {
  const exif = {
    IFD0: { Artist: "Greta Lindqvist", Copyright: "secret studio" },
    IFD3: { GPSLatitude: "52/1 30/1 0/1" },
  };
  const picture = await squares(1_200, 1_100)
    .withExif(exif)
    .withXmp("<x:xmpmeta xmlns:x='adobe:ns:meta/'/>")
    .jpeg()
    .toBuffer();
  const id = await hang(editor, picture, "private.jpg");
  for (const from of ["original", "pyramid"]) {
    for (const path of [
      "full/max/0/default.jpg",
      "0,0,512,512/max/0/default.jpg",
      "full/100,/0/default.png",
      "full/100,/0/default.webp",
      "full/100,/0/default.tif",
    ]) {
      const bytes = Buffer.from(await (await get(`${id}/${path}`)).arrayBuffer());
      const head = await sharp(bytes).metadata();
      expect([from, path, head.exif, head.xmp, head.icc, head.iptc]).toEqual([
        from,
        path,
        undefined,
        undefined,
        undefined,
        undefined,
      ]);
      expect(bytes.includes("Lindqvist") || bytes.includes("studio")).toBe(false);
    }
    await prepared(museum.services);
  }
});

describe("the check of pictures", () => {
  it("reports a picture that cannot be decoded completely, and goes on with the others", async () => {
    const intact = await squares(1_200, 1_100).tiff({ compression: "lzw" }).toBuffer();
    const broken = Buffer.from(intact);
    broken.fill(0xa5, 2_000, 20_000);
    const ids = [
      await hang(editor, broken, "broken.tif").catch(() => null),
      await hang(editor, await jpeg(1_300, 1_100), "fine.jpg"),
    ];
    const result = await prepared(museum.services);
    expect(ids[0]).not.toBeNull();
    expect(result).toMatchObject({ broken: 1 });
    expect(await row(ids[0]!)).toMatchObject({
      status: "error",
      error_detail: toldText(said("fault.picture.undecodable")),
    });
    expect(await row(ids[1]!)).toMatchObject({ status: "ready" });
  });

  inLong(it)(
    "postpones a picture whose file cannot be read now, and gives up one that has crashed the process",
    async () => {
      const { sql, files } = museum.services;
      const away = await hang(editor, await jpeg(1_200, 1_100), "away.jpg");
      const deadly = await hang(editor, await jpeg(1_210, 1_100), "deadly.jpg");
      const key = `originals/${away}.jpg`;
      const kept = new Uint8Array(
        await new Response((await files.get(key))!.content as BodyInit).arrayBuffer(),
      );
      await files.remove(key);
      await sql`update object_media set prepare_attempts = 3 where id = ${deadly}`;
      await prepared(museum.services);
      expect(await row(deadly)).toMatchObject({
        status: "error",
        error_detail: toldText(said("fault.picture.crashes", { count: 3 })),
      });
      expect(await row(away)).toMatchObject({ status: "pending" });
      expect(await prepared(museum.services)).toEqual({ prepared: 0, broken: 0 });
      await files.put(key, new Response(kept).body!);
      await sql`update object_media set prepare_after = '-infinity' where id = ${away}`;
      await prepared(museum.services);
      expect(await row(away)).toMatchObject({ status: "ready", pyramid_key: `pyramids/${away}.tif` });
    },
  );

  it("leaves no drafts behind", async () => {
    expect((await filesIn("image-cache")).filter((name) => name.startsWith("."))).toEqual([]);
    expect((await filesIn("media/pyramids")).filter((name) => name.startsWith("."))).toEqual([]);
  });
});

it("images come from the original if a pyramid is damaged or missing, and the log says so", async () => {
  const id = await hang(editor, await squares(1_500, 1_200).png().toBuffer(), "lost.png");
  await prepared(museum.services);
  await writeFile(join(museum.dataDir, `media/pyramids/${id}.tif`), "II*\0nothing");
  await expectPicture(id, 1_500, 1_200);
  await rm(join(museum.dataDir, `media/pyramids/${id}.tif`));
  expect((await get(`${id}/0,0,512,512/512,512/0/default.jpg`)).status).toBe(200);
  expect(museum.log.some((line) => line.includes("the tiles of a picture cannot be read"))).toBe(true);
});

it("a pyramid that was made again is noticed", async () => {
  const id = await hang(editor, await squares(1_500, 1_200).png().toBuffer(), "anew.png");
  await prepared(museum.services);
  const tile = `${id}/512,512,512,512/512,512/0/default.jpg`;
  expect((await get(tile)).status).toBe(200);
  const other = await sharp({ create: { width: 1_500, height: 1_200, channels: 3, background: "#336699" } })
    .tiff({ tile: true, pyramid: true, tileWidth: 512, tileHeight: 512, compression: "jpeg", quality: 60 })
    .toBuffer();
  await museum.services.files.put(`pyramids/${id}.tif`, new Response(other as BodyInit).body!);
  for (let times = 0; times < 2; times++) expect((await pixelsOf(await get(tile))).at(9, 9).length).toBe(3);
  expect(difference((await pixelsOf(await get(tile))).at(200, 200), [0x33, 0x66, 0x99])).toBeLessThan(8);
});

inLong(describe)("the cache of images", () => {
  const cached = async () => {
    // a draft may be deleted or renamed during this
    const names = (await filesIn("image-cache")).filter((name) => !name.includes(".draft-"));
    const sizes = await Promise.all(names.map((name) => stat(join(museum.dataDir, "image-cache", name))));
    return { names, bytes: sizes.reduce((sum, { size }) => sum + size, 0) };
  };

  it("keeps images up to its size, and drops those unused for longest", async () => {
    const id = await hang(editor, await jpeg(900, 900), "cached.jpg");
    for (let width = 300; width < 340; width++)
      expect((await get(`${id}/full/${width},/0/default.jpg`)).status).toBe(200);
    await expect.poll(async () => (await cached()).bytes).toBeLessThanOrEqual(200 * 1024);
    expect((await cached()).names.length).toBeGreaterThan(3);
  });

  it("delivers an image that is larger than the cache, completely", async () => {
    const id = await hang(editor, await jpeg(2_200, 2_200), "larger.jpg");
    const [one, other] = await Promise.all([1, 2].map(() => get(`${id}/full/max/0/default.png`)));
    for (const answer of [one!, other!]) {
      const bytes = await answer.arrayBuffer();
      expect(bytes.byteLength).toBe(Number(answer.headers.get("Content-Length")));
      expect(bytes.byteLength).toBeGreaterThan(1_000_000);
    }
  });

  it("does not stop any image if it cannot be written", async () => {
    const directory = join(museum.dataDir, "image-cache");
    await rm(directory, { recursive: true, force: true });
    await writeFile(directory, "a file stands in its place");
    const id = await hang(editor, await squares(2_500, 2_000).jpeg().toBuffer(), "unkept.jpg");
    for (const path of ["full/max/0/default.jpg", "full/100,/0/default.png", "full/max/90/default.jpg"]) {
      const answer = await get(`${id}/${path}`);
      expect(answer.status).toBe(200);
      const bytes = new Uint8Array(await answer.arrayBuffer());
      expect(bytes.length).toBe(Number(answer.headers.get("Content-Length")));
      expect((await sharp(bytes).metadata()).width).toBeGreaterThan(99);
    }
    await rm(directory);
    await mkdir(directory);
    await chmod(directory, 0o700);
  });
});

describe("an image that several callers want at once", () => {
  it("is made once", async () => {
    const share = createSingleFlight<number>();
    let made = 0;
    const begin = async () => {
      made += 1;
      await new Promise((resolve) => setTimeout(resolve, 10));
      return made;
    };
    const nobody = new AbortController().signal;
    expect(await Promise.all([1, 2, 3].map(() => share("one", nobody, begin)))).toEqual([1, 1, 1]);
    expect(await share("one", nobody, begin)).toBe(2);
  });

  it("is given up when the last caller has left", async () => {
    const share = createSingleFlight<void>();
    const [first, second] = [new AbortController(), new AbortController()];
    let stop: AbortSignal | undefined;
    const begin = (signal: AbortSignal) => {
      stop = signal;
      return new Promise<void>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    };
    const calls = [first, second].map(({ signal }) => share("one", signal, begin).catch(() => "gone"));
    first.abort();
    expect(stop?.aborted).toBe(false);
    second.abort();
    expect(await Promise.all(calls)).toEqual(["gone", "gone"]);
  });
});

describe("the directories of a TIFF", () => {
  const reader = (bytes: Uint8Array) => async (first: number, last: number) =>
    bytes.subarray(first, last + 1);

  it("are read from classic TIFF and BigTIFF", async () => {
    const noise = sharp(await jpeg(1_100, 700));
    for (const bigtiff of [false, true]) {
      const made = await noise
        .clone()
        .tiff({ tile: true, pyramid: true, tileWidth: 512, tileHeight: 512, compression: "jpeg", bigtiff })
        .toBuffer();
      const directories = await readDirectories(reader(made));
      expect(directories.map(({ width, height, offsets }) => [width, height, offsets.length])).toEqual([
        [1_100, 700, 6],
        [550, 350, 2],
        [275, 175, 1],
      ]);
      for (const { offsets, byteCounts, jpegTables } of directories) {
        expect(jpegTables.length).toBeGreaterThan(100);
        offsets.forEach((offset, index) => {
          expect([...made.subarray(offset, offset + 2)]).toEqual([0xff, 0xd8]);
          expect([...made.subarray(offset + byteCounts[index]! - 2, offset + byteCounts[index]!)]).toEqual([
            0xff, 0xd9,
          ]);
        });
      }
    }
  });

  it("are refused if they are damaged, whatever they contain", async () => {
    const made = await sharp(await jpeg(600, 600))
      .tiff({ tile: true, tileWidth: 512, tileHeight: 512, compression: "jpeg" })
      .toBuffer();
    let refused = 0;
    for (let at = 0; at < 400; at++) {
      const damaged = Uint8Array.from(made);
      for (let byte = 0; byte < 6; byte++)
        damaged[(at * 7_919 + byte * 31) % (at < 200 ? 64 : made.length)] = (at * 13 + byte * 101) & 255;
      await readDirectories(reader(damaged)).catch(() => {
        refused += 1;
      });
    }
    expect(refused).toBeGreaterThan(50);
    const circle = Uint8Array.from([0x49, 0x49, 42, 0, 8, 0, 0, 0, 0, 0, 8, 0, 0, 0]);
    await expect(
      readDirectories(reader(Uint8Array.from([...circle, ...new Uint8Array(40)]))),
    ).rejects.toThrow();
    for (const part of [0, 3, 8, 20, 200])
      await expect(readDirectories(reader(made.subarray(0, part)))).rejects.toThrow();
  });
});
