/** From a spreadsheet and a folder of photographs to a museum online, in a browser, from an empty directory. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Locator, Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readWrittenDate } from "../../../src/records/dates/readings.ts";
import { runtimeName } from "../../../src/runtimes/serve.ts";
import { type Started, started } from "../../runtimes/started.ts";
import { GENEROUS_LIMITS } from "../../support/generous-limits.ts";
import { jpeg } from "../../support/museum/media.ts";
import { cellsOf, LEFT_OUT, messyList, OBJECTS, shownNumber } from "../../support/museum/messy-list.ts";
import { hasChromium, openChromium } from "../../support/programs/demo-browser.ts";

const MAIN = fileURLToPath(new URL("../../../cli/svc-manage.mjs", import.meta.url));
const isHere = hasChromium("the first hour");

const PASSWORD = "neun Laternen am Deich";
const EMAIL = "ida@museum.example";
/** A rate limit would stop a museum, too. */
const REAL_LIMITS = Object.fromEntries(Object.keys(GENEROUS_LIMITS).map((name) => [name, ""]));
const MOST_CLICKS = 40;

describe.runIf(isHere)("the first hour", () => {
  let directory: string;
  let photos: string;
  let service: Started;
  let browser: Browser;
  let page: Page;
  let token: string;
  let report: string;
  let clicks = 0;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "svc-hour-"));
    photos = join(directory, "Scans");
    await mkdir(join(photos, "Gemälde"), { recursive: true });
    const names = Array.from({ length: OBJECTS - 4 }, (_, n) => photoOf(n + 1));
    for (const name of [...names, "IMG_4711.jpg", "Vereinsausflug.jpg"])
      await writeFile(join(photos, name), await jpeg(64, 48));
    await writeFile(join(directory, "Inventar.xlsx"), messyList());
    const settings = { SVC_DATA_DIR: join(directory, "data"), LOG_FORMAT: "json", ...REAL_LIMITS };
    service = await started([process.execPath, MAIN, "serve"], settings, runtimeName());
    browser = await openChromium();
    page = await browser.newPage({
      baseURL: service.url,
      locale: "de",
      viewport: { width: 1440, height: 900 },
    });
    // 118 photographs may take a busy machine longer than half a minute
    page.setDefaultTimeout(120_000);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.kill("SIGKILL");
    await rm(directory, { recursive: true, force: true });
  });

  const link = (name: string | RegExp) => page.getByRole("link", { name });
  const button = (name: string | RegExp) => page.getByRole("button", { name });
  const seen = async (name: string) => {
    if (process.env.SCREENSHOTS)
      await page.screenshot({ path: join(process.env.SCREENSHOTS, `hour-${name}.png`), fullPage: true });
  };

  async function click(what: Locator): Promise<void> {
    clicks += 1;
    await what.click();
  }
  /** One click into the field. */
  async function fill(what: Locator, text: string): Promise<void> {
    clicks += 1;
    await what.fill(text);
  }
  /** One click to open the dialogue, one to choose. */
  async function choose(
    what: Locator,
    file: string | Parameters<Locator["setInputFiles"]>[0],
  ): Promise<void> {
    clicks += 2;
    await what.setInputFiles(file);
  }

  /** The objects, and all that they are linked with. */
  async function catalogue(): Promise<{ objects: Listed[]; ends: End[] }> {
    const listed = async (path: string) => {
      const address = `/v1/${path}?page_size=200&sort_by=idno&sort_dir=asc&include=media,version`;
      return (await service.ask(address, { token })).json.items as Listed[];
    };
    const ends: End[] = [];
    for (const path of ["entities", "places", "storage-locations"])
      for (const { id } of await listed(path))
        ends.push((await service.ask(`/v1/${path}/${id}?include=relations,version`, { token })).json);
    return { objects: await listed("objects"), ends };
  }

  it("begins with a link, an account, a name and a logo", async () => {
    await page.goto(service.lines.map((line) => /^link: (\S+)$/.exec(line)?.[1]).find(Boolean)!);
    await fill(page.locator("#display_name"), "Ida Kolb");
    await fill(page.locator("#email"), EMAIL);
    await fill(page.locator("#new_password"), PASSWORD);
    await fill(page.locator("#password_again"), PASSWORD);
    await seen("account");
    await click(button("Mein Konto anlegen"));
    await seen("guide");
    await click(link("Name und Logo"));
    const buffer = await sharp({ create: { width: 60, height: 20, channels: 3, background: "teal" } })
      .png()
      .toBuffer();
    await choose(page.locator("input[type=file]"), { name: "logo.png", mimeType: "image/png", buffer });
    await fill(page.locator('[name="name/de"]'), "Heimatmuseum Niederwald");
    await seen("settings");
    await click(button("Speichern"));
    await page.getByText("Gespeichert").first().waitFor();
    await page.locator(".logo-shown").waitFor();
    const { json } = await service.ask("/v1/auth/login", { json: { email: EMAIL, password: PASSWORD } });
    token = json.access_token;
  });

  it("imports the list, joins makers that are there twice, and publishes all", async () => {
    await click(link("Übersicht").first());
    await click(link("Ihre Liste"));
    await choose(page.locator("input[type=file]"), join(directory, "Inventar.xlsx"));
    await click(button("Weiter"));
    await page.locator(".mapping").waitFor();
    await seen("columns");
    expect(await page.locator("[data-left-out] b").textContent()).toBe(LEFT_OUT);
    await click(button("Probelauf"));
    await page.getByText("Ergebnis des Probelaufs").waitFor();
    await seen("tried");
    const same = page.getByRole("button", { name: /^Dasselbe/ });
    while ((await same.count()) > 0) {
      await click(same.first());
      await page.locator("#new-names").waitFor();
    }
    expect(await page.locator("#new-names ~ div b").allTextContents()).toHaveLength(4);
    await seen("joined");
    await click(link("Weiter"));
    await click(button("Jetzt importieren"));
    await page.getByText("Die Liste ist importiert").waitFor();
    await seen("imported");
    report = (await page.locator("main").textContent()) ?? "";
  });

  it("adds the photographs, two of them by hand", async () => {
    await click(page.getByRole("main").getByRole("link", { name: "Fotos hinzufügen" }));
    await choose(page.getByLabel("Ein Ordner mit allem darin"), photos);
    await page.locator(".photo-rows tbody tr").first().waitFor();
    await page.locator(".photo-rows [data-state='checking']").first().waitFor({ state: "detached" });
    await seen("photos");
    const lost = page.locator(".photo-rows [data-state='unmatched'] input");
    expect(await lost.count()).toBe(2);
    for (const number of ["0118", "0119"]) {
      await fill(lost.first(), number);
      await click(page.getByRole("option", { name: new RegExp(number) }));
    }
    await click(button("118 Fotos hinzufügen"));
    await page.getByText("118 Fotos zu 118 Objekten").waitFor();
    await seen("photos-done");
  });

  it("publishes the objects, and their makers too", async () => {
    await click(link("Übersicht").first());
    await seen("guide-later");
    await click(link("Erster Blick"));
    await click(page.getByLabel("Alle auf dieser Seite auswählen"));
    await click(button("Alle 120 Ergebnisse auswählen"));
    await seen("list");
    await click(button("Veröffentlichen …"));
    await seen("preview");
    await click(button("120 Datensätze veröffentlichen"));
    await seen("bulk-done");
    await click(button(/^Diese \d+ auch veröffentlichen/));
    await page.getByText("Die verknüpften Datensätze sind veröffentlicht").waitFor();
    await seen("published");
    expect(clicks).toBeLessThanOrEqual(MOST_CLICKS);
  });

  it("keeps every cell of the list, or reports it", async () => {
    const { objects, ends } = await catalogue();
    expect(objects).toHaveLength(OBJECTS);
    const isKept = (cell: string, all: string) => {
      const { edtf } = readWrittenDate(cell, "de") ?? {};
      return [cell, ...(edtf ? [edtf] : [])].some((text) => all.includes(JSON.stringify(text).slice(1, -1)));
    };
    const lost = objects.flatMap((one, at) => {
      const linked = ends.filter(({ relations }) => relations.some(({ to_idno }) => to_idno === one.idno));
      const all = JSON.stringify({ one, report, linked: linked.map(({ metadata_ }) => metadata_) });
      return cellsOf(at + 1).flatMap((cell) => (isKept(cell, all) ? [] : `${one.idno}: ${cell}`));
    });
    expect(lost).toEqual([]);
    expect(report).toContain(LEFT_OUT);
  });

  it("shows visitors objects with pictures, and their makers", async () => {
    const visitor = await browser.newPage({ baseURL: service.url, locale: "de" });
    await visitor.goto("/");
    await visitor.getByText("Heimatmuseum Niederwald").first().waitFor();
    if (process.env.SCREENSHOTS)
      await visitor.screenshot({ path: join(process.env.SCREENSHOTS, "hour-portal.png"), fullPage: true });
    const found = async (query: string) => (await service.ask(`/portal/v1/search?${query}`)).json;
    expect((await found("type=object")).total).toBe(OBJECTS);
    expect((await found("type=object&has_picture=true")).total).toBe(118);
    await visitor.getByRole("link", { name: "Personen und Organisationen" }).click();
    await visitor.getByRole("link", { name: "Brander, Oluf" }).first().click();
    await visitor.waitForURL("**/entities/*");
    if (process.env.SCREENSHOTS)
      await visitor.screenshot({ path: join(process.env.SCREENSHOTS, "hour-maker.png"), fullPage: true });
    expect(await visitor.locator("main").textContent()).toMatch(/1850[\s\S]*1920/);
    await visitor.close();
  });

  it("changes nothing with the same list and photographs again", async () => {
    const before = await catalogue();
    for (const strategy of ["skip", "merge"]) {
      await page.goto("/admin/imports");
      await page.locator("input[type=file]").setInputFiles(join(directory, "Inventar.xlsx"));
      await button("Weiter").click();
      await page.locator("#upsert_strategy").selectOption(strategy);
      await seen(`again-${strategy}`);
      await button("Jetzt importieren").click();
      await page.getByText("Die Liste ist importiert").waitFor();
      await seen(`again-${strategy}-done`);
      expect(await catalogue()).toEqual(before);
    }
    await page.goto("/admin/photos");
    await page.getByLabel("Ein Ordner mit allem darin").setInputFiles(photos);
    await page.locator(".photo-rows tbody tr").first().waitFor();
    await page.locator(".photo-rows [data-state='checking']").first().waitFor({ state: "detached" });
    expect(await page.locator(".photo-rows [data-state='duplicate']").count()).toBe(118);
    await seen("photos-again");
    expect(await catalogue()).toEqual(before);
  });
});

type Listed = { id: string; idno: string; metadata_: unknown };
type End = Listed & { relations: { to_idno: string }[] };

/** As cameras and people name them. */
function photoOf(n: number): string {
  const number = shownNumber(n);
  if (n % 10 === 3) return `Gemälde/${number}_vorn.jpg`;
  return n % 10 === 6 ? `${number} Rückseite.JPG` : `${number}.jpg`;
}
