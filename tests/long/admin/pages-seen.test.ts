/** The pages in a browser: on a telephone and on a large screen, in both colour schemes. */
import type { BrowserContext } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { axeFaults, demoBrowserHere, hasChromium, noting } from "../../support/programs/demo-browser.ts";

const isHere = hasChromium("the pages in a browser");

const SCREENS = [
  { width: 390, colorScheme: "dark" },
  { width: 1440, colorScheme: "light" },
] as const;
/** Pages with their status. Those of staff are opened after signing in. */
const PAGES: readonly (readonly [string, number])[] = [
  ["/", 200],
  ["/search", 200],
  ["/search?q=harbour", 200],
  ["/search?q=nothing%20of%20the%20kind", 200],
  ["/search?view=list&meta_date=19XX&object_type=photograph&clause=title:contains:harbour", 200],
  ["/search/advanced", 200],
  ["/browse", 200],
  ["/browse/material", 200],
  ["/browse/entities", 200],
  ["/collections", 200],
  ["/timeline", 200],
  ["/timeline?century=19XX", 200],
  ["/objects/{object}", 200],
  ["/entities/{entity}", 200],
  ["/places/{place}", 200],
  ["/occurrences/{occurrence}", 200],
  ["/collections/{collection}", 200],
  ["/procedures/{procedure}", 200],
  ["/dumps/", 200],
  ["/sparql?query=SELECT%20%3Fs%20%3Fo%20%7B%20%3Fs%20a%20%3Fo%20%7D%20LIMIT%2020", 200],
  ["/admin/sign-in", 200],
  // the demo museum sends no mail
  ["/admin/forgotten", 503],
  ["/admin/reset", 200],
  ["/nothing/here", 404],
  ["/admin", 200],
];

/** Links of lists and tables that are too low to be hit (WCAG 2.2, 2.5.8), in the browser. */
const lowLinks = (): string[] =>
  [...document.querySelectorAll("main :is(li, td, th) > a")]
    .filter((link) => link.checkVisibility() && link.getBoundingClientRect().height < 23.99)
    .map(({ outerHTML }) => outerHTML);

describe.runIf(isHere)("the pages", () => {
  const demo = demoBrowserHere();
  const records = new Map<string, string>();
  beforeAll(async () => {
    for (const type of ["object", "entity", "place", "occurrence", "collection", "procedure"])
      records.set(type, (await demo.service.ask(`/portal/v1/search?type=${type}`)).json.items[0].id);
  });

  describe.each(SCREENS)("$width px wide in $colorScheme colours", ({ width, colorScheme }) => {
    let context: BrowserContext;
    // one context for all pages, which caches styles and scripts as browsers do
    beforeAll(async () => {
      context = await demo.browser.newContext({
        viewport: { width, height: 900 },
        colorScheme,
        baseURL: demo.service.url,
        locale: "en",
      });
    });
    afterAll(() => context.close());

    /** A new page, and the errors that the browser reports for it. */
    async function openPage() {
      const faults: string[] = [];
      const page = noting(await context.newPage(), faults);
      await page.addInitScript(() => {
        addEventListener("securitypolicyviolation", ({ blockedURI, effectiveDirective }) =>
          console.error(`${effectiveDirective} forbids ${blockedURI}`),
        );
      });
      page.on("requestfailed", (request) => faults.push(`${request.url()}: ${request.failure()?.errorText}`));
      return { page, faults };
    }

    async function signIn(): Promise<void> {
      const { page, faults } = await openPage();
      await demo.signIn(page);
      expect(faults).toEqual([]);
    }

    async function opening(path: string) {
      if (path === "/admin") await signIn();
      const { page, faults } = await openPage();
      const answer = await page.goto(
        path.replace(/\{(\w+)\}/, (_, type) => records.get(type)!),
        { waitUntil: "networkidle" },
      );
      return { page, faults, status: answer!.status() };
    }
    /** A page waits until it is idle while the one before it is looked at. */
    const opened = new Map<string, ReturnType<typeof opening>>();

    it.each(PAGES)("%s has no faults", async (path, status) => {
      const next = PAGES[PAGES.findIndex(([one]) => one === path) + 1];
      const { page, faults, ...answer } = await (opened.get(path) ?? opening(path));
      if (next) opened.set(next[0], opening(next[0]));
      expect(answer.status).toBe(status);
      const fonts = await page.evaluate(() => [...document.fonts].map((font) => font.status));
      expect(fonts).toContain("loaded");
      expect(await axeFaults(page, { rules: { "target-size": { enabled: true } } })).toEqual([]);
      expect(await page.evaluate(lowLinks)).toEqual([]);
      const isWider = () => document.documentElement.scrollWidth > innerWidth;
      expect(await page.evaluate(isWider), "it scrolls sideways").toBe(false);
      expect(faults).toEqual([]);
      await page.close();
    });

    it("a maker's attribution has its place in the editor, and is offered for links to makers only", async () => {
      const { page, faults } = await openPage();
      await page.goto("/admin");
      if (page.url().includes("sign-in")) await signIn();
      const { items } = (await demo.service.ask("/portal/v1/search?type=object&q=travelling%20desk")).json;
      await page.goto(`/admin/objects/${items[0].id}`);
      const line = page.locator("#links .linked li", { has: page.locator(".qualify") }).first();
      const name = line.locator("> a");
      const before = (await name.boundingBox())!;
      await line.locator(".qualify summary").click();
      const form = (await line.locator("form:has(select)").boundingBox())!;
      const after = (await name.boundingBox())!;
      expect([after.x, after.width, after.height]).toEqual([before.x, before.width, before.height]);
      expect(form.y).toBeGreaterThan(after.y + after.height);
      expect(form.width).toBeGreaterThan(300);
      const choices = page.locator("[data-qualifying]");
      const type = page.locator("#links select[name=relation_type]");
      await type.selectOption("depicts");
      expect(await choices.isVisible()).toBe(false);
      await type.selectOption("created_by");
      expect(await choices.isVisible()).toBe(true);
      expect(await page.evaluate(lowLinks)).toEqual([]);
      // in German there are the longest words
      if (width > 1280) await page.setViewportSize({ width: 1280, height: 900 });
      await page.goto("/admin?lang=de");
      const isCut = () =>
        [...document.querySelectorAll(".scroll")].some((box) => box.scrollWidth > box.clientWidth);
      if (width > 1280) expect(await page.evaluate(isCut)).toBe(false);
      expect(faults).toEqual([]);
      await page.close();
    });

    it("the link of a reset mail opens the form, and its token leaves the address", async () => {
      const { page, faults } = await openPage();
      await page.goto("/admin/reset");
      const without = page.getByText("open the link in the e-mail again");
      const chosen = page.getByLabel(/^New password/);
      expect([await without.isVisible(), await chosen.isVisible()]).toEqual([true, false]);
      // in the same tab, which loads nothing again
      for (const token of ["a-former-token", "a_made-up_token"]) {
        await page.goto(`/admin/reset#token=${token}`);
        await chosen.waitFor();
        expect(new URL(page.url()).hash).toBe("");
        expect(await without.count()).toBe(0);
        expect(await page.locator("input[name=token]").inputValue()).toBe(token);
      }
      await chosen.fill("seven lanterns at the pier");
      await page.getByLabel("Repeat the new password").fill("seven lanterns at the pier");
      await page.getByRole("button", { name: "Change the password" }).click();
      await page.getByText("This link is not valid").waitFor();
      expect(page.url()).toBe(`${demo.service.url}/admin/reset`);
      expect(faults).toEqual([]);
      await page.close();
    });

    it("faults are noticed by this browser", async () => {
      const { page, faults } = await openPage();
      await page.goto("/");
      await page.evaluate(() => {
        const script = document.createElement("script");
        script.textContent = "document.title = 'mine'";
        document.querySelector("main")!.innerHTML = '<img src="/nothing.png"><p style="color: #aaa">pale</p>';
        document.body.append(script);
      });
      await page.waitForLoadState("networkidle");
      expect(faults.join("\n")).toMatch(/script-src-elem forbids inline/);
      expect(faults.join("\n")).toMatch(/404/);
      expect((await axeFaults(page)).join("\n")).toMatch(/^image-alt:/m);
    });
  });
});
