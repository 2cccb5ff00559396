/** Three makers that are one, in a browser: found, merged from the list, and separated again. */
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { axeFaults, demoBrowserHere, hasChromium, noting } from "../../support/programs/demo-browser.ts";

const isHere = hasChromium("merging in a browser");
/** A directory for screenshots, to look at them. */
const { SCREENSHOTS } = process.env;
const NAMES = ["Oluf Brander", "Brander, Oluf", "O. Brander"];

describe.runIf(isHere)("three makers that are one", () => {
  const demo = demoBrowserHere();
  let page: Page;
  const faults: string[] = [];

  beforeAll(async () => {
    page = noting(await demo.open(), faults);
    await demo.signIn(page);
    for (const [at, name] of NAMES.entries()) {
      await page.goto("/admin/objects/new");
      await page.getByLabel("Title 1", { exact: true }).fill(`Chart ${at + 1}`);
      await page.locator("[name='link/0/value']").pressSequentially(name);
      await page.getByRole("option", { name: `Create “${name}” (Person)` }).click();
      await page.keyboard.press("Control+s");
      await page.waitForURL(/\/admin\/objects\/[0-9a-f-]{36}$/);
    }
  });

  async function look(name: string): Promise<void> {
    expect(await axeFaults(page), name).toEqual([]);
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      const beyond = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        return scrollWidth - clientWidth;
      });
      expect(beyond, `${name} at ${width}`).toBeLessThanOrEqual(0);
      if (SCREENSHOTS)
        await page.screenshot({ path: join(SCREENSHOTS, `${name}-${width}.png`), fullPage: true });
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  }
  const rows = () => page.locator("table.records tbody tr");
  const makersOf = async (title: string) => {
    await page.goto(`/admin/objects?q=${encodeURIComponent(title)}`);
    await page.getByRole("link", { name: title, exact: true }).first().click();
    await page.waitForURL(/\/admin\/objects\/[0-9a-f-]{36}/);
    return page.locator("#links a", { hasText: "Brander" }).allTextContents();
  };

  it("are offered as duplicates", async () => {
    await page.goto("/admin/entities/duplicates");
    expect(await page.getByText("Brander").count()).toBeGreaterThan(1);
    await look("duplicates");
  });

  it("become one, and everything that they made is by that one", async () => {
    await page.goto("/admin/entities?q=brander");
    await expect.poll(() => rows().count()).toBe(3);
    for (let at = 0; at < 3; at++) await rows().nth(at).getByRole("checkbox").check();
    await page.getByRole("button", { name: "Merge …" }).click();
    await page.getByRole("heading", { name: "Merge several records" }).waitFor();
    await look("merge-several");
    await page.getByRole("radio", { name: /^Oluf Brander/ }).check();
    await page.getByRole("button", { name: "Show the result" }).click();
    await page.getByRole("radio", { name: /^Oluf Brander/, checked: true }).waitFor();
    await page.getByRole("button", { name: /^Merge into/ }).click();
    await page.getByText("2 records were merged into").waitFor();
    await look("merged");
    const done = page.url();
    for (const title of ["Chart 1", "Chart 2", "Chart 3"])
      expect([title, await makersOf(title)]).toEqual([title, [expect.stringContaining("Oluf Brander")]]);
    await page.goto(done);
  });

  it("are three again after one click", async () => {
    await page.getByRole("button", { name: "Undo the merge" }).click();
    await page.getByText("The merge is undone.").waitFor();
    for (const [at, name] of NAMES.entries())
      expect(await makersOf(`Chart ${at + 1}`)).toEqual([expect.stringContaining(name)]);
    expect(faults).toEqual([]);
  });
});
