/** Finding in a browser: a registrar asks for an accession number, a maker and a technique, in a list and with Ctrl-K. */
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { axeFaults, demoBrowserHere, hasChromium, noting } from "../../support/programs/demo-browser.ts";

const isHere = hasChromium("finding in a browser");

/** What somebody types, and a record that it finds. */
const QUESTIONS = [
  ["an accession number", "1950.3"],
  ["a maker", "carsten voß"],
  ["a technique", "painting harbour"],
] as const;
const FOUND = "Evening in the Old Harbour";

describe.runIf(isHere)("finding in a browser", () => {
  const demo = demoBrowserHere();
  let page: Page;
  const faults: string[] = [];

  beforeAll(async () => {
    page = noting(await demo.open(), faults);
    await demo.signIn(page);
  });

  it.each(QUESTIONS)("answers %s in the list of objects", async (_, q) => {
    await page.goto("/admin/objects");
    await page.getByLabel("Number, name, maker or any word").fill(q);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\?q=/);
    // only what is in use stands in the address
    expect([...new URL(page.url()).searchParams.keys()]).toEqual(["q"]);
    await page.getByRole("table").getByRole("link", { name: FOUND, exact: true }).waitFor();
  });

  it.each(QUESTIONS)("answers %s with Ctrl-K, by keys alone", async (_, q) => {
    await page.goto("/admin");
    await page.keyboard.press("Control+k");
    await page.keyboard.type(q);
    const hit = page.locator("#palette").getByRole("link", { name: new RegExp(`^${FOUND} OBJ`) });
    await hit.waitFor();
    while (!(await hit.evaluate((link) => link === document.activeElement)))
      await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: FOUND }).waitFor();
  });

  it("finds a name whose last word is not typed to its end", async () => {
    await page.goto("/admin");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("thaysen pott");
    await page
      .locator("#palette")
      .getByRole("link", { name: /^Thaysen Pottery ENT/ })
      .waitFor();
  });

  it("chooses a maker by name while somebody types, and shows columns that stay", async () => {
    await page.goto("/admin/objects");
    await page.getByText("More filters").click();
    const maker = page.getByLabel("Maker", { exact: true }).first();
    await maker.pressSequentially("carst");
    await page.getByRole("option", { name: /Carsten Voß/ }).click();
    await maker.press("Enter");
    await page.waitForURL(/\?maker=Carsten/);
    await page.locator(".column-choice > summary").click();
    const columns = page.locator(".column-choice");
    for (const name of ["Maker", "Location"]) await columns.getByLabel(name, { exact: true }).check();
    await columns.getByRole("button").click();
    await page.getByRole("cell", { name: "Carsten Voß" }).first().waitFor();
    await page.goto("/admin/objects?q=old+harbour");
    await page.getByRole("columnheader", { name: "Location" }).waitFor();
  });

  it("has no barriers on the list and on the page of all kinds, nor on a telephone", async () => {
    for (const width of [1440, 390])
      for (const path of ["/admin/objects?without=location&mine=yes", "/admin/find?q=harbour"]) {
        await page.setViewportSize({ width, height: 900 });
        await page.goto(path);
        expect([path, await axeFaults(page)]).toEqual([path, []]);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect([path, width, wide <= 0]).toEqual([path, width, true]);
      }
    expect(faults).toEqual([]);
  });
});
