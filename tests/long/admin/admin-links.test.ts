/** Links in a browser: chosen by name with the keyboard alone, created on the spot, removed and put back. */
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { demoBrowserHere, hasChromium, noting } from "../../support/programs/demo-browser.ts";

const isHere = hasChromium("choosing records in a browser");
/** A directory for screenshots, to look at them. */
const { SCREENSHOTS } = process.env;

describe.runIf(isHere)("links in a browser", () => {
  const demo = demoBrowserHere();
  let page: Page;
  /** The beginning of the title of an object with a picture. */
  let pictured: string;
  const faults: string[] = [];

  beforeAll(async () => {
    page = noting(await demo.open(), faults);
    await demo.signIn(page);
    await page.goto("/admin/objects");
    pictured = (await page.locator("table.records tr:has(img) a[dir]").first().textContent())!.slice(0, 12);
  });

  async function look(name: string): Promise<void> {
    if (!SCREENSHOTS) return;
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await page.evaluate(() =>
        (
          document.querySelector("#links :focus") ?? document.querySelector("#links, .history")
        )?.scrollIntoView({ block: "center" }),
      );
      await page.screenshot({ path: join(SCREENSHOTS, `${name}-${width}.png`) });
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  }
  const box = () => page.getByLabel("Name or number", { exact: true });
  const suggestion = (name: string | RegExp) => page.getByRole("option", { name });

  it("creates a maker before the first save, with the keyboard alone", async () => {
    await page.goto("/admin/objects/new");
    await page.getByLabel("Title 1", { exact: true }).focus();
    await page.keyboard.type("Chart of the Flensburg fjord");
    await page.locator("[name='link/0/type']").focus();
    await page.keyboard.press("Tab");
    await page.keyboard.type("Oluf Brander");
    await suggestion("Create “Oluf Brander” (Person)").waitFor();
    await look("create");
    await page.keyboard.press("ArrowDown");
    expect(await box().getAttribute("aria-activedescendant")).toBe("choices-0");
    await page.keyboard.press("Enter");
    await page.getByText("New: will be created as a draft when you save (Person).").waitFor();
    expect(new URL(page.url()).pathname, "Enter chose, and did not save").toBe("/admin/objects/new");
    await look("created");
    // the fields come anew, and so does what is said of the choice
    const groups = await page.locator("form.editor > .groups").elementHandle();
    await page.getByLabel("Type", { exact: true }).selectOption("print");
    await page.waitForFunction((old) => !old?.isConnected, groups);
    await page.getByText("New: will be created as a draft when you save (Person).").waitFor();
    expect(await page.locator("[data-creates]").first().isVisible()).toBe(false);
    // a second row, for a place that exists
    await page.locator("#links").getByRole("button", { name: "Add another" }).focus();
    await page.keyboard.press("Enter");
    await page.locator("[name='link/1/type']").selectOption("made_at");
    await page.locator("[name='link/1/value']").pressSequentially("Flens");
    await suggestion(/Flensburg/)
      .first()
      .waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    expect(await page.locator("[name='link/1/value']").inputValue()).toMatch(/^Flensburg.* \(PLC-.*\)$/);
    await page.keyboard.press("Control+s");
    await page.waitForURL(/\/admin\/objects\/[0-9a-f-]{36}$/);
    await page.locator("#links").getByRole("link", { name: "Oluf Brander" }).waitFor();
    await page
      .locator("#links")
      .getByRole("link", { name: /Flensburg/ })
      .waitFor();
  });

  it("tells people apart by their years, and objects by their pictures", async () => {
    await box().pressSequentially("Thaysen");
    await suggestion(/Thaysen.*Person · \d{4}/)
      .first()
      .waitFor();
    await look("people");
    await page.keyboard.press("Escape");
    expect(await page.getByRole("listbox", { name: "Suggestions" }).isVisible()).toBe(false);
    await page.locator("select[name=relation_type]").selectOption("part_of");
    await box().fill("");
    await box().pressSequentially(pictured);
    await page.locator(".choices img").first().waitFor();
    await look("objects");
    await page.keyboard.press("Escape");
  });

  it("removes a link and puts it back at once, with the keyboard alone", async () => {
    const before = await page.locator("#links .linked li").allTextContents();
    await page.getByRole("button", { name: /Remove “created by: Oluf Brander”/ }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("The link is removed:").waitFor();
    await look("removed");
    await expect.poll(() => page.locator("#links .linked li").count()).toBe(before.length - 1);
    // the first thing in the section
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.textContent?.trim())).toBe("Put back");
    await page.keyboard.press("Enter");
    // in view, although the address leads to the links
    const told = await page.getByText("The link is back as it was.").boundingBox();
    expect(new URL(page.url()).hash).toBe("#links");
    expect(told!.y > 0 && told!.y < page.viewportSize()!.height).toBe(true);
    expect(await page.locator("#links .linked li").allTextContents()).toEqual(before);
    await page.getByRole("link", { name: "History" }).first().click();
    await page.getByRole("heading", { name: "Version 4" }).waitFor();
    await look("history");
  });

  it("loses nothing of a form beside the record that is refused", async () => {
    await page.goto("/admin/storage-locations");
    await page.locator("table.records tbody a").first().click();
    const numbers = page.locator("[name=numbers]");
    await numbers.fill("OBJ-000001\nOBJ-99\nOBJ-000002");
    const form = page.locator("form:has([name=numbers])");
    await form.locator("[name=note]").fill("Rehang");
    await form.getByRole("button").click();
    await page.getByRole("alert").getByText("OBJ-99").waitFor();
    expect(await numbers.inputValue()).toBe("OBJ-000001\nOBJ-99\nOBJ-000002");
    expect(await form.locator("[name=note]").inputValue()).toBe("Rehang");
  });

  it("reported no error of a script", () => {
    expect(faults).toEqual([]);
  });
});
