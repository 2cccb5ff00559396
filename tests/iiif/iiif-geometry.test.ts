/** What an image request means, and how many pixels it takes: the specification's own examples, and edge cases. */
import { describe, expect, it } from "vitest";
import { canonicalOf } from "../../src/iiif/canonical.ts";
import { type Area, limitsOf, plan } from "../../src/iiif/geometry.ts";
import { infoOf } from "../../src/iiif/info.ts";
import { readRequest } from "../../src/iiif/request.ts";
import type { Problem } from "../../src/problem.ts";

const SPEC: Area = { width: 300, height: 200 };

function ask(path: string, image: Area = SPEC) {
  const [region = "", size = "", rotation = "", quality = ""] = path.split("/");
  return plan(readRequest({ region, size, rotation, quality }), image);
}
function refused(path: string, image: Area = SPEC): { status: number; message: string } {
  try {
    ask(path, image);
  } catch (error) {
    return { status: (error as Problem).status, message: (error as Problem).message };
  }
  return { status: 200, message: "" };
}
const region = (text: string, image?: Area) => ask(`${text}/max/0/default.jpg`, image).region;
const size = (text: string, image?: Area, of = "full") => {
  const { width, height } = ask(`${of}/${text}/0/default.jpg`, image);
  return [width, height];
};

describe("the region", () => {
  it.each([
    ["full", 0, 0, 300, 200],
    ["square", 50, 0, 200, 200],
    ["125,15,120,140", 125, 15, 120, 140],
    ["pct:41.6,7.5,40,70", 125, 15, 120, 140],
    ["125,15,200,200", 125, 15, 175, 185],
    ["pct:41.6,7.5,66.6,100", 125, 15, 175, 185],
    ["pct:0,0,100,100", 0, 0, 300, 200],
    ["pct:.5,0,1.,50.50", 2, 0, 3, 101],
    ["299,199,1,1", 299, 199, 1, 1],
    ["0,0,999999999999,1", 0, 0, 300, 1],
  ])("%s", (text, x, y, width, height) => expect(region(text)).toEqual({ x, y, width, height }));

  it("square is the middle of a tall picture", () =>
    expect(region("square", { width: 200, height: 301 })).toEqual({ x: 0, y: 50, width: 200, height: 200 }));

  it.each([
    "300,0,1,1",
    "0,200,1,1",
    "0,0,0,10",
    "0,0,10,0",
    "pct:100,0,10,10",
    "pct:0,0,0,10",
    "pct:0,0,0.001,10",
    "pct:1e1,0,10,10",
    "pct:-1,0,10,10",
    "-1,0,10,10",
    "+1,0,10,10",
    "1.5,0,10,10",
    "0,0,10",
    "0,0,10,10,10",
    "0, 0,10,10",
    "pct:0,0,10",
    "FULL",
    "",
    "everything",
    "0x1,0,10,10",
    "NaN,0,1,1",
    "1".repeat(10_000),
  ])("%s is refused with a sentence", (text) => {
    const { status, message } = refused(`${text}/max/0/default.jpg`);
    expect([status, message.length < 250, message.length > 20]).toEqual([400, true, true]);
  });
});

describe("the size", () => {
  it.each([
    ["max", 300, 200],
    ["150,", 150, 100],
    [",150", 225, 150],
    ["pct:50", 150, 100],
    ["pct:100", 300, 200],
    ["225,100", 225, 100],
    ["!225,100", 150, 100],
    ["!300,300", 300, 200],
    ["!2000,3000", 300, 200],
    ["^360,", 360, 240],
    ["^,240", 360, 240],
    ["^pct:120", 360, 240],
    ["^360,360", 360, 360],
    ["^!360,360", 360, 240],
    ["^150,", 150, 100],
    ["1,", 1, 1],
    ["!1,1", 1, 1],
    ["pct:0.4", 1, 1],
  ])("%s", (text, width, height) => expect(size(text)).toEqual([width, height]));

  it.each([
    "301,",
    ",201",
    "301,200",
    "300,201",
    "pct:100.5",
    "pct:200",
    "0,",
    ",0",
    "0,0",
    "10,0",
    "!0,10",
    "pct:0",
    "pct:0.1",
    "^0,",
    "^pct:0",
    ",",
    "!,",
    "!10,",
    "^",
    "^^max",
    "full",
    "MAX",
    "pct:",
    "pct:1e1",
    "-1,",
    "1.5,",
    "20000,",
    "^20000,",
    "^16384,1",
    "^9000,9000",
  ])("%s is refused with a sentence", (text) => {
    const { status, message } = refused(`full/${text}/0/default.jpg`);
    expect([status, message.length < 250, message.length > 20]).toEqual([400, true, true]);
  });

  it("beyond the picture is refused without ^, and the sentence says how to enlarge", () =>
    expect(refused("full/400,/0/default.jpg").message).toContain("put ^ before the size"));

  it("max and ^max keep to the announced limits", () => {
    const vast = { width: 19_000, height: 19_000 };
    expect(size("max", vast)).toEqual([10_000, 10_000]);
    expect(size("!19000,19000", vast)).toEqual([10_000, 10_000]);
    expect(refused("full/12000,/0/default.jpg", vast).status).toBe(400);
    expect(size("max", { width: 30_000, height: 1_000 })).toEqual([16_383, 546]);
    for (const image of [{ width: 1, height: 1 }, SPEC, { width: 15_000, height: 1 }, vast]) {
      const { maxWidth, maxHeight, maxArea } = limitsOf(image);
      const [width, height] = size("^max", image) as [number, number];
      expect([width <= maxWidth, height <= maxHeight, width * height <= maxArea]).toEqual([true, true, true]);
      expect(size("^!99999,99999", image)).toEqual([width, height]);
    }
    expect(size("^max", { width: 1, height: 1 })).toEqual([5_000, 5_000]);
  });

  it("of a picture one pixel high is never zero", () => {
    const thread = { width: 15_000, height: 1 };
    expect(size("max", thread)).toEqual([15_000, 1]);
    expect(size("!200,200", thread)).toEqual([200, 1]);
    expect(size("pct:10", thread)).toEqual([1_500, 1]);
  });
});

describe("rotation, quality and format", () => {
  it("are read correctly", () => {
    expect(ask("full/max/!22.5/bitonal.png")).toMatchObject({
      mirror: true,
      rotation: 22.5,
      quality: "bitonal",
      format: "png",
    });
    expect(ask("full/max/360/color.webp")).toMatchObject({ mirror: false, rotation: 0, format: "webp" });
  });

  it.each([
    ["full/max/361/default.jpg", 400],
    ["full/max/-90/default.jpg", 400],
    ["full/max/1e2/default.jpg", 400],
    ["full/max/!/default.jpg", 400],
    ["full/max/90!/default.jpg", 400],
    ["full/max/0/grey.jpg", 400],
    ["full/max/0/Default.jpg", 400],
    ["full/max/0/default", 400],
    ["full/max/0/default.", 400],
    ["full/max/0/default.jpeg", 400],
    ["full/max/0/default.constructor", 400],
    ["full/max/0/default.jp2", 501],
    ["full/max/0/default.pdf", 501],
    ["full/100,/0/default.gif", 501],
  ])("as in %s are refused with %s", (path, status) => {
    const refusal = refused(path);
    expect([refusal.status, refusal.message.length > 20]).toEqual([status, true]);
  });

  it("at an angle need a larger image, which has limits too", () => {
    const large = { width: 9_000, height: 9_000 };
    expect(refused("full/max/45/default.png", large).status).toBe(400);
    expect(refused("full/3000,/45/default.png", large).status).toBe(200);
  });
});

it("images that must be in memory as a whole have a lower limit: rotated ones, and WebP", () => {
  const large = { width: 9_000, height: 9_000 };
  const planned = (path: string) => {
    const [region, size, rotation, quality] = path.split("/") as [string, string, string, string];
    const { width, height } = plan(readRequest({ region, size, rotation, quality }), large);
    return [width, height];
  };
  for (const path of ["full/max/0/default.jpg", "full/max/!0/default.png", "full/max/0/gray.tif"])
    expect(planned(path)).toEqual([9_000, 9_000]);
  for (const way of ["90/default.jpg", "180/default.png", "0/default.webp"]) {
    expect(planned(`full/max/${way}`)).toEqual([5_000, 5_000]);
    expect(refused(`full/9000,/${way}`, large).status).toBe(400);
  }
});

describe("the canonical address", () => {
  it.each([
    ["full/max/0/default.jpg", "full/max/0/default.jpg"],
    ["0,0,300,200/300,/0/color.jpg", "full/max/0/default.jpg"],
    ["pct:0,0,100,100/300,200/360/default.jpg", "full/max/0/default.jpg"],
    ["square/100,/!0/gray.png", "50,0,200,200/100,100/!0/gray.png"],
    ["full/150,/90.0/default.png", "full/150,100/90/default.png"],
    ["full/pct:50/022.50/default.png", "full/150,100/22.5/default.png"],
    ["full/^360,/.5/default.webp", "full/^360,240/0.5/default.webp"],
    ["full/^max/0/bitonal.tif", "full/^max/0/bitonal.tif"],
    ["125,15,200,200/max/0/default.tif", "125,15,175,185/max/0/default.tif"],
    ["full/^150,/0.0000001/default.png", "full/150,100/0.0000001/default.png"],
  ])("of %s is found", (path, canonical) => {
    expect(canonicalOf(ask(path), SPEC)).toBe(canonical);
    expect(canonicalOf(ask(canonical), SPEC)).toBe(canonical);
  });
});

describe("the image information", () => {
  const id = "https://museum.example/iiif/3/x.jpg";

  it("is complete", () => {
    const info = infoOf(id, { width: 6_000, height: 4_001 }, "http://rightsstatements.org/vocab/NoC-US/1.0/");
    expect(Object.keys(info)[0]).toBe("@context");
    expect(info).toEqual({
      "@context": "http://iiif.io/api/image/3/context.json",
      id,
      type: "ImageService3",
      protocol: "http://iiif.io/api/image",
      profile: "level2",
      width: 6_000,
      height: 4_001,
      maxWidth: 16_383,
      maxHeight: 16_383,
      maxArea: 25_000_000,
      sizes: [
        { width: 375, height: 250 },
        { width: 750, height: 500 },
        { width: 1_500, height: 1_000 },
        { width: 3_000, height: 2_000 },
        { width: 6_000, height: 4_001 },
      ],
      tiles: [{ width: 512, height: 512, scaleFactors: [1, 2, 4, 8, 16] }],
      rights: "http://rightsstatements.org/vocab/NoC-US/1.0/",
      preferredFormats: ["jpg"],
      extraFormats: ["webp", "tif"],
      extraQualities: ["color", "gray", "bitonal"],
      extraFeatures: [
        "canonicalLinkHeader",
        "mirroring",
        "profileLinkHeader",
        "rotationArbitrary",
        "sizeUpscaling",
      ],
    });
  });

  it("names only sizes that can be delivered", () => {
    for (const image of [
      SPEC,
      { width: 1, height: 1 },
      { width: 15_000, height: 1 },
      { width: 19_000, height: 19_000 },
    ]) {
      const { sizes, tiles } = infoOf(id, image, null) as {
        sizes: Area[];
        tiles: { scaleFactors: number[] }[];
      };
      for (const { width, height } of sizes)
        expect(size(`${width},${height}`, image)).toEqual([width, height]);
      expect(sizes.length).toBeGreaterThan(0);
      for (const factor of tiles[0]!.scaleFactors) {
        const side = Math.min(512 * factor, image.width);
        const width = Math.ceil(side / factor);
        expect(size(`${width},`, image, `0,0,${side},${512 * factor}`)[0]).toBe(width);
      }
    }
  });

  it.each([
    ["https://creativecommons.org/licenses/by/4.0/", "http://creativecommons.org/licenses/by/4.0/"],
    ["https://www.creativecommons.org/licenses/by/4.0/", "http://creativecommons.org/licenses/by/4.0/"],
    ["https://rightsstatements.org/page/InC/1.0/?language=de", "http://rightsstatements.org/vocab/InC/1.0/"],
    ["https://museum.example/terms", undefined],
    ["ask the museum", undefined],
  ])("gives only rights statements that IIIF allows: %s", (licence, rights) =>
    expect(infoOf(id, SPEC, licence).rights).toBe(rights),
  );
});
