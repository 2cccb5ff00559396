/** The first steps in a browser, from an empty directory: the link of the first start, an account, the guide, the settings. */
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runtimeName } from "../../../src/runtimes/serve.ts";
import { type Started, started } from "../../runtimes/started.ts";
import { axeFaults, hasChromium, openChromium } from "../../support/programs/demo-browser.ts";

const MAIN = fileURLToPath(new URL("../../../cli/svc-manage.mjs", import.meta.url));
const isHere = hasChromium("the first steps in a browser");

const PASSWORD = "seven lanterns at the pier";

describe.runIf(isHere)("the first steps", () => {
  let directory: string;
  let service: Started;
  let browser: Browser;
  let page: Page;
  const faults: string[] = [];

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "svc-first-"));
    const settings = { SVC_DATA_DIR: join(directory, "data"), LOG_FORMAT: "json" };
    service = await started([process.execPath, MAIN, "serve"], settings, runtimeName());
    browser = await openChromium();
    page = await browser.newPage({
      ...{ baseURL: service.url, locale: "en", viewport: { width: 390, height: 844 } },
    });
    page.on("pageerror", (error) => faults.push(String(error)));
  });
  afterAll(async () => {
    await browser?.close();
    await service?.kill("SIGKILL");
    await rm(directory, { recursive: true, force: true });
  });

  /** Nothing is wrong for a screen reader, and nothing is wider than a telephone. */
  async function expectGood(): Promise<void> {
    expect(await axeFaults(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  }

  it("begin with a link, whose code no request contains, and lead to the guide", async () => {
    const link = service.lines.map((line) => /^link: (\S+)$/.exec(line)?.[1]).find(Boolean)!;
    const code = link.split("#code=")[1]!;
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.goto(`/admin#code=${code}`);
    await page.getByRole("heading", { name: "Welcome" }).waitFor();
    expect(page.url()).toBe(`${service.url}/admin/first-account`);
    expect(await page.locator("#code").inputValue()).toBe(code);
    expect(asked.join("\n")).not.toContain(code);
    await expectGood();
    await page.locator("#display_name").fill("Ida Quay");
    await page.locator("#email").fill("ida@museum.example");
    await page.locator("#new_password").fill(PASSWORD);
    await page.locator("#password_again").fill(PASSWORD);
    await page.getByRole("button", { name: "Create my account" }).click();
    await page.getByRole("heading", { name: "First steps" }).waitFor();
    await expectGood();
    expect(existsSync(join(directory, "data", "first-run-credentials.txt"))).toBe(false);
    expect(await page.locator("[aria-current=step] a").textContent()).toBe("Name and logo");
  });

  it("give the museum its logo, name and colour, and tick the step off", async () => {
    await page.locator("[aria-current=step] a").click();
    await page.getByRole("heading", { name: "Settings" }).waitFor();
    await expectGood();
    const buffer = await sharp({ create: { width: 60, height: 20, channels: 3, background: "teal" } })
      .png()
      .toBuffer();
    await page.locator("input[type=file]").setInputFiles({ name: "logo.png", mimeType: "image/png", buffer });
    await page.locator('[name="name/en"]').fill("Harbour Museum");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved").first().waitFor();
    await page.locator(".logo-shown").waitFor();

    await page.getByRole("link", { name: "Colours and typeface" }).click();
    const shown = page.locator("[data-scheme=light] .link");
    await shown.waitFor();
    await page.locator("input[type=color]").first().fill("#7a1f3d");
    expect(await page.locator("#accent_colour").inputValue()).toBe("#7a1f3d");
    expect(await shown.evaluate((link) => getComputedStyle(link).color)).toBe("rgb(122, 31, 61)");
    // the service derives the dark colour: it is not guessed
    expect(await page.locator("[data-scheme=dark]").isHidden()).toBe(true);
    await page.locator("#accent_colour_dark").fill("#ffb4c8");
    expect(await page.locator("[data-scheme=dark]").isVisible()).toBe(true);
    await page.locator("#accent_colour_dark").fill("");
    await expectGood();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved").first().waitFor();

    await page.getByRole("link", { name: "Home page" }).click();
    await page.locator("#highlights").waitFor();
    await expectGood();
    await page.goto("/admin");
    await page.getByRole("heading", { name: "First steps" }).waitFor();
    expect(await page.locator(".first-steps .done a").allTextContents()).toEqual(["Name and logo"]);
    expect(await page.locator("[aria-current=step] a").textContent()).toBe("Your list");
    await expectGood();
    expect(faults).toEqual([]);
  });

  it("end the link: it leads to signing in, where a lost password is spoken of", async () => {
    await page.context().clearCookies();
    await page.goto("/admin/first-account#code=used");
    await page.getByText("its code was used").waitFor();
    await page.getByText("svc-manage reset-admin").waitFor();
    await expectGood();
    await page.locator("#email").fill("ida@museum.example");
    await page.locator("#password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "First steps" }).waitFor();
  });
});
