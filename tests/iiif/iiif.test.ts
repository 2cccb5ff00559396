/**
 * IIIF Image API 3 over HTTP: what the IIIF Image API validator checks for level 2 and beyond, on pictures whose
 * pixels are known (https://iiif.io/api/image/3.0/, https://github.com/IIIF/image-validator).
 */
import { beforeAll, describe, expect, it } from "vitest";
import { inLong } from "../support/lane/lane.ts";
import { databases, museumHere, onceFor, quickest } from "../support/museum/museum.ts";
import { colourAt, difference, hang, pixelsOf, prepared, squares } from "../support/museum/pictures.ts";

const LARGE = { width: 2_100, height: 1_300 };
const SMALL = { width: 300, height: 200 };
const LOSSY = 14;

describe.each(databases)("images (%s)", async (database) => {
  let plain: string;
  const museum = await museumHere({ database });
  const editor = await museum.as("editor");
  /** Ids of a large picture with its pyramid, the same picture without one, and a small picture. */
  const tiled = await hang(editor, await squares(LARGE.width, LARGE.height).png().toBuffer(), "large.png", {
    license_uri: "https://creativecommons.org/publicdomain/zero/1.0/",
  });
  const small = await hang(editor, await squares(SMALL.width, SMALL.height).png().toBuffer(), "small.png");
  beforeAll(async () => {
    expect(await prepared(museum.services)).toEqual({ prepared: 2, broken: 0 });
    plain = await hang(editor, await squares(LARGE.width, LARGE.height).tiff().toBuffer(), "plain.tif");
  });

  const get = (path: string, headers: Record<string, string> = {}) =>
    museum.ask(`/iiif/3/${path}`, { headers });
  const image = async (path: string) => pixelsOf(await get(path));
  const statusOf = async (path: string) => (await get(path)).status;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into
  const json = async (answer: Response) => (await answer.json()) as any;

  describe("the image information", () => {
    it("names the image as in the request, with and without its extension", async () => {
      for (const identifier of [tiled, `${tiled}.png`]) {
        const answer = await get(`${identifier}/info.json`);
        expect(answer.status).toBe(200);
        expect(await json(answer)).toMatchObject({
          id: `http://127.0.0.1:8000/iiif/3/${identifier}`,
          type: "ImageService3",
          profile: "level2",
          ...LARGE,
          rights: "http://creativecommons.org/publicdomain/zero/1.0/",
          tiles: [{ width: 512, height: 512, scaleFactors: [1, 2, 4, 8] }],
        });
      }
    });

    it("is linked data unless JSON is requested, and may be read by pages of any origin", async () => {
      const linked = 'application/ld+json;profile="http://iiif.io/api/image/3/context.json"';
      for (const [accept, type] of [
        [undefined, linked],
        ["*/*", linked],
        ["application/ld+json", linked],
        [linked, linked],
        ["application/json", "application/json"],
        ["application/json, application/ld+json;q=0.5", "application/json"],
        ["text/html", "application/json"],
      ]) {
        const answer = await get(`${small}/info.json`, accept === undefined ? {} : { Accept: accept });
        expect([accept, answer.headers.get("Content-Type")]).toEqual([accept, type]);
        expect(answer.headers.get("Access-Control-Allow-Origin")).toBe("*");
        expect(answer.headers.get("Link")).toContain(
          '<http://iiif.io/api/image/3/level2.json>;rel="profile"',
        );
      }
    });

    it("is the target of the image's own address", async () => {
      for (const identifier of [small, `${small}.png`]) {
        const answer = await get(identifier);
        expect(answer.status).toBe(303);
        expect(answer.headers.get("Location")).toBe(`http://127.0.0.1:8000/iiif/3/${identifier}/info.json`);
        expect(answer.headers.get("Access-Control-Allow-Origin")).toBe("*");
      }
    });

    it("answers the preflight of a page of another origin", async () => {
      const answer = await museum.ask(`/iiif/3/${small}/info.json`, {
        method: "OPTIONS",
        headers: { Origin: "https://viewer.example", "Access-Control-Request-Method": "GET" },
      });
      expect([answer.status, answer.headers.get("Access-Control-Allow-Origin")]).toEqual([204, "*"]);
    });
  });

  const pictures = [
    ["with a pyramid", () => tiled, LARGE],
    ["from the original", () => plain, LARGE],
    ["of a small picture", () => small, SMALL],
  ] as const;
  describe.each(database === quickest ? pictures : [])("pixels %s", (_, id, original) => {
    /** Checks the middle of every square that lies completely in the image. */
    async function expectSquares(path: string, map: (x: number, y: number) => [number, number] | null) {
      const shown = await image(`${id()}/${path}`);
      let looked = 0;
      for (let x = 50; x < original.width; x += 100) {
        for (let y = 50; y < original.height; y += 100) {
          const place = map(x, y);
          if (place === null) continue;
          const [at, down] = place.map(Math.floor) as [number, number];
          looked += 1;
          const found = shown.at(at, down);
          if (difference(found, colourAt(x, y)) > LOSSY)
            expect.fail(`${path}: ${found} instead of ${colourAt(x, y)} at ${at},${down}`);
        }
      }
      expect(looked).toBeGreaterThan(0);
      return shown;
    }

    inLong(it)("are right for full/max in every format", async () => {
      for (const [format, type] of [
        ["jpg", "image/jpeg"],
        ["png", "image/png"],
        ["webp", "image/webp"],
        ["tif", "image/tiff"],
      ]) {
        const answer = await get(`${id()}/full/max/0/default.${format}`);
        expect(answer.headers.get("Content-Type")).toBe(type);
        const shown = await expectSquares(`full/max/0/default.${format}`, (x, y) => [x, y]);
        expect([shown.width, shown.height]).toEqual([original.width, original.height]);
      }
    });

    it("are right for regions in pixels and percent, and for the square", async () => {
      await expectSquares("100,100,200,100/max/0/default.png", (x, y) =>
        x > 100 && x < 300 && y > 100 && y < 200 ? [x - 100, y - 100] : null,
      );
      const { width, height } = await expectSquares("pct:50,50,50,50/max/0/default.png", (x, y) =>
        x > original.width / 2 && y > original.height / 2
          ? [x - original.width / 2, y - original.height / 2]
          : null,
      );
      expect([width, height]).toEqual([original.width / 2, original.height / 2]);
      const left = (original.width - original.height) / 2;
      await expectSquares("square/max/0/default.jpg", (x, y) =>
        x - 50 >= left && x + 50 < left + original.height ? [x - left, y] : null,
      );
      const over = await image(
        `${id()}/${original.width - 50},${original.height - 60},500,500/max/0/default.jpg`,
      );
      expect([over.width, over.height]).toEqual([50, 60]);
    });

    inLong(it)("are right for smaller, distorted, confined and enlarged sizes", async () => {
      const scale =
        (width: number, height: number) =>
        (x: number, y: number): [number, number] => [
          (x * width) / original.width,
          (y * height) / original.height,
        ];
      const [w, h] = [original.width, original.height];
      for (const [text, width, height] of [
        [`${w / 2},`, w / 2, h / 2],
        [`,${h / 2}`, w / 2, h / 2],
        ["pct:50", w / 2, h / 2],
        [`${w / 2},${h}`, w / 2, h],
        [`!${w},${h / 2}`, w / 2, h / 2],
        ["!9000,9000", w, h],
        [`^${w * 2},`, w * 2, h * 2],
        [`^pct:150`, w * 1.5, h * 1.5],
        [`^${w},${h * 2}`, w, h * 2],
      ] as const) {
        const shown = await expectSquares(`full/${text}/0/default.jpg`, scale(width, height));
        expect([text, shown.width, shown.height]).toEqual([text, width, height]);
      }
      expect(await statusOf(`${id()}/full/${w + 1},/0/default.jpg`)).toBe(400);
    });

    inLong(it)("are right if the image is mirrored and rotated", async () => {
      const [w, h] = [original.width - 1, original.height - 1];
      await expectSquares("full/max/90/default.png", (x, y) => [h - y, x]);
      await expectSquares("full/max/180/default.png", (x, y) => [w - x, h - y]);
      await expectSquares("full/max/270/default.png", (x, y) => [y, w - x]);
      await expectSquares("full/max/!0/default.png", (x, y) => [w - x, y]);
      await expectSquares("full/max/!90/default.png", (x, y) => [h - y, w - x]);
      await expectSquares("full/max/!180/default.png", (x, y) => [x, h - y]);
      await expectSquares("0,0,200,100/100,50/!270/default.png", (x, y) =>
        x < 200 && y < 100 ? [y / 2, x / 2] : null,
      );
    });

    it("are right at an angle, with empty corners", async () => {
      const png = await image(`${id()}/0,0,200,100/max/30/default.png`);
      expect([png.width, png.height]).toEqual([223, 187]);
      expect(png.at(1, 1)[3]).toBe(0);
      expect(png.at(111, 93)[3]).toBe(255);
      const jpg = await image(`${id()}/0,0,200,100/max/30/default.jpg`);
      expect(difference(jpg.at(1, 1), [255, 255, 255])).toBeLessThan(LOSSY);
    });

    it("are right in grey and bitonal", async () => {
      const grey = await image(`${id()}/full/max/0/gray.png`);
      const bitonal = await image(`${id()}/full/max/0/bitonal.png`);
      for (let x = 50; x < original.width; x += 100) {
        const [red, green, blue] = colourAt(x, 50);
        const luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
        const value = grey.at(x, 50);
        expect(new Set(value).size).toBe(1);
        expect(Math.abs(value[0]! - luma)).toBeLessThan(60);
        if (Math.abs(value[0]! - 128) > 2) expect(bitonal.at(x, 50)[0]).toBe(value[0]! > 128 ? 255 : 0);
      }
    });
  });

  onceFor(database)("nothing is lost of a lossless picture", async () => {
    const shown = await image(`${small}/10,20,250,150/max/0/default.png`);
    for (let x = 0; x < 250; x += 7)
      for (let y = 0; y < 150; y += 7) expect(shown.at(x, y)).toEqual([...colourAt(x + 10, y + 20)]);
  });

  onceFor(database)(
    "a tile comes unchanged from the pyramid, the same as a rendered one pixel for pixel",
    async () => {
      const { services } = museum;
      for (const [region, size] of [
        ["0,0,512,512", "512,512"],
        ["512,512,512,512", "512,"],
        ["1024,0,512,512", "max"],
        ["0,0,1024,1024", "512,512"],
        ["1024,0,1024,1024", "512,"],
      ]) {
        const answer = await get(`${tiled}/${region}/${size}/0/default.jpg`);
        const [left = 0, top = 0, side = 0] = region!.split(",").map(Number);
        const page = Math.log2(side / 512);
        const made = await services.images.render(
          `test ${region}`,
          {
            ...{ key: `pyramids/${tiled}.tif`, page, width: 512, height: 512 },
            region: { x: left / 2 ** page, y: top / 2 ** page, width: 512, height: 512 },
            ...{ mirror: false, rotation: 0, quality: "default", format: "png" },
          },
          new AbortController().signal,
        );
        const [given, drawn] = await Promise.all([pixelsOf(answer), pixelsOf(made!)]);
        expect([given.width, given.height]).toEqual([512, 512]);
        for (let x = 0; x < 512; x += 3)
          for (let y = 0; y < 512; y += 5)
            if (difference(given.at(x, y), drawn.at(x, y)) > 0) expect.fail(`${region} differs at ${x},${y}`);
      }
    },
  );

  onceFor(database)("every tile that a viewer may request is delivered, at every scale", async () => {
    const { tiles } = await json(await get(`${tiled}/info.json`));
    let seen = 0;
    for (const factor of tiles[0].scaleFactors as number[]) {
      const step = 512 * factor;
      for (let x = 0; x < LARGE.width; x += step) {
        for (let y = 0; y < LARGE.height; y += step) {
          const [w, h] = [Math.min(step, LARGE.width - x), Math.min(step, LARGE.height - y)];
          const [width, height] = [Math.ceil(w / factor), Math.ceil(h / factor)];
          const shown = await image(`${tiled}/${x},${y},${w},${h}/${width},${height}/0/default.jpg`);
          expect([shown.width, shown.height]).toEqual([width, height]);
          const found = shown.at(Math.floor(50 / factor), Math.floor(50 / factor));
          if (factor < 4 && x % 100 < 25 && y % 100 < 25)
            expect(difference(found, colourAt(x + 50, y + 50))).toBeLessThan(LOSSY);
          seen += 1;
        }
      }
    }
    expect(seen).toBeGreaterThan(20);
  });

  it("a request that is wrong in any part is refused with 400 and a sentence", async () => {
    for (const path of [
      "frobnicate/max/0/default.jpg",
      "0,0,0,0/max/0/default.jpg",
      "5000,5000,10,10/max/0/default.jpg",
      "pct:1e1,0,10,10/max/0/default.jpg",
      "full/frobnicate/0/default.jpg",
      "full/0,/0/default.jpg",
      "full/max/frobnicate/default.jpg",
      "full/max/400/default.jpg",
      "full/max/0/frobnicate.jpg",
      "full/max/0/default.frobnicate",
      `${"9".repeat(9_000)}/max/0/default.jpg`,
      `full/${"%C3%A4".repeat(1_500)}/0/default.jpg`,
    ]) {
      const answer = await get(`${small}/${path}`);
      const { detail } = await json(answer);
      expect([path.slice(0, 50), answer.status, detail.length > 20 && detail.length < 300]).toEqual([
        path.slice(0, 50),
        400,
        true,
      ]);
    }
    expect(await statusOf(`${small}/full/max/0/default.jp2`)).toBe(501);
  });

  it("an invalid or unknown identifier is not found, however it is written", async () => {
    for (const identifier of [
      "frobnicate",
      "00000000-0000-4000-8000-000000000000",
      `${small}%2Fother`,
      `..%2F..%2Foriginals%2F${small}.png`,
      "[frob]",
      "%5Bfrob%5D",
      "%E2%98%83",
      "%E0%A4%A",
      "%FF",
      `${small}.png.png`,
      `${small}.`,
      `originals%2F${small}.png`,
      "x".repeat(10_000),
    ]) {
      for (const rest of ["", "/info.json", "/full/max/0/default.jpg"]) {
        const answer = await get(`${identifier}${rest}`);
        expect([identifier.slice(0, 60), rest, answer.status]).toEqual([identifier.slice(0, 60), rest, 404]);
      }
    }
    expect(await statusOf(`${small}%00/info.json`)).toBe(400);
    // %2D is a hyphen, and an id may be in capitals
    expect(await statusOf(`${small.replaceAll("-", "%2D")}/full/max/0/default.jpg`)).toBe(200);
    expect(await statusOf(`${small.toUpperCase()}/full/10,/0/default.jpg`)).toBe(200);
    expect(await statusOf(`${small}/full/%5E600%2C/0/default.jpg`)).toBe(200);
  });

  it("an image has its canonical address, its profile, an ETag and a time for caches", async () => {
    const answer = await get(`${tiled}/pct:0,0,50,50/525,/0/color.jpg`);
    expect(answer.headers.get("Link")).toBe(
      '<http://iiif.io/api/image/3/level2.json>;rel="profile", ' +
        `<http://127.0.0.1:8000/iiif/3/${tiled}.png/0,0,1050,650/525,325/0/default.jpg>;rel="canonical"`,
    );
    expect(answer.headers.get("Cache-Control")).toMatch(/^public, max-age=\d+$/);
    expect(answer.headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(answer.headers.get("Last-Modified")).not.toBeNull();
    const bytes = await answer.arrayBuffer();
    expect(answer.headers.get("Content-Length")).toBe(String(bytes.byteLength));
    const again = await get(`${tiled}/pct:0,0,50,50/525,/0/color.jpg`, {
      "If-None-Match": answer.headers.get("ETag")!,
    });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    const head = await museum.ask(`/iiif/3/${tiled}/full/max/0/default.jpg`, { method: "HEAD" });
    expect([head.status, head.headers.get("Content-Type"), await head.text()]).toEqual([
      200,
      "image/jpeg",
      "",
    ]);
    const staff = await editor(`/iiif/3/${tiled}/full/max/0/default.jpg`);
    expect(staff.headers.get("Cache-Control")).toBe("private, no-store");
    await staff.body?.cancel();
    const info = await get(`${tiled}/info.json`);
    const unchanged = await get(`${tiled}/info.json`, { "If-None-Match": info.headers.get("ETag")! });
    expect(unchanged.status).toBe(304);
  });

  it("a picture that visitors may not see has no information, tile or thumbnail for them", async () => {
    const picture = await squares(300, 100).png().toBuffer();
    const hidden = await hang(editor, picture, "hidden.png", { visibility: "private" });
    const paths = ["", "/info.json", "/full/max/0/default.jpg", "/0,0,100,100/50,/0/default.png"];
    for (const path of paths) {
      const [there, nowhere] = await Promise.all(
        [hidden, hidden.replace(/^.{8}/, "00000000")].map(async (id) => {
          const answer = await get(`${id}${path}`);
          return [answer.status, (await json(answer)).detail.replaceAll(id, "")];
        }),
      );
      expect(there).toEqual(nowhere);
      expect(there![0]).toBe(404);
      const staff = await editor(`/iiif/3/${hidden}${path}`);
      expect([path, staff.status]).toEqual([path, path === "" ? 303 : 200]);
      await staff.body?.cancel();
    }
    // the image cached for staff is not given to visitors
    expect(await statusOf(`${hidden}/full/max/0/default.jpg`)).toBe(404);
  });

  it("a withdrawn picture is gone at once", async () => {
    const object = (await json(await editor(`/v1/objects?page_size=1&sort_by=created_at&sort_dir=asc`)))
      .items[0].id;
    const tile = `${tiled}/0,0,512,512/512,/0/default.jpg`;
    expect(await statusOf(tile)).toBe(200);
    await editor(`/v1/objects/${object}/status`, { json: { status: "draft" } });
    expect(await statusOf(tile)).toBe(404);
    await editor(`/v1/objects/${object}/publish`, { method: "POST" });
    expect(await statusOf(tile)).toBe(200);
  });

  it("a file that is not a picture has no image", async () => {
    const document = Buffer.from("%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF");
    const id = await hang(editor, document, "letter.pdf");
    for (const path of ["", "/info.json", "/full/max/0/default.jpg"])
      expect(await statusOf(`${id}${path}`)).toBe(404);
  });
});
