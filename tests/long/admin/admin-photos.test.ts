/** A folder of photographs in a browser: seen before anything is stored, and complete whatever is killed on the way. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort, type Started } from "../../runtimes/started.ts";
import { jpeg } from "../../support/museum/media.ts";
import { quickest } from "../../support/museum/museum.ts";
import { type Office, openOffice } from "../../support/programs/command.ts";
import { axeFaults, hasChromium, openChromium } from "../../support/programs/demo-browser.ts";

const isHere = hasChromium("photographs in a browser");

const OBJECTS = 12;

describe.runIf(isHere)("a folder of photographs", () => {
  let office: Office;
  let service: Started;
  let token: string;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let home: string;
  let folder: string;

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "svc-photos-"));
    office = await openOffice(quickest);
    office.settings.PORT = await freePort();
    ({ service, token } = await office.serve());
    const lines = Array.from({ length: OBJECTS }, (_, n) => ({
      idno: `1998.${n + 1}`,
      object_type: "photograph",
      metadata_: { title: [{ value: n === 6 ? "Nets drying on the pier" : `Harbour ${n + 1}` }] },
    }));
    for (const json of [...lines, { ...lines[0]!, idno: "1999-1" }, { ...lines[0]!, idno: "1999/1" }])
      expect((await service.ask("/v1/objects", { token, json })).status).toBe(201);
    folder = join(home, "scans");
    await mkdir(join(folder, "versos"), { recursive: true });
    const pictures = Array.from({ length: OBJECTS }, (_, n): [string, Promise<Buffer>] => [
      `1998.${n + 1}.jpg`,
      jpeg(160 + n, 120),
    ]);
    for (const [name, bytes] of [
      ...pictures,
      ["versos/1998-1 verso.jpg", jpeg(120, 160)],
      ["1998.2_copy.jpg", pictures[1]![1]],
      ["1999_1.jpg", jpeg(90, 90)],
      ["IMG_4711.jpg", jpeg(91, 90)],
      ["1998.3 notes.html", Buffer.from("<html><body>Notes</body></html>")],
      ["Thumbs.db", Buffer.from("litter")],
    ] as const)
      await writeFile(join(folder, name), await bytes);
    browser = await openChromium();
    context = await browser.newContext({
      baseURL: service.url,
      locale: "en",
      viewport: { width: 1440, height: 900 },
    });
    page = await context.newPage();
    await page.goto("/admin/sign-in");
    await page.getByLabel("E-mail").fill("admin@example.org");
    await page.getByLabel("Password").fill(office.settings.DEFAULT_ADMIN_PASSWORD!);
    await page.getByRole("main").getByRole("button").click();
    await page.waitForURL("**/admin");
  });
  afterAll(async () => {
    await browser?.close();
    await office?.close();
    await rm(home, { recursive: true, force: true });
  });

  const button = (name: string | RegExp) => page.getByRole("button", { name });
  const row = (file: string) =>
    page.locator(".photo-rows tbody tr", { has: page.locator("td:nth-child(2)", { hasText: file }) });
  const told = () => page.locator("[data-photo-list] output");
  const seen = async (name: string) => {
    if (process.env.SCREENSHOTS)
      await page.screenshot({ path: join(process.env.SCREENSHOTS, `${name}.png`), fullPage: true });
  };

  async function chooseFolder(): Promise<void> {
    await page.goto("/admin/photos");
    await page.getByLabel("A folder with all that is in it").setInputFiles(folder);
    await page.locator(".photo-rows tbody tr").first().waitFor();
    await page.locator(".photo-rows [data-state='checking']").first().waitFor({ state: "detached" });
  }

  /** Faults that axe finds at this width. */
  async function faultsAt(width: number): Promise<string[]> {
    await page.setViewportSize({ width, height: 900 });
    await seen(`photos-${width}`);
    const faults = await axeFaults(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    await page.setViewportSize({ width: 1440, height: 900 });
    return faults;
  }

  async function stored(): Promise<string[]> {
    const { items } = (await service.ask("/v1/objects?page_size=50&include=media", { token })).json;
    type Listed = { idno: string; media: { filename: string }[] };
    return (items as Listed[]).flatMap(({ idno, media }) =>
      media.map(({ filename }) => `${idno} ${filename}`),
    );
  }

  it("is shown with its objects before anything is stored, and has no fault that axe finds", async () => {
    await page.goto("/admin/objects");
    await page.getByRole("main").getByRole("link", { name: "Add photos" }).click();
    await page.waitForURL("**/admin/photos");
    await seen("photos-empty");
    await chooseFolder();
    expect(await page.locator(".photo-rows tbody tr").count()).toBe(17);
    expect(await row("1998.2.jpg").getAttribute("data-state")).toBe("matched");
    expect(await row("1998.2_copy.jpg").textContent()).toContain("the same as");
    expect(await row("1998-1 verso.jpg").getByRole("link").textContent()).toBe("1998.1");
    expect(await row("1999_1.jpg").textContent()).toContain("1999-1, 1999/1");
    expect(await row("IMG_4711.jpg").textContent()).toContain("needs an object");
    await expect.poll(() => row("1998.1.jpg").locator("canvas").getAttribute("height")).toBe("96");
    await page.getByLabel("Only problems").check();
    expect(await page.locator(".photo-rows tbody td:visible").count()).toBe(2 * 5);
    await page.getByLabel("Only problems").uncheck();
    expect([await faultsAt(390), await faultsAt(1440)]).toEqual([[], []]);
    expect(await stored()).toEqual([]);
  });

  it("goes on after the browser, the connection or the service was gone, and nothing is lost or doubled", async () => {
    await page.getByLabel("Rights holder").fill("Harbour museum");
    const chooser = row("IMG_4711.jpg").locator("input");
    await chooser.fill("nets dry");
    await page.getByRole("option", { name: /Nets drying/ }).click();
    expect(await row("IMG_4711.jpg").getByRole("link").textContent()).toBe("1998.7");
    const typed = row("1999_1.jpg").locator("input");
    await typed.fill("1998.9");
    await typed.press("Escape");
    await typed.press("Tab");
    await row("1999_1.jpg").getByRole("link", { name: "1998.9" }).waitFor();

    // the browser is closed in the middle
    let sent = 0;
    await page.route("**/v1/media/batch", async (route) => {
      sent += 1;
      if (sent > 3) await new Promise(() => undefined);
      await route.continue();
    });
    await button(/^Add 16 photos/).click();
    await expect.poll(stored).toHaveLength(3);
    await page.close({ runBeforeUnload: false });
    page = await context.newPage();
    await chooseFolder();
    const there = await page.locator(".photo-rows [data-state='duplicate']").count();
    expect(there).toBeGreaterThan(2);

    // the connection is lost, then the service is killed
    let lost = 0;
    await page.route("**/v1/media/batch", async (route) => {
      lost += 1;
      if (lost === 2) return route.abort("connectionreset");
      if (lost === 4) {
        await service.kill("SIGKILL");
        ({ service, token } = await office.serve());
      }
      return route.continue();
    });
    await page.getByLabel("Visibility").selectOption("private");
    await button(/^Add \d+ photos/).click();
    await expect.poll(() => told().textContent()).toContain("is not answering");
    await expect.poll(() => told().textContent()).toContain("for 12 objects");
    await page.unroute("**/v1/media/batch");
    await seen("photos-done");
    expect(await told().textContent()).toBe("13 photos for 12 objects; 2 without an object; 1 not added");
    expect(await row("1998.3 notes.html").textContent()).toContain("HTML page");
    expect(await stored()).toHaveLength(13);
  });

  it("chosen again changes nothing", async () => {
    const before = await stored();
    await chooseFolder();
    expect(await told().textContent()).toMatch(/^13 photos for 12 objects; 2 without an object/);
    await button("Add 1 photo").click();
    await expect.poll(() => told().textContent()).toContain("1 not added");
    expect(await button(/failed/).isVisible()).toBe(true);
    expect(await stored()).toEqual(before);
  });
});
