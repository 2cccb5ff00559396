/** The demo museum as a program of its own, in Chromium. */
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AxeResults, RunOptions } from "axe-core";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { runtimeName } from "../../../src/runtimes/serve.ts";
import { type Started, started } from "../../runtimes/started.ts";
import { notTried } from "../lane/skipped.ts";
import { ROOT } from "../sources.ts";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** @param what cannot be tried without it */
export function hasChromium(what: string): boolean {
  const isHere = existsSync(CHROMIUM);
  if (!isHere) notTried(`${what}: there is no ${CHROMIUM} (set CHROMIUM)`);
  return isHere;
}

/** Root cannot use the sandbox. */
export const openChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });

export type DemoBrowser = {
  service: Started;
  browser: Browser;
  /** For files; deleted at the end. */
  home: string;
  account: { email: string; password: string };
  /** A page of a new context in English. */
  open(options?: BrowserContextOptions): Promise<Page>;
  signIn(page: Page): Promise<void>;
  close(): Promise<void>;
};

export async function openDemoBrowser(): Promise<DemoBrowser> {
  const home = await mkdtemp(join(tmpdir(), "svc-browser-"));
  const command = [process.execPath, `${ROOT}cli/svc-manage.mjs`, "demo"];
  const service = await started(command, { TMPDIR: home }, runtimeName());
  const [, email, password] = /sign in +(\S+) \/ (\S+)/.exec(await service.said(/sign in/))!;
  const account = { email: email!, password: password! };
  const browser = await openChromium();
  return {
    ...{ service, browser, home, account },
    async open(options) {
      const size = { width: 1440, height: 900 };
      const context = { baseURL: service.url, locale: "en", viewport: size, ...options };
      return (await browser.newContext(context)).newPage();
    },
    async signIn(page) {
      await page.goto("/admin/sign-in");
      await page.getByLabel("E-mail").fill(account.email);
      await page.getByLabel("Password").fill(account.password);
      await page.getByRole("main").getByRole("button").click();
      await page.waitForURL("**/admin");
    },
    async close() {
      await browser.close();
      await service.kill("SIGKILL");
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** The barriers that axe finds on the page. */
export async function axeFaults(page: Page, options: RunOptions = {}): Promise<string[]> {
  await page.evaluate(await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
  const run = `axe.run(document, ${JSON.stringify({ preload: false, ...options })})`;
  const { violations } = (await page.evaluate(run)) as AxeResults;
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
