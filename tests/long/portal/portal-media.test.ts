/** Pictures, films, sounds and models on the pages of objects, in a browser that reaches no server but the museum's. */
import { readFile } from "node:fs/promises";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { plainPicture } from "../../support/museum/media.ts";
import { axeFaults, demoBrowserHere, hasChromium } from "../../support/programs/demo-browser.ts";
import { ROOT } from "../../support/sources.ts";

const isHere = hasChromium("media on the pages of objects");
const MANY = 40;
const PATIENCE = { timeout: 60_000 };

/** Refers to a texture on another server, as a hostile file may. */
function foreignModel(address: string): Buffer {
  const pad = (bytes: Buffer, filler: string) =>
    Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3, filler)]);
  const points = Buffer.from(new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1]).buffer);
  const json = pad(
    Buffer.from(
      JSON.stringify({
        asset: { version: "2.0" },
        scene: 0,
        scenes: [{ nodes: [0] }],
        nodes: [{ mesh: 0 }],
        meshes: [{ primitives: [{ attributes: { POSITION: 0, TEXCOORD_0: 1 }, material: 0 }] }],
        materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }],
        textures: [{ source: 0 }],
        images: [{ uri: address }],
        buffers: [{ byteLength: points.length }],
        bufferViews: [{ buffer: 0, byteLength: points.length }],
        accessors: [
          { bufferView: 0, componentType: 5126, count: 3, type: "VEC3", min: [0, 0, 0], max: [1, 1, 0] },
          { bufferView: 0, byteOffset: 36, componentType: 5126, count: 3, type: "VEC2" },
        ],
      }),
    ),
    " ",
  );
  const chunk = (type: string, bytes: Buffer) =>
    Buffer.concat([Buffer.from(new Uint32Array([bytes.length]).buffer), Buffer.from(type, "latin1"), bytes]);
  const chunks = Buffer.concat([chunk("JSON", json), chunk("BIN\0", pad(points, "\0"))]);
  const head = Buffer.from(new Uint32Array([2, 12 + chunks.length]).buffer);
  return Buffer.concat([Buffer.from("glTF"), head, chunks]);
}

describe.runIf(isHere)("a visitor of an object's page", () => {
  const demo = demoBrowserHere();
  let token: string;
  const pages: Page[] = [];
  /** What pages asked of other servers, and what they could not do. */
  const asked: string[] = [];
  const faults: string[] = [];

  beforeAll(async () => {
    token = (await demo.service.ask("/v1/auth/login", { json: demo.account })).json.access_token;
  });
  afterEach(async () => {
    for (const page of pages.splice(0)) await page.context().close();
    expect(asked.splice(0)).toEqual([]);
    faults.length = 0;
  });

  async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await demo.open({ viewport: { width: 1200, height: 900 }, ...options });
    pages.push(page);
    await page.context().route(
      (url) => url.origin !== demo.service.url,
      (route) => {
        asked.push(route.request().url());
        return route.abort();
      },
    );
    page.on("pageerror", (error) => faults.push(String(error)));
    page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
    await page.goto(path);
    return page;
  }

  async function objectWith(title: string, files: readonly [string, Uint8Array, object?][]): Promise<string> {
    const metadata_ = { title: [{ value: title }] };
    const json = { object_type: "photograph", status: "public", metadata_ };
    const { id } = (await demo.service.ask("/v1/objects", { token, json })).json;
    for (const [name, bytes, fields = {}] of files) {
      const form = new FormData();
      for (const [field, value] of Object.entries(fields)) form.set(field, value);
      form.set("file", new Blob([bytes as Uint8Array<ArrayBuffer>]), name);
      const headers = { Authorization: `Bearer ${token}` };
      const path = `${demo.service.url}/v1/objects/${id}/media`;
      expect((await fetch(path, { method: "POST", headers, body: form })).status).toBe(201);
    }
    return `/objects/${id}`;
  }

  const fixture = (name: string) => readFile(`${ROOT}tests/fixtures/models/${name}`);

  describe("leafs through many pictures", () => {
    let path: string;
    beforeAll(async () => {
      const picture = await plainPicture();
      const files = Array.from({ length: MANY }, (_, n): [string, Uint8Array, object] => {
        // another file each time
        const bytes = new Uint8Array([...picture, n]);
        return [`${n}.png`, bytes, n === 1 ? { caption: "The verso", rights_holder: "Studio Ebb" } : {}];
      });
      path = await objectWith("Many sheets", files);
    });

    it("by mouse and by keyboard, told where they are and what they see", async () => {
      const page = await open(path);
      expect(await page.getByText("Show 31 more").count()).toBe(1);
      await page.getByRole("link", { name: "Enlarge" }).click();
      const viewer = page.getByRole("dialog", { name: "Many sheets" });
      await viewer.locator("canvas").first().waitFor();
      const counter = viewer.locator(".counter");
      expect(await counter.textContent()).toBe(`1 of ${MANY}`);
      await viewer.getByRole("button", { name: "Next" }).click();
      expect(await counter.textContent()).toBe(`2 of ${MANY}`);
      expect(await viewer.locator(".caption").textContent()).toBe("The verso · ©\u00a0Studio Ebb");
      expect(await axeFaults(page)).toEqual([]);
      // thumbnails far away wait until somebody goes there
      const last = viewer.getByRole("button", { name: `${MANY} of ${MANY}` });
      const isLoaded = () => last.locator("img").evaluate((image) => (image as HTMLImageElement).complete);
      expect(await isLoaded()).toBe(false);
      await page.keyboard.press("ArrowLeft");
      await page.keyboard.press("ArrowLeft");
      expect(await counter.textContent()).toBe(`${MANY} of ${MANY}`);
      await expect.poll(isLoaded).toBe(true);
      expect(await last.getAttribute("aria-current")).toBe("true");
      await viewer.getByRole("button", { name: "Full screen" }).click();
      await page.waitForFunction(() => document.fullscreenElement?.className === "frame");
      await viewer.getByRole("button", { name: "Full screen" }).click();
      await page.waitForFunction(() => !document.fullscreenElement);
      await viewer.getByRole("button", { name: "Close" }).click();
      await viewer.waitFor({ state: "hidden" });
      // the picture that was shown last is hidden in the page
      expect(await page.evaluate(() => document.activeElement?.textContent)).toContain("Enlarge");
      expect(faults).toEqual([]);
    });

    it("by the arrow keys, although the caption takes room from the picture", async () => {
      const { items } = (await demo.service.ask("/portal/v1/search?q=ten+harbour+sheets&type=object")).json;
      const page = await open(`/objects/${items[0].id}`, { viewport: { width: 1440, height: 900 } });
      await page.getByRole("link", { name: "Enlarge" }).click();
      await page.locator("dialog.zoom canvas").first().waitFor();
      await page.waitForLoadState("networkidle");
      await page.keyboard.press("ArrowRight");
      const counter = page.locator("dialog.zoom .counter");
      expect(await counter.textContent()).toBe("2 of 4");
      await page.getByRole("button", { name: "Full screen" }).click();
      await page.waitForFunction(() => document.fullscreenElement?.className === "frame");
      await page.keyboard.press("Escape");
      await page.waitForFunction(() => !document.fullscreenElement && document.activeElement?.matches("a"));
    });

    it("on a phone, where nothing is wider than the window", async () => {
      const page = await open(path, { viewport: { width: 390, height: 844 }, hasTouch: true });
      await page.locator("a[data-zoom]").first().tap();
      await page.locator("dialog.zoom canvas").first().waitFor();
      for (const button of await page.locator("dialog.zoom [data-do]:visible").all()) {
        const box = (await button.boundingBox())!;
        expect(box.x).toBeGreaterThanOrEqual(0);
        expect(box.x + box.width).toBeLessThanOrEqual(390);
        expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(44);
      }
    });
  });

  it("turns models in the page, whatever packs them", async () => {
    const path = await objectWith("Two lenses", [
      ["draco.glb", await fixture("lens-draco.glb")],
      ["meshopt.glb", await fixture("lens-meshopt.glb"), { alt_text: "The lens of the lighthouse" }],
    ]);
    // small, since machines without a graphics card draw slowly
    const page = await open(path, { viewport: { width: 390, height: 400 } });
    for (const figure of await page.locator("figure.model").all()) {
      await figure.scrollIntoViewIfNeeded();
      const isLoaded = () =>
        figure.evaluate(
          (shown) => (shown.querySelector("model-viewer") as { loaded?: boolean } | null)?.loaded,
        );
      await expect.poll(isLoaded, PATIENCE).toBe(true);
    }
    expect(await page.getByLabel(/^The lens of the lighthouse\. Turn it/).count()).toBe(1);
    await page.locator("model-viewer").last().hover();
    const at = await page.evaluate(() => scrollY);
    await page.mouse.wheel(0, -100);
    await expect.poll(() => page.evaluate(() => scrollY), PATIENCE).toBe(at - 100);
    expect(await axeFaults(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it("is told when a model cannot be shown, and can download it", async () => {
    const path = await objectWith("A broken lens", [
      ["broken.glb", Buffer.from("glTF\x02\0\0\0and no more")],
    ]);
    const page = await open(path);
    await page.getByText("This browser cannot show the model").waitFor();
    expect(await page.locator("model-viewer, .model .help").count()).toBe(0);
    expect(await page.getByRole("link", { name: "broken.glb" }).count()).toBe(1);
  });

  it("stays unknown to other servers that a model names", async () => {
    const foreign = "http://127.0.0.1:9/texture.png";
    const page = await open(await objectWith("A hostile lens", [["hostile.glb", foreignModel(foreign)]]), {
      viewport: { width: 390, height: 400 },
    });
    await page.locator("figure.model").scrollIntoViewIfNeeded();
    await expect.poll(() => faults.join(), PATIENCE).toContain(foreign);
    expect(faults.join()).toContain("Content Security Policy");
    expect(await page.getByRole("link", { name: "hostile.glb" }).count()).toBe(1);
  });

  it("reads the captions of a sound below it, in their language", async () => {
    const song = await readFile(`${ROOT}cli/demo/media/pilots-song.wav`);
    const captions = (text: string) =>
      Buffer.from(`\ufeffWEBVTT\n\n00:00.000 --> 00:01.000\n<i>${text}</i>\n`);
    const page = await open(
      await objectWith("A song", [
        ["song.wav", song],
        ["song.de.vtt", captions("Hei, ho")],
        ["song.en.vtt", captions("Hey, ho")],
      ]),
    );
    await page.evaluate(() => {
      document.querySelector("audio")!.currentTime = 0.5;
    });
    await page.locator(".cues[lang=en]", { hasText: "Hey, ho" }).waitFor();
    // as the menu of the player does
    const choose = (language: string) =>
      page.evaluate((chosen) => {
        for (const track of document.querySelector("audio")!.textTracks)
          track.mode = track.language === chosen ? "showing" : "disabled";
      }, language);
    await choose("de");
    await page.locator(".cues[lang=de]", { hasText: "Hei, ho" }).waitFor();
    await choose("off");
    await page.locator(".cues").waitFor({ state: "hidden" });
    await choose("en");
    await page.locator(".cues[lang=en]", { hasText: "Hey, ho" }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it("shows the captions of a film in it, in the reader's language at first", async () => {
    const { items } = (await demo.service.ask("/portal/v1/search?q=regatta+film&type=object")).json;
    const page = await open(`/objects/${items[0].id}`);
    await page.evaluate(() => {
      document.querySelector("video")!.currentTime = 5;
    });
    const shown = () =>
      page.evaluate(() => {
        const tracks = [...document.querySelector("video")!.textTracks];
        return tracks.flatMap(({ language, mode, activeCues }) =>
          mode === "showing" ? [language, ...[...activeCues!].map((cue) => (cue as VTTCue).text)] : [],
        );
      });
    await expect.poll(shown, PATIENCE).toEqual(["en", "The town on the quay. One hat leaves early."]);
    expect(await axeFaults(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it("is known to no other server on any page, also further down", async () => {
    const { items } = (await demo.service.ask("/portal/v1/search?q=lighthouse&type=object")).json;
    const records = items.slice(0, 3).map(({ id }: { id: string }) => `/objects/${id}`);
    expect(records).toHaveLength(3);
    const page = await open("/");
    for (const path of [
      "/search",
      "/browse",
      "/timeline",
      "/collections",
      "/dumps/",
      "/api/docs",
      ...records,
    ]) {
      expect([path, (await page.goto(path))!.status()]).toEqual([path, 200]);
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      await page.waitForLoadState("networkidle");
    }
    expect(asked).toEqual([]);
    expect(faults).toEqual([]);
  });

  it("finds everything without scripts", async () => {
    const path = await objectWith("A quiet lens", [["quiet.glb", await fixture("lens-draco.glb")]]);
    const page = await open(path, { javaScriptEnabled: false });
    expect(await page.getByRole("button", { name: "3D" }).count()).toBe(0);
    const address = await page.getByRole("link", { name: "quiet.glb" }).getAttribute("href");
    const answer = await page.request.get(`${demo.service.url}${address}`);
    expect(answer.headers()["content-type"]).toBe("model/gltf-binary");
  });
});
