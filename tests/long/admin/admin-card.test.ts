/** From a paper card of ten facts to a published record with a picture: how many clicks, pages and keys it takes. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { axeFaults, demoBrowserHere, hasChromium } from "../../support/programs/demo-browser.ts";

const isHere = hasChromium("the editor in a browser");

const CARD = [
  ["Title 1", "The Pilot Cutter Leaving Harbour"],
  ["Object name 1", "painting"],
  ["Creator 1", "Greta Lindqvist"],
  ["Date 1", "um 1887"],
  ["Material 1", "canvas"],
  ["Technique 1", "glazing"],
  ["Dimensions 1", "height 62.5 cm"],
  ["Description 1", "A cutter under full sail leaves the harbour in the evening light."],
  ["Inscription 1", "G. L. 87"],
  ["Acquisition method", "purchase"],
] as const;

describe.runIf(isHere)("the editor", () => {
  const demo = demoBrowserHere();
  let page: Page;

  beforeAll(async () => {
    page = await demo.open();
    await demo.signIn(page);
  });

  const control = (label: string) => page.getByLabel(label, { exact: true });
  const focused = () => page.evaluate(() => (document.activeElement as HTMLInputElement).name);

  /** Faults that axe finds at this width. */
  async function faultsAt(width: number): Promise<string[]> {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    const faults = await axeFaults(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    return faults;
  }

  it("takes a card to a published record with a picture in 15 clicks and 4 pages", async () => {
    const picture = join(demo.home, "cutter.png");
    const blank = { create: { width: 80, height: 60, channels: 3, background: "#345" } } as const;
    await writeFile(picture, await sharp(blank).png().toBuffer());
    await page.goto("/admin/objects");
    let [clicks, loads] = [0, 0];
    page.on("load", () => {
      loads += 1;
    });
    const click = async (name: string, role: "button" | "link" = "button") => {
      clicks += 1;
      await page.getByRole(role, { name, exact: true }).click();
    };

    await click("New record", "link");
    await page.waitForURL("**/new");
    expect(await focused()).toBe("metadata_/title/0/value");
    clicks += 1;
    await control("Type").selectOption("painting");
    await page.locator("#production [id='metadata_/material']").waitFor();
    for (const [index, [label, value]] of CARD.entries()) {
      // the first has the focus already
      if (index > 0) clicks += 1;
      await control(label).fill(value);
    }
    for (const [label] of CARD) {
      const { bottom } = await control(label).evaluate((element) => element.getBoundingClientRect());
      expect([label, bottom <= 900]).toEqual([label, true]);
    }
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await page.getByText("Will be saved as 1887~ (about 1887); your words are kept").waitFor();

    await click("Save");
    await page.waitForURL(/\/admin\/objects\/[0-9a-f-]{36}$/);
    expect(await control("Date as written 1").inputValue()).toBe("um 1887");
    // a picture arrives without losing what is typed meanwhile
    await control("Credit line 1").fill("Bequest of the pilots");
    await page.getByLabel(/Add pictures and files/).setInputFiles(picture);
    await click("Upload");
    await page.locator(".files img").waitFor();
    expect(await control("Credit line 1").inputValue()).toBe("Bequest of the pilots");
    await click("Save and publish");
    await page.getByRole("link", { name: "See it on the portal" }).waitFor();
    expect(await control("Credit line 1").inputValue()).toBe("Bequest of the pilots");
    expect(clicks).toBeLessThanOrEqual(15);
    expect(loads).toBeLessThanOrEqual(4);
  });

  it("is filled in by the keyboard alone, and keeps the focus where it was", async () => {
    await page.goto("/admin/objects/new");
    // the type that was used last
    expect(await control("Type").inputValue()).toBe("painting");
    let stops = 0;
    for (const [label, value] of CARD) {
      const name = await control(label).getAttribute("name");
      while ((await focused()) !== name && stops < 60) {
        await page.keyboard.press("Tab");
        stops += 1;
      }
      await page.keyboard.type(value);
    }
    expect(stops).toBeLessThanOrEqual(30);
    const place = await focused();
    await page.keyboard.press("Control+s");
    await page.waitForURL(/\/admin\/objects\/[0-9a-f-]{36}$/);
    await page.waitForFunction((name) => (document.activeElement as HTMLInputElement).name === name, place);
    await page.keyboard.type(" in 1907");
    await page.keyboard.press("Control+s");
    await page.getByText("Saved", { exact: true }).waitFor();
    await page.waitForFunction((name) => (document.activeElement as HTMLInputElement).name === name, place);
    expect(await control("Acquisition method").inputValue()).toBe("purchase in 1907");
    // said where they are, and what visitors do not see yet is said at the top
    await page.evaluate(() => scrollTo(0, 300));
    await page.keyboard.press("Control+s");
    await page.locator(".bar").getByText("Saved", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Save and publish" }).click();
    await page.locator("main > .note").getByText("Saved", { exact: true }).waitFor();
    expect(await page.evaluate(() => scrollY)).toBe(0);
  });

  it("opens a folded field and types into it at once, and has no fault that axe finds", async () => {
    await page.getByText("Add a field").click();
    await page.locator("summary", { hasText: /^Edition$/ }).click();
    await page.waitForFunction(() => (document.activeElement as HTMLInputElement).name?.includes("edition"));
    await control("Date 1").fill("in the time of the pilots");
    await control("Edition").fill("3 of 20");
    await page.getByRole("button", { name: "Keep the wording only" }).waitFor();
    expect(await faultsAt(1440)).toEqual([]);
    expect(await faultsAt(390)).toEqual([]);
    await page.getByRole("button", { name: "Keep the wording only" }).click();
    await page.waitForFunction(
      () =>
        document.querySelector<HTMLInputElement>("[name='metadata_/date_text/0/value']")?.value ===
        "in the time of the pilots",
    );
    // in the form now, since it has a value
    expect(await page.locator("#production [id='metadata_/edition']").count()).toBe(1);
  });
});
