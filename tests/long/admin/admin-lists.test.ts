/** Batch edits in a browser: a registrar changes many records by keyboard alone, looks at the result and undoes it. */
import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { axeFaults, demoBrowserHere, hasChromium, noting } from "../../support/programs/demo-browser.ts";

const isHere = hasChromium("batch edits in a browser");

const PAINTINGS = "/admin/objects?subtype=painting&sort=idno&dir=asc";

describe.runIf(isHere)("batch edits in a browser", () => {
  const demo = demoBrowserHere();
  let signedIn: BrowserContextOptions;
  const faults: string[] = [];

  beforeAll(async () => {
    signedIn = await demo.session();
  });

  const openPage = async (options: BrowserContextOptions = {}): Promise<Page> =>
    noting(await demo.open({ ...signedIn, ...options }), faults);

  /** Presses Tab until this element has the focus. */
  async function tabTo(page: Page, there: Locator): Promise<void> {
    await there.waitFor();
    for (let pressed = 0; pressed < 200; pressed++) {
      if (await there.evaluate((element) => element === document.activeElement)) return;
      await page.keyboard.press("Tab");
    }
    throw new Error(`No tabulator leads to ${there}`);
  }

  /** Selects the first three paintings and prepares to add gold leaf to them, by keyboard alone. */
  async function toPreview(page: Page): Promise<void> {
    await page.goto(PAINTINGS);
    for (const place of [0, 1, 2]) {
      await tabTo(page, page.locator("td.pick input").nth(place));
      await page.keyboard.press("Space");
    }
    // from the top, because the button is before the table
    await page.keyboard.press("Home");
    await page.locator("body").evaluate(() => (document.activeElement as HTMLElement).blur());
    await tabTo(page, page.getByRole("button", { name: "Batch edit" }));
    await page.keyboard.press("Enter");
    await page.getByText("3 records are selected").waitFor();
    await tabTo(page, page.locator("select[name=field]"));
    await page.keyboard.type("Material");
    await tabTo(page, page.locator("form:has(select[name=field]) select[name=what]"));
    await page.keyboard.type("Add");
    await tabTo(page, page.getByRole("button", { name: "Continue" }).first());
    await page.keyboard.press("Enter");
    await tabTo(page, page.locator("[name='metadata_/material/0/value']"));
    await page.keyboard.type("gold leaf");
    await tabTo(page, page.getByRole("button", { name: "Preview" }));
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Change 3 records" }).waitFor();
  }

  const golden = async (page: Page): Promise<number> => {
    await page.goto(`${PAINTINGS}&column=material`);
    return page.locator("table.records td", { hasText: "gold leaf" }).count();
  };

  it("are made by keyboard alone, after a preview, and undone", async () => {
    const page = await openPage();
    await toPreview(page);
    expect(await page.locator("ins", { hasText: "gold leaf" }).count()).toBe(3);
    const result = page.url();
    expect(await golden(page)).toBe(0);
    await page.goto(result);
    await tabTo(page, page.getByRole("button", { name: "Change 3 records" }));
    await page.keyboard.press("Enter");
    await page.getByText("Done.").waitFor();
    expect(await golden(page)).toBe(3);

    // somebody else changes one of the records
    await page.locator("table.records tbody a").first().click();
    // with its script, which knows the keys
    await page.waitForURL(/\/admin\/objects\/[\da-f-]+/);
    await page.getByText("Add a field").click();
    await page.locator("summary", { hasText: "Edition" }).click();
    await page.getByLabel("Edition").fill("second state");
    await page.keyboard.press("Control+s");
    await page.getByText("Saved", { exact: true }).waitFor();

    await page.goto(result);
    await tabTo(page, page.getByRole("button", { name: "Undo this change" }));
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "This batch edit has been partly undone" }).waitFor();
    expect(await page.getByText(/edited since by/).count()).toBe(1);
    expect(await golden(page)).toBe(1);
    await page.context().close();
    expect(faults).toEqual([]);
  });

  it("show how many records are selected, and select all on a page at once", async () => {
    const page = await openPage();
    await page.goto(PAINTINGS);
    const boxes = await page.locator("td.pick input").count();
    await page.getByLabel("Select all on this page").check();
    expect(await page.locator("td.pick input:checked").count()).toBe(boxes);
    await page.getByText(`${boxes} selected`).waitFor();
    // a range with the shift key, which unticks, too
    const box = (place: number) => page.locator("td.pick input").nth(place);
    const ticked = () => page.locator("td.pick input:checked").count();
    await box(1).click();
    await box(3).click({ modifiers: ["Shift"] });
    expect(await ticked()).toBe(boxes - 3);
    await box(3).click({ modifiers: ["Shift"] });
    await page.getByText(`${boxes - 2} selected`).waitFor();
    await page.context().close();
  });

  it("choose all that a list finds, in a bar that stays in sight", async () => {
    const page = await openPage({ viewport: { width: 1440, height: 600 } });
    await page.goto("/admin/objects");
    const output = page.locator("[data-picked]");
    const bar = page.getByRole("button", { name: "Batch edit" });
    expect(await output.isVisible()).toBe(false);
    expect(await page.getByLabel("Which records").isVisible()).toBe(false);
    await page.locator("td.pick input").last().check();
    const isInView = (box: { y: number; height: number } | null) =>
      box && box.y >= 0 && box.y + box.height <= 600;
    expect(isInView(await bar.boundingBox())).toBe(true);
    await page.getByLabel("Select all on this page").check();
    await page.getByRole("button", { name: /^Select all \d+ results$/ }).click();
    const all = Number(/All (\d+) results are selected/.exec((await output.textContent())!)![1]);
    // one that is not meant, and all again
    await page.locator("td.pick input").first().uncheck();
    await page.getByText("49 selected").waitFor();
    await page.locator("td.pick input").first().check();
    await page.getByRole("button", { name: /^Select all / }).click();
    await bar.click();
    await page.getByText(`${all} records are selected.`).waitFor();
    await page.context().close();
  });

  it.each([
    { width: 320, colorScheme: "light" },
    { width: 1440, colorScheme: "dark" },
  ] as const)(
    "have pages that pass axe at $width px in $colorScheme colours",
    async ({ width, colorScheme }) => {
      const page = await openPage({ viewport: { width, height: 900 }, colorScheme });
      const look = async () => {
        const path = new URL(page.url()).pathname;
        expect([path, ...(await axeFaults(page))]).toEqual([path]);
        const isWider = () => document.documentElement.scrollWidth > innerWidth;
        expect(await page.evaluate(isWider), `${path} scrolls sideways`).toBe(false);
      };
      await page.goto(PAINTINGS);
      await page.locator(".views summary").click();
      await page.locator(".column-choice summary").click();
      await page.getByLabel("Name of the view").fill("Paintings");
      await look();
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByRole("navigation", { name: "Views" }).waitFor();
      await page.locator(".views summary").click();
      await look();
      await page.getByRole("button", { name: "Delete Paintings" }).click();
      await page.locator("td.pick input").first().check();
      await page.getByRole("button", { name: "Batch edit" }).click();
      await look();
      const choice = page.url();
      await page.goto(`${choice}?field=material&what=set`);
      await look();
      await page.locator("[name='metadata_/material/0/value']").fill("slate");
      await page.getByRole("button", { name: "Preview" }).click();
      await look();
      await page.getByRole("button", { name: /^Change one record/ }).click();
      await page.getByText("Done.").waitFor();
      await look();
      await page.getByRole("button", { name: "Undo this change" }).click();
      await page.getByRole("heading", { name: /has been undone/ }).waitFor();
      await look();
      for (const path of ["/admin/objects/trash", "/admin/storage-locations/trash"]) {
        await page.goto(path);
        await look();
      }
      await page.goto(PAINTINGS);
      await page.locator("table.records tbody a").first().click();
      await page.getByRole("navigation", { name: "In the list" }).waitFor();
      await look();
      await page.context().close();
      expect(faults).toEqual([]);
    },
  );
});
