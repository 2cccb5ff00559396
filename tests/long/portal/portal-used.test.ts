/** The portal in a browser: with and without scripts, by mouse and by keyboard, and on small screens. */
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterEach, describe, expect, it } from "vitest";
import { demoBrowserHere, hasChromium } from "../../support/programs/demo-browser.ts";

const isHere = hasChromium("the portal in a browser");

describe.runIf(isHere)("a visitor of the portal", () => {
  const demo = demoBrowserHere();
  const pages: Page[] = [];
  afterEach(async () => {
    for (const page of pages.splice(0)) await page.context().close();
  });

  async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await demo.open({ viewport: { width: 1280, height: 900 }, ...options });
    pages.push(page);
    await page.goto(path);
    return page;
  }

  const countOn = async (page: Page): Promise<number> =>
    Number.parseInt((await page.locator("#count").textContent()) ?? "", 10);

  it("searches, filters, pages, opens a record and changes the language without scripts", async () => {
    const page = await open("/", { javaScriptEnabled: false });
    await page.getByRole("searchbox").or(page.getByRole("combobox")).first().fill("harbour");
    await page.keyboard.press("Enter");
    const all = await countOn(page);
    expect(all).toBeGreaterThan(24);
    await page.getByRole("link", { name: "Next" }).click();
    expect(page.url()).toContain("page=2");
    await page.getByRole("link", { name: /^Objects/ }).click();
    await page.getByRole("link", { name: "Photograph" }).click();
    expect(page.url()).toMatch(/q=harbour&type=object&object_type=photograph$/);
    const few = await countOn(page);
    expect(few).toBeLessThan(all);
    await page.getByRole("link", { name: "Deutsch" }).click();
    expect(await page.locator("#count").textContent()).toBe(`${few} Datensätze`);
    await page
      .locator(".chips")
      .getByRole("link", { name: /Fotografie.*entfernen/ })
      .click();
    expect(page.url()).not.toContain("photograph");
    const title = await page.locator(".cards b").first().textContent();
    await page.locator(".cards a").first().click();
    expect(await page.locator("h1").textContent()).toBe(title);
  });

  it("uses the advanced search without scripts, and chooses years beside the histogram", async () => {
    const page = await open("/search/advanced", { javaScriptEnabled: false });
    await page.getByLabel("Field").first().selectOption("title");
    await page.getByLabel("Value").first().fill("harbour");
    await page.getByRole("main").getByRole("button", { name: "Search", exact: true }).click();
    await page.getByText("Title contains harbour").waitFor();
    const all = await countOn(page);
    await page.locator("#from").fill("1890");
    await page.locator("#to").fill("1899");
    await page.getByRole("button", { name: "Apply" }).click();
    expect(page.url()).toMatch(/range_date_from=1890&range_date_to=1899/);
    expect(await countOn(page)).toBeLessThan(all);
  });

  it("gets suggestions while typing, and chooses one by keyboard", async () => {
    const page = await open("/search");
    const box = page.getByRole("combobox");
    await box.pressSequentially("ligh", { delay: 20 });
    const list = page.getByRole("listbox");
    await list.getByRole("option").first().waitFor();
    expect(await box.getAttribute("aria-expanded")).toBe("true");
    await page.keyboard.press("Escape");
    expect(await list.isVisible()).toBe(false);
    await box.pressSequentially("t");
    await list.getByRole("option").first().waitFor();
    await page.keyboard.press("ArrowDown");
    const chosen = list.locator("[aria-selected=true]");
    expect(await box.getAttribute("aria-activedescendant")).toBe(await chosen.getAttribute("id"));
    const words = (await chosen.locator("span").textContent())!;
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.pathname !== "/search" || url.search !== "");
    expect(await page.getByRole("main").textContent()).toContain(words);
  });

  it("selects years in the histogram, and gets the records of those years", async () => {
    const page = await open("/search?type=object");
    const box = (await page.locator("svg.histogram").boundingBox())!;
    const at = (part: number) => [box.x + box.width * part, box.y + box.height / 2] as const;
    await page.mouse.move(...at(0.7));
    await page.mouse.down();
    await page.mouse.move(...at(0.8), { steps: 3 });
    await page.mouse.move(...at(0.98), { steps: 3 });
    await page.mouse.up();
    await page.waitForURL(/range_date_from=\d{4}&range_date_to=\d{4}/);
    expect(await countOn(page)).toBeGreaterThan(0);
    await page.locator(".histogram a").last().click();
    await page.waitForURL(/meta_date=/);
  });

  it("goes from a result to the next one, also on the next page of results, and back", async () => {
    const page = await open("/search?q=harbour");
    const titles = await page.locator(".results li b").allTextContents();
    await page
      .locator(".results li > a")
      .nth(titles.length - 1)
      .click();
    const way = page.getByRole("navigation", { name: "Search results" });
    await way.getByRole("link", { name: "Next" }).click();
    await way.getByRole("link", { name: "Next" }).waitFor();
    // the address is the one that all others have
    expect(page.url()).toMatch(/\/[a-z]+\/[\da-f-]{36}$/);
    const second = await page.locator("h1").textContent();
    await page.reload();
    await way.getByRole("link", { name: "Back to the results" }).click();
    expect(page.url()).toMatch(/\/search\?q=harbour&page=2$/);
    expect(await page.locator(".results li b").first().textContent()).toBe(second);
    await page.locator(".results li > a").first().click();
    await way.getByRole("link", { name: "Previous" }).click();
    await way.getByRole("link", { name: "Next" }).waitFor();
    expect(await page.locator("h1").textContent()).toBe(titles.at(-1));
    const other = await open(new URL(page.url()).pathname);
    expect(await other.getByRole("navigation", { name: "Search results" }).count()).toBe(0);
  });

  it("reaches everything by keyboard: a filter, a record, its picture, and the way back out", async () => {
    const page = await open("/search?q=evening&type=object");
    /** Presses Tab until this element has the focus. */
    const tabTo = async (selector: string) => {
      for (let presses = 0; presses < 120; presses++) {
        await page.keyboard.press("Tab");
        if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
      }
      expect.fail(`${selector} cannot be reached by keyboard`);
    };
    await tabTo(".facet a[href*=painting]");
    await page.keyboard.press("Enter");
    await page.waitForURL(/=painting/);
    await tabTo(".cards li:not(.plain) a");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/objects/**");
    await tabTo("a[data-zoom]");
    await page.keyboard.press("Enter");
    await page.locator("dialog.zoom[open]").waitFor();
    await page.keyboard.press("Escape");
    await page.locator("dialog.zoom").waitFor({ state: "hidden" });
    expect(await page.evaluate(() => document.activeElement?.matches("a[data-zoom]"))).toBe(true);
  });

  /** One page of every kind. */
  async function paths(): Promise<string[]> {
    const records: string[] = [];
    for (const [type, plural] of [
      ["object", "objects"],
      ["entity", "entities"],
      ["place", "places"],
      ["occurrence", "occurrences"],
      ["collection", "collections"],
      ["procedure", "procedures"],
    ]) {
      const { items } = (await demo.service.ask(`/portal/v1/search?type=${type}&sort_by=title`)).json;
      records.push(`/${plural}/${items[0].id}`);
    }
    const [long] = (await demo.service.ask("/portal/v1/search?q=%22true+and+thorough+account%22")).json.items;
    return [
      ...["/", "/search?q=harbour", "/search?view=list&meta_material=paper", "/search?q=xyzzyx"],
      ...["/search/advanced", "/browse", "/browse/subject", "/browse/entities", "/collections"],
      ...["/timeline", "/timeline?century=19XX", "/dumps/", "/nothing/here"],
      ...[...records, `/objects/${long.id}`],
    ];
  }

  it("can read everything at 320 pixels, as on a screen at 400 %, and nothing moves while it loads", async () => {
    const page = await open("/", { viewport: { width: 320, height: 256 } });
    for (const path of await paths()) {
      await page.goto(path);
      expect([path, await page.evaluate(unreadable)]).toEqual([path, []]);
      const moved = await page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            let sum = 0;
            new PerformanceObserver((list) => {
              for (const entry of list.getEntries())
                sum += (entry as PerformanceEntry & { value: number }).value;
            }).observe({ type: "layout-shift", buffered: true });
            setTimeout(() => resolve(sum), 300);
          }),
      );
      expect([path, moved < 0.05]).toEqual([path, true]);
    }
  });

  it.each([390, 1280])("can read everything at twice the font size, %i pixels wide", async (width) => {
    const page = await open("/", { viewport: { width, height: 900 } });
    for (const path of await paths()) {
      await page.goto(path);
      await page.evaluate(() => {
        document.documentElement.style.fontSize = "200%";
      });
      expect([path, await page.evaluate(unreadable)]).toEqual([path, []]);
    }
  });
});

/** What cannot be seen without scrolling sideways, or is cut off. Runs in the page. */
function unreadable(): string[] {
  const { scrollWidth } = document.documentElement;
  const faults = scrollWidth > innerWidth ? [`the page is ${scrollWidth} pixels wide`] : [];
  for (const element of document.querySelectorAll<HTMLElement>("body *")) {
    const { overflowX, textOverflow } = getComputedStyle(element);
    // not what is for screen readers only, nor pictures, which fill their frames
    if (element.closest(".hidden, .tile, svg, input")) continue;
    const isCut = ["hidden", "clip"].includes(overflowX) && textOverflow !== "ellipsis";
    if (isCut && element.scrollWidth > element.clientWidth + 1) faults.push(element.outerHTML.slice(0, 200));
  }
  return faults;
}
