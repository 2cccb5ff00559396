/** The pictures of an object in viewers in a browser: the viewer of its own page, and Mirador at another address. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MIRADOR } from "../../runtimes/runtimes.ts";
import { notTried } from "../../support/lane/skipped.ts";
import { jpeg } from "../../support/museum/media.ts";
import { demoBrowserHere, hasChromium } from "../../support/programs/demo-browser.ts";

const isHere = hasChromium("pictures in viewers");
const hasMirador = existsSync(MIRADOR);
if (!hasMirador) notTried("pictures in Mirador: npm run runtimes installs it");

describe.runIf(isHere)("the pictures of an object", () => {
  const demo = demoBrowserHere();
  let elsewhere: Server;
  let objectId: string;

  beforeAll(async () => {
    const { service, account } = demo;
    const { json: login } = await service.ask("/v1/auth/login", { json: account });
    const headers = { Authorization: `Bearer ${login.access_token}` };
    const { json: made } = await service.ask("/v1/objects", {
      token: login.access_token,
      json: {
        object_type: "photograph",
        status: "public",
        metadata_: { title: [{ value: "Two large pictures" }] },
      },
    });
    objectId = made.id;
    for (const [width, height] of [
      [2600, 1900],
      [1400, 2100],
    ] as const) {
      const form = new FormData();
      form.set("file", new Blob([new Uint8Array(await jpeg(width, height))]), `${width}.jpg`);
      const sent = await fetch(`${service.url}/v1/objects/${objectId}/media`, {
        method: "POST",
        headers,
        body: form,
      });
      expect(sent.status).toBe(201);
    }
    elsewhere = createServer(async (request, response) => {
      if (request.url === "/mirador.js") {
        return response
          .setHeader("Content-Type", "text/javascript; charset=utf-8")
          .end(await readFile(MIRADOR));
      }
      const windows = [{ manifestId: `${service.url}/iiif/presentation/3/objects/${objectId}/manifest` }];
      response
        .setHeader("Content-Type", "text/html")
        .end(`<!doctype html><html lang="en"><meta charset="utf-8"><title>Mirador</title>
        <div id="viewer" style="position: absolute; inset: 0"></div><script src="/mirador.js"></script>
        <script>Mirador.viewer(${JSON.stringify({ id: "viewer", windows })})</script></html>`);
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => void elsewhere?.close());

  /** A page, its errors, and the answers to its requests for images. */
  async function openPage() {
    const page = await demo.browser.newPage({ viewport: { width: 1200, height: 900 } });
    const faults: string[] = [];
    const images: { status: number; path: string; type: string }[] = [];
    page.on("pageerror", (error) => faults.push(String(error)));
    page.on("requestfailed", (request) => faults.push(`${request.url()}: ${request.failure()?.errorText}`));
    page.on("response", (answer) => {
      const { pathname } = new URL(answer.url());
      if (!/^\/iiif\/3\/.*\.(jpg|json)$/.test(pathname)) return;
      images.push({ status: answer.status(), path: pathname, type: answer.headers()["content-type"] ?? "" });
    });
    return { page, faults, images };
  }

  /** Waits until there has been no request for half a second. */
  const settled = (page: Page) => page.waitForLoadState("networkidle");
  const TILE = /\/\d+,\d+,\d+,\d+\/\d+,\d+\/0\/default\.jpg$/;

  it("zoom on the object's own page with every tile, and the keyboard leads back out", async () => {
    const { page, faults, images } = await openPage();
    page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
    await page.goto(`${demo.service.url}/objects/${objectId}`);
    await page.locator("a[data-zoom]").first().press("Enter");
    await page.waitForSelector("dialog.zoom canvas");
    await settled(page);
    const before = images.length;
    for (let step = 0; step < 4; step++) await page.getByRole("button", { name: "Zoom in" }).click();
    await expect.poll(() => images.length).toBeGreaterThan(before);
    await settled(page);
    await page.getByRole("button", { name: "Next" }).click();
    await expect.poll(() => new Set(images.map(({ path }) => path.split("/")[3])).size).toBe(2);
    await settled(page);
    expect(images.filter(({ path }) => TILE.test(path)).length).toBeGreaterThan(4);
    expect(images.filter(({ status }) => status !== 200)).toEqual([]);
    expect(faults).toEqual([]);
    await page.keyboard.press("Escape");
    await page.waitForSelector("dialog.zoom", { state: "hidden" });
    expect(await page.evaluate(() => (document.activeElement as HTMLElement).dataset.zoom)).toContain(
      "info.json",
    );
    await page.close();
  });

  it("can be seen as a whole without scripts", async () => {
    const context = await demo.browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${demo.service.url}/objects/${objectId}`);
    const picture = page.locator("a[data-zoom]").first();
    const answer = await page.goto(`${demo.service.url}${await picture.getAttribute("href")}`);
    expect(answer!.headers()["content-type"]).toBe("image/jpeg");
    await context.close();
  });

  it.runIf(hasMirador)("are shown by Mirador at another address, with every tile", async () => {
    const { page, faults, images } = await openPage();
    const { port } = elsewhere.address() as AddressInfo;
    await page.goto(`http://127.0.0.1:${port}/`);
    await page.waitForSelector(".openseadragon-canvas canvas", { state: "attached" });
    await expect.poll(() => images.some(({ path }) => TILE.test(path)), { timeout: 20_000 }).toBe(true);
    await settled(page);
    expect(await page.textContent("body")).toContain("Two large pictures");
    expect(images.filter(({ status }) => status !== 200)).toEqual([]);
    expect(faults).toEqual([]);
    if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/mirador.png` });
    await page.close();
  });
});
