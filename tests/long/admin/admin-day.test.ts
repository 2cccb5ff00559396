/** The staff interface in a browser: a registrar's day, and every page checked by axe on a telephone and on a large screen. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BrowserContextOptions, Page } from "playwright-core";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { axeFaults, demoBrowserHere, hasChromium, noting } from "../../support/programs/demo-browser.ts";

const isHere = hasChromium("the staff interface in a browser");

/** `first:` the first record of this list. `history:` and the like: that page of the record. */
const PAGES = [
  ...[
    "/admin",
    "/admin/objects",
    "/admin/objects?q=nothing-like-it",
    "/admin/objects/new",
    "first:/admin/objects",
  ],
  ...["first:/admin/entities", "first:/admin/places", "first:/admin/procedures", "first:/admin/collections"],
  ...[
    "first:/admin/storage-locations",
    "/admin/due",
    "/admin/storage",
    "/admin/imports",
    "history:/admin/objects",
  ],
  ...[
    "/admin/users",
    "/admin/users/new",
    "/admin/account",
    "/admin/roles",
    "/admin/roles/editor",
    "/admin/fields",
  ],
  ...[
    "/admin/fields/object",
    "/admin/fields/object/title",
    "/admin/subtypes/object/painting",
    "/admin/vocabularies",
  ],
  ...[
    "/admin/vocabularies/material",
    "/admin/relation-types",
    "/admin/relation-types/created_by",
    "/admin/settings",
  ],
  ...["/admin/jobs", "/admin/backups", "/admin/security"],
  ...["print:/admin/procedures", "card:/admin/objects", "label:/admin/storage-locations"],
];

describe.runIf(isHere)("the staff interface", () => {
  const demo = demoBrowserHere();
  let signedIn: BrowserContextOptions;
  const faults: string[] = [];

  beforeAll(beginSession);

  async function beginSession(): Promise<void> {
    signedIn = await demo.session();
  }

  const openPage = async (options: BrowserContextOptions = {}): Promise<Page> =>
    noting(await demo.open({ ...signedIn, ...options }), faults);

  it("leads from the first word of an object to a page with picture and links, and to its deletion", async () => {
    const page = await openPage();
    await page.goto("/admin/objects");
    await page.getByRole("link", { name: "New record" }).click();
    await page.getByLabel("Title 1", { exact: true }).fill("Compass of the pilot cutter");
    await page
      .getByRole("group", { name: /^Title/ })
      .getByLabel("Language")
      .fill("en");
    await page
      .getByRole("group", { name: /^Title/ })
      .getByRole("button", { name: "Add another" })
      .click();
    await page.getByLabel("Title 2", { exact: true }).fill("Kompass des Lotsenkutters");
    expect(await page.getByText("Unsaved changes", { exact: true }).isVisible()).toBe(true);
    await page.keyboard.press("Control+s");
    await page.waitForURL(/\/admin\/objects\/[0-9a-f-]{36}$/);
    const address = new URL(page.url()).pathname;

    const picture = join(demo.home, "compass.png");
    await writeFile(
      picture,
      await sharp({ create: { width: 800, height: 600, channels: 3, background: "#345" } })
        .png()
        .toBuffer(),
    );
    const second = join(demo.home, "second.png");
    await writeFile(
      second,
      await sharp({ create: { width: 80, height: 60, channels: 3, background: "#543" } })
        .png()
        .toBuffer(),
    );
    const drawing = join(demo.home, "compass.svg");
    await writeFile(drawing, "<svg xmlns='http://www.w3.org/2000/svg'/>");
    await page.getByLabel(/Add pictures and files/).setInputFiles(drawing);
    await page.getByRole("button", { name: "Upload" }).click();
    await page.getByText(/^compass\.svg: .*which can contain scripts; send it as PNG or PDF/).waitFor();
    faults.splice(0, faults.length, ...faults.filter((fault) => !fault.includes("415")));
    await page.getByLabel(/Add pictures and files/).setInputFiles(picture);
    await page.getByRole("button", { name: "Upload" }).click();
    await page.locator(".files img").first().waitFor();

    await page.locator("select[name=relation_type]").selectOption("created_by");
    await page.getByLabel("Name or number", { exact: true }).pressSequentially("Thaysen");
    await page
      .getByRole("option", { name: /Thaysen/ })
      .first()
      .click();
    await page.getByRole("button", { name: "Add link" }).click();
    await page.getByText("The link is added.").waitFor();

    await page.getByRole("button", { name: "Save and publish" }).click();
    await page.getByRole("link", { name: "See it on the portal" }).click();
    await page.getByRole("heading", { name: "Compass of the pilot cutter" }).waitFor();
    // the page of the editor has this heading, too
    await expect.poll(() => page.locator(".media img").count()).toBe(1);

    await page.goto(address);
    const deletion = page.locator("#trash");
    // as if somebody had made the first link in the meantime
    await deletion.locator("[name=force]").evaluate((input) => input.remove());
    const deleteAnyway = async () => {
      await deletion.getByText("Delete this record").click();
      await deletion.getByText(/It is linked with/).waitFor();
      await deletion.getByRole("button", { name: "Delete all the same" }).click();
    };
    await deleteAnyway();
    await page
      .getByText(/is linked with .*remove the links/)
      .first()
      .waitFor();
    // the page of the refused deletion accepts files as well
    expect(new URL(page.url()).pathname).toBe(`${address}/delete`);
    const form = page.locator("[data-upload]");
    const action = (await form.getAttribute("action"))!;
    const sendTo = (to: string) => form.evaluate((element, to) => element.setAttribute("action", to), to);
    // with a wrong token
    await sendTo(`${action}x`);
    await page.getByLabel(/Add pictures and files/).setInputFiles(second);
    await page.getByRole("button", { name: "Upload" }).click();
    await page.getByText(/^second\.png: This form was not sent by a page of this service/).waitFor();
    faults.splice(0, faults.length, ...faults.filter((fault) => !fault.includes("403")));
    await sendTo(action);
    await page.getByRole("button", { name: "Upload" }).click();
    await page.waitForURL((url) => url.pathname === address);
    await expect.poll(() => page.locator(".files img").count()).toBe(2);
    await deleteAnyway();
    await page.getByText("The record is in the trash").waitFor();
    expect((await page.goto(address.replace("/admin", "")))!.status()).toBe(410);
    await page.context().close();
  });

  it("works by the keyboard alone, and without scripts", async () => {
    const page = await openPage({ javaScriptEnabled: false });
    await page.goto("/admin/objects/new");
    await page.getByLabel("Title 1", { exact: true }).focus();
    await page.keyboard.type("Typed without a script");
    await page.keyboard.press("Enter");
    await page.getByText("Saved", { exact: true }).waitFor();
    await page.getByRole("heading", { name: "Typed without a script" }).waitFor();
    await page.context().close();
  });

  it("keeps unsaved text in the browser of its author, until it is saved or the author signs out", async () => {
    const page = await openPage();
    page.on("dialog", (dialog) => dialog.accept());
    const drafts = () =>
      page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("svc-draft:")).length);
    const title = () => page.getByLabel("Title 1", { exact: true });
    await page.goto("/admin/objects/new");
    await title().fill("Kept in the browser");
    const date = page.locator("[data-date]").first();
    await date.fill("um 1888");
    await page.getByText("1888~ (about 1888); your words are kept").waitFor();
    await page
      .getByRole("group", { name: /^Title/ })
      .getByRole("button", { name: "Add another" })
      .click();
    await page.getByLabel("Title 2", { exact: true }).fill("Im Browser behalten");
    await expect.poll(drafts).toBe(1);
    await page.waitForTimeout(700);
    await page.reload();
    await page.getByRole("button", { name: "Restore them" }).click();
    expect([await title().inputValue(), await date.inputValue()]).toEqual(["Kept in the browser", "um 1888"]);
    expect(await page.getByLabel("Title 2", { exact: true }).inputValue()).toBe("Im Browser behalten");
    await page.keyboard.press("Control+s");
    await page.getByText("Saved", { exact: true }).waitFor();
    expect(await drafts()).toBe(0);

    await title().fill("Kept until they leave");
    await expect.poll(drafts).toBe(1);
    // left by somebody who was here before
    await page.evaluate(() => localStorage.setItem("svc-draft:somebody:new-object", "{}"));
    await page.goto("/admin/objects");
    expect(await drafts()).toBe(1);
    // once the session is over, a request for a draft's picture that is still under way would be refused
    await page.waitForLoadState("networkidle");
    await page.evaluate(() => document.querySelector<HTMLFormElement>("[data-sign-out]")!.requestSubmit());
    await page.waitForURL(/sign-in/);
    expect(await drafts()).toBe(0);
    await page.context().close();
    await beginSession();
  });

  it("opens any record or page by a few letters, and shows its keyboard shortcuts", async () => {
    const page = await openPage();
    await page.goto("/admin");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("OBJ-000004");
    await page
      .getByRole("dialog")
      .getByRole("link", { name: /OBJ-000004/ })
      .waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/admin\/objects\/[0-9a-f-]{36}$/);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("new pla");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/admin/places/new");
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    // typed as a character
    await page.getByLabel("Name 1", { exact: true }).fill("");
    await page.getByLabel("Name 1", { exact: true }).pressSequentially("Where?");
    expect(await page.getByRole("dialog").count()).toBe(0);
    page.on("dialog", (dialog) => dialog.accept());
    await page.context().close();
  });

  it("looks up identifiers beside the form, and says if the source is down", async () => {
    const page = await openPage();
    let isDown = true;
    await page.route("**/v1/authorities/gnd?*", (route) =>
      isDown
        ? route.fulfill({ status: 502, body: "{}" })
        : route.fulfill({
            json: {
              items: [
                {
                  uri: "https://d-nb.info/gnd/118540238",
                  label: "Goethe, Johann Wolfgang von",
                  description: "1749–1832",
                },
              ],
            },
          }),
    );
    await page.goto("/admin/entities/new");
    await page.getByRole("button", { name: "GND: Look up" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("searchbox").fill("Goethe");
    await page.keyboard.press("Enter");
    await dialog.getByText("is not available now").waitFor();
    isDown = false;
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: /^Goethe, Johann/ }).click();
    expect(await page.getByLabel("GND", { exact: true }).inputValue()).toBe(
      "https://d-nb.info/gnd/118540238",
    );
    expect(await page.getByLabel("Name 1", { exact: true }).inputValue()).toBe("Goethe, Johann Wolfgang von");
    await page.context().close();
    // these errors were intended
    faults.splice(0, faults.length, ...faults.filter((fault) => !fault.includes("502")));
  });

  it("shows the language of a picture's text beside the text on a telephone", async () => {
    const { json } = await demo.service.ask("/v1/objects?include=media&page_size=50");
    const { id } = json.items.find(({ media }: { media: unknown[] }) => media.length > 0);
    const page = await openPage({ viewport: { width: 360, height: 780 } });
    await page.goto(`/admin/objects/${id}`);
    await page.locator("#media details summary").first().click();
    const [text, language] = await Promise.all(
      ["value", "lang"].map((part) =>
        page.locator(`#media [name="caption/0/${part}"]`).first().boundingBox(),
      ),
    );
    expect(language!.y).toBe(text!.y);
    expect(language!.x).toBeGreaterThan(text!.x + 150);
    await page.context().close();
  });

  it.each([
    { width: 320, colorScheme: "dark" },
    { width: 1440, colorScheme: "light" },
  ] as const)("passes axe at $width px in $colorScheme colours", async ({ width, colorScheme }) => {
    const page = await openPage({ viewport: { width, height: 900 }, colorScheme });
    for (const path of PAGES) {
      let answer = await page.goto(path.replace(/^\w+:/, ""), { waitUntil: "load" });
      if (!path.startsWith("/")) {
        const first = await page.locator("table.records tbody a").first().getAttribute("href");
        const record = first!.split("?")[0];
        answer = await page.goto(path.startsWith("first:") ? first! : `${record}/${path.split(":")[0]}`);
      }
      expect([path, answer!.status()]).toEqual([path, 200]);
      expect([path, ...(await axeFaults(page))]).toEqual([path]);
      const isWider = () => document.documentElement.scrollWidth > innerWidth;
      expect(await page.evaluate(isWider), `${path} scrolls sideways`).toBe(false);
    }
    await page.context().close();
    expect(faults).toEqual([]);
  });
});
