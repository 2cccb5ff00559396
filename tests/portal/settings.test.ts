/** The museum's settings: who may change them, what is refused, and that every page shows them safely. */
import { readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, it, vi } from "vitest";
import { resetCatalogue } from "../../src/adapters/database/dump/reset.ts";
import { contrast, GROUNDS, hardToRead, leastContrast, lightened } from "../../src/settings/colours.ts";
import { inLong } from "../support/lane/lane.ts";
import { answered, createObject, type ProblemJson, read } from "../support/museum/catalogue.ts";
import { museumHere } from "../support/museum/museum.ts";

const HOSTILE = `</style></title></script><script>alert(1)</script>"'`;
const MERGE = { "Content-Type": "application/merge-patch+json" };

type Settings = Record<string, unknown> & { logo: { url: string } | null };

const museum = await museumHere({
  env: {
    ...{ STORAGE_BACKEND: "s3", S3_BUCKET: "media", S3_ENDPOINT_URL: "http://127.0.0.1:1" },
    ...{ S3_ACCESS_KEY: "nobody", S3_SECRET_KEY: "listens-there" },
  },
});
let admin = await museum.as("admin");

const change = (json: unknown, headers: Record<string, string> = {}) =>
  admin("/v1/settings", { method: "PATCH", json, headers: { ...MERGE, ...headers } });
const page = async (path = "/", language = "en") => {
  const answer = await museum.ask(path, { headers: { Accept: "text/html", "Accept-Language": language } });
  return { text: await answer.text(), headers: answer.headers };
};
const sendLogo = (body: Uint8Array | string, type = "image/png") =>
  admin("/v1/settings/logo", { method: "PUT", body: body as string, headers: { "Content-Type": type } });
const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: "#14575e80" } });

describe("The settings", () => {
  it("can be changed key by key, and are shown on the next page", async () => {
    expect((await page()).text).toContain("<h1>Collections catalogue</h1>");
    const settings = await read<Settings>(
      change({
        name: { en: "Harbour Museum", de: "Hafenmuseum" },
        sentence: { de: "Ein Haus am Wasser" },
        address: "Harbour 1\n1234 Example",
        homepage_url: "https://museum.example",
        footer_text: { en: "Open every day." },
        footer_links: [{ label: { en: "Imprint" }, url: "/imprint" }],
      }),
    );
    expect(settings).toMatchObject({ name: { en: "Harbour Museum" }, typeface: "serif", logo: null });
    const { text } = await page();
    for (const words of [
      "<title>Harbour Museum</title>",
      "Open every day.",
      "Harbour 1\n1234 Example",
      '<a href="https://museum.example">Harbour Museum</a>',
      '<a href="/imprint">Imprint</a>',
    ])
      expect(text).toContain(words);
    expect((await page("/", "de")).text).toContain("<title>Hafenmuseum</title>");
    await read(change({ name: { de: null } }));
    expect((await page("/", "de")).text).toContain("<title>Harbour Museum</title>");
    expect(await read(change({ name: null, footer_text: null }))).toMatchObject({
      name: {},
      footer_text: {},
    });
  });

  it("can be read and changed only with settings:manage", async () => {
    const [editor, visitor] = [await museum.as("editor"), museum.ask];
    for (const [ask, status] of [
      [editor, 403],
      [visitor, 401],
    ] as const) {
      expect((await ask("/v1/settings")).status).toBe(status);
      expect((await ask("/v1/settings", { method: "PATCH", json: {} })).status).toBe(status);
      const put = { method: "PUT", body: "x", headers: { "Content-Type": "image/png" } };
      expect((await ask("/v1/settings/logo", put)).status).toBe(status);
    }
  });

  it("cannot be changed with an ETag that is out of date", async () => {
    const tag = (await admin("/v1/settings")).headers.get("ETag")!;
    expect((await change({ typeface: "sans" }, { "If-Match": tag })).status).toBe(200);
    expect((await change({ typeface: "serif" }, { "If-Match": tag })).status).toBe(412);
    expect((await page()).text).toMatch(/<style nonce="[^"]+">:root\{--serif:var\(--sans\)\}<\/style>/);
    await read(change({ typeface: "serif" }));
  });

  it("leave an entry in the log of security events", async () => {
    await read(change({ address: "Quay 2" }));
    const { items } = await read<{ items: { event: string; detail: unknown }[] }>(
      (await museum.as("superuser"))("/v1/security-events?event=settings_changed&page_size=1"),
    );
    expect(items[0]!.detail).toEqual({ changed: ["address"] });
  });

  it.each([
    [{ nmae: { en: "x" } }, /^\/nmae .*name/],
    [{ name: { en: "" } }, /^\/name\/en is empty/],
    [{ name: "Harbour" }, /^\/name /],
    [{ logo: null, accent_colour: "teal" }, /^\/accent_colour is not a colour of the form #14575e/],
    [
      { accent_colour: "#ffcc00" },
      /has a contrast of 1\.\d\d with the light background #efeae1; text needs 4\.5/,
    ],
    [{ accent_colour_dark: "#14575e" }, /has a contrast of \d\.\d\d with the dark background #2a2622/],
    [{ homepage_url: "javascript:alert(1)" }, /^\/homepage_url is not a web address/],
    [{ footer_links: [{ label: { en: "x" }, url: "//evil.example" }] }, /^\/footer_links\/0\/url is not/],
    [
      { footer_links: [{ label: { en: "x" }, url: "javascript:alert(1)" }] },
      /^\/footer_links\/0\/url is not/,
    ],
    [{ viewer_url: "https://viewer.example/" }, /^\/viewer_url is not .*\{manifest\}/],
    [{ highlights: [crypto.randomUUID()] }, /^\/highlights\/0 is not a record/],
    [{ highlights: "x" }, /^\/highlights /],
    [{ sentence: { en: "x".repeat(301) } }, /^\/sentence\/en is longer than 300/],
  ])("refuse %j", async (json, sentence) => {
    const before = await read(admin("/v1/settings"));
    const { errors } = await read<ProblemJson>(change(json), 422);
    expect(errors!.map(({ pointer, detail }) => `${pointer} ${detail}`).join("\n")).toMatch(sentence);
    expect(await read(admin("/v1/settings"))).toEqual(before);
  });

  it("are shown as text on every page, even if they are hostile", async () => {
    await read(
      change({
        name: { en: HOSTILE },
        sentence: { en: HOSTILE },
        home_text: { en: HOSTILE },
        address: HOSTILE,
        homepage_url: "https://museum.example/?q='onload=alert(1)",
        footer_text: { en: HOSTILE },
        footer_links: [{ label: { en: HOSTILE }, url: "/x" }],
      }),
    );
    for (const path of ["/", "/search", "/nothing/here", "/admin/sign-in"]) {
      const { text, headers } = await page(path);
      expect(text).not.toContain("<script>alert");
      // inside JSON, a quotation mark cannot end an attribute
      const markup = text.replace(/<script type="application\/ld\+json">[^<]*<\/script>/, "");
      expect(markup).not.toContain("'onload=");
      expect(text).toContain("&lt;script&gt;alert(1)");
      expect(headers.get("Content-Security-Policy")).not.toContain("unsafe-inline");
    }
    await read(change({ name: null, sentence: null, home_text: null, address: null, homepage_url: null }));
    await read(change({ footer_text: null, footer_links: null }));
  });

  inLong(it)("are deleted only by db-reset --all", async () => {
    await read(change({ name: { en: "Kept" } }));
    await resetCatalogue(museum.services.sql, { all: false });
    expect(await read(admin("/v1/settings"))).toMatchObject({ name: { en: "Kept" } });
    await resetCatalogue(museum.services.sql, { all: true });
    expect((await page()).text).toContain("<title>Collections catalogue</title>");
    admin = await museum.as("admin");
  });

  it("can name records of the catalogue as highlights", async () => {
    const { id } = await createObject(await museum.as("editor"), "Shown first");
    expect(await read(change({ highlights: [id] }))).toMatchObject({ highlights: [id] });
    await read(change({ highlights: null }));
  });
});

describe("The accent colour", () => {
  it("is compared with the backgrounds that the style sheet defines", () => {
    const css = readFileSync(join(import.meta.dirname, "../../src/pages/assets/style.css"), "utf8");
    for (const [step, light] of GROUNDS.light.entries())
      expect(css).toContain(`--ground-${step}: light-dark(${light}, ${GROUNDS.dark[step]})`);
    const [, light, dark] = /--accent: light-dark\((#\w+), (#\w+)\)/.exec(css)!;
    expect([hardToRead(light!, "light"), hardToRead(dark!, "dark")]).toEqual([null, null]);
  });

  it("has the contrast that WCAG computes", () => {
    expect(contrast("#000000", "#ffffff")).toBe(21);
    expect(contrast("#767676", "#ffffff")).toBeCloseTo(4.54, 2);
  });

  it.each(["#000000", "#14575e", "#8a1c1c", "#1a1aff", "#6b6356"])(
    "%s becomes a lighter shade that is readable on dark backgrounds",
    (colour) => expect(leastContrast(lightened(colour), "dark").ratio).toBeGreaterThan(5.9),
  );

  it("is used on every page, in light and dark", async () => {
    await read(change({ accent_colour: "#8A1C1C" }));
    const { text } = await page("/search");
    expect(text).toMatch(/:root\{--accent:light-dark\(#8a1c1c,#[0-9a-f]{6}\);/);
    await read(change({ accent_colour_dark: "#ffb4a8" }));
    expect((await page()).text).toContain("--accent:light-dark(#8a1c1c,#ffb4a8);");
    await read(change({ accent_colour: null, accent_colour_dark: null }));
    expect((await page()).text).not.toContain("<style");
  });
});

describe("The logo", () => {
  it("is stored without what cameras and programs wrote into it", async () => {
    for (const format of ["jpeg", "png", "webp"] as const) {
      const { width, height, ...secret } = { width: 40, height: 20, Artist: "Geheimrat" };
      const picture = await sharp({ create: { width, height, channels: 3, background: "#14575e" } })
        .withExif({ IFD0: secret })
        [format]()
        .toBuffer();
      expect(picture.includes("Geheimrat")).toBe(true);
      const logo = await read<{ url: string }>(sendLogo(picture, `image/${format}`));
      expect(logo).toMatchObject({ width, height });
      const shown = Buffer.from(await (await museum.ask(new URL(logo.url).pathname)).arrayBuffer());
      expect(shown.includes("Geheimrat")).toBe(false);
      const pixels = (file: Buffer) => sharp(file, { failOn: "warning" }).raw().toBuffer();
      expect((await pixels(shown)).equals(await pixels(picture))).toBe(true);
      const folder = join(museum.services.config.mediaRoot, "logos");
      for (const name of await readdir(folder))
        expect((await readFile(join(folder, name))).includes("Geheimrat")).toBe(false);
    }
    expect((await admin("/v1/settings/logo", { method: "DELETE" })).status).toBe(204);
  });

  it("is stored under MEDIA_ROOT even if media are in a bucket, may be cached for ever, and can be deleted", async () => {
    const wide = await picture(400, 100).png().toBuffer();
    const logo = await read<{ url: string }>(sendLogo(wide));
    expect(logo).toMatchObject({ width: 400, height: 100 });
    const folder = join(museum.services.config.mediaRoot, "logos");
    expect(await readdir(folder)).toHaveLength(1);
    const path = new URL(logo.url).pathname;
    const answer = await museum.ask(path);
    expect(answer.headers.get("Content-Type")).toBe("image/png");
    expect(answer.headers.get("Cache-Control")).toContain("immutable");
    expect(Buffer.from(await answer.arrayBuffer()).equals(wide)).toBe(true);
    const again = await museum.ask(path, { headers: { "If-None-Match": answer.headers.get("ETag")! } });
    expect(again.status).toBe(304);
    const opened = vi.spyOn(museum.services.localFiles, "get");
    const head = await museum.ask(path, { method: "HEAD" });
    expect([head.status, head.headers.get("Content-Length")]).toEqual([200, `${wide.length}`]);
    expect(opened).not.toHaveBeenCalled();
    opened.mockRestore();
    // a wide logo replaces the name
    expect((await page()).text).toContain(
      `src="${path}" width="400" height="100" alt="Collections catalogue">`,
    );

    const second = await read<{ url: string }>(
      sendLogo(await picture(90, 90).webp().toBuffer(), "image/webp"),
    );
    expect((await museum.ask(path)).status).toBe(404);
    expect(await readdir(folder)).toHaveLength(1);
    expect((await page()).text).toMatch(/alt="">\s*Collections catalogue/);

    expect((await admin("/v1/settings/logo", { method: "DELETE" })).status).toBe(204);
    expect((await museum.ask(new URL(second.url).pathname)).status).toBe(404);
    await expect(readdir(folder)).rejects.toThrow("ENOENT");
    expect(await read<Settings>(admin("/v1/settings"))).toMatchObject({ logo: null });
  });

  it("is refused when it is not a picture, contains scripts, is too large or of another type", async () => {
    const svg = `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`;
    for (const [body, type, status, words] of [
      [svg, "image/png", 415, "SVG"],
      [svg, "image/svg+xml", 415, "SVG"],
      ["no picture", "image/png", 415, "The file is broken, or not a PNG, JPEG or WebP picture"],
      ["", "image/png", 415, "The file is broken, or not a PNG, JPEG or WebP picture"],
      [await picture(10, 10).gif().toBuffer(), "image/png", 415, "PNG, JPEG or WebP"],
      [(await picture(40, 40).png().toBuffer()).subarray(0, 70), "image/png", 415, "incomplete"],
      [await picture(2_100, 2_000).png().toBuffer(), "image/png", 415, "4 million pixels"],
      [new Uint8Array(1024 * 1024 + 1), "image/png", 413, "1 MiB"],
    ] as const) {
      await answered(sendLogo(body, type), status, words);
    }
    await expect(readdir(join(museum.services.config.mediaRoot, "logos"))).rejects.toThrow("ENOENT");
    expect(await read<Settings>(admin("/v1/settings"))).toMatchObject({ logo: null });
  });
});
