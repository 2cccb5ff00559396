/** The demo museum as a program of its own, in Chromium. */
import { cpSync, existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunOptions } from "axe-core";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from "playwright-core";
import { afterAll, beforeAll, inject } from "vitest";
import { openConfig } from "../../../cli/catalogue/open.ts";
import { loadDemoMuseum } from "../../../cli/demo/load.ts";
import { loadDemoMedia } from "../../../cli/demo/media.ts";
import { loadDemoSettings } from "../../../cli/demo/settings.ts";
import { compose } from "../../../src/compose.ts";
import { createLog } from "../../../src/log.ts";
import { runtimeName } from "../../../src/runtimes/serve.ts";
import { enableProjections } from "../../../workers/projections.ts";
import { environment, type Started, started } from "../../runtimes/started.ts";
import { notTried } from "../lane/skipped.ts";
import { prepared } from "../museum/pictures.ts";
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

type DemoBrowser = {
  service: Started;
  browser: Browser;
  /** For files; deleted at the end. */
  home: string;
  account: { email: string; password: string };
  /** A page of a new context in English. */
  open(options?: BrowserContextOptions): Promise<Page>;
  signIn(page: Page): Promise<void>;
  /** The cookies of a new session of staff, for `open`. */
  session(): Promise<{ storageState: Awaited<ReturnType<BrowserContext["storageState"]>> }>;
  close(): Promise<void>;
};

const account = { email: "curator@example.org", password: "harbour-lights-1887" };
const settings = (dataDir: string) => ({
  SVC_DATA_DIR: dataDir,
  DEFAULT_ADMIN_EMAIL: account.email,
  DEFAULT_ADMIN_PASSWORD: account.password,
  TRIPLESTORE_ENABLED: "true",
  SPARQL_REQUIRE_AUTH: "false",
});

/** The data directory of a demo museum, which this worker's files copy: filling it takes much longer. */
let filled: Promise<string> | undefined;

async function fill(): Promise<string> {
  const dataDir = join(inject("templates"), `demo-${process.pid}`);
  cpSync(inject("embeddedTemplate"), dataDir, { recursive: true });
  const silent = createLog({ level: "error", format: "json", write: () => undefined });
  const { services, close } = await compose(openConfig(environment(settings(dataDir))), "owner", silent);
  try {
    await enableProjections(services);
    const ids = await loadDemoMuseum(services);
    await loadDemoMedia(services, ids);
    await loadDemoSettings(services, ids);
    await prepared(services);
  } finally {
    await close();
  }
  return dataDir;
}

/** For all tests of a `describe`, from its hooks on; closed after the last of them. */
export function demoBrowserHere(): DemoBrowser {
  const demo = {} as DemoBrowser;
  beforeAll(async () => {
    Object.assign(demo, await openDemoBrowser());
  });
  afterAll(() => demo.close?.());
  return demo;
}

async function openDemoBrowser(): Promise<DemoBrowser> {
  filled ??= fill();
  const home = await mkdtemp(join(tmpdir(), "svc-browser-"));
  const dataDir = join(home, "data");
  cpSync(await filled, dataDir, { recursive: true });
  const command = [process.execPath, `${ROOT}cli/svc-manage.mjs`, "serve"];
  const service = await started(command, settings(dataDir), runtimeName());
  const browser = await openChromium();
  const open: DemoBrowser["open"] = async (options) => {
    const size = { width: 1440, height: 900 };
    const context = { baseURL: service.url, locale: "en", viewport: size, ...options };
    return (await browser.newContext(context)).newPage();
  };
  const signIn: DemoBrowser["signIn"] = async (page) => {
    await page.goto("/admin/sign-in");
    await page.getByLabel("E-mail").fill(account.email);
    await page.getByLabel("Password").fill(account.password);
    await page.getByRole("main").getByRole("button").click();
    await page.waitForURL("**/admin");
  };
  return {
    ...{ service, browser, home, account, open, signIn },
    async session() {
      const page = await open();
      await signIn(page);
      const storageState = await page.context().storageState();
      await page.context().close();
      return { storageState };
    },
    async close() {
      await browser.close();
      await service.kill("SIGKILL");
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** Notes the errors that the browser reports for this page. The status of the page itself is none. */
export function noting(page: Page, faults: string[]): Page {
  page.on("console", (message) => {
    const { url } = message.location();
    if (message.type() === "error" && url !== page.url()) faults.push(`${message.text()} ${url}`);
  });
  page.on("pageerror", (error) => faults.push(String(error)));
  return page;
}

/** The barriers that axe finds on the page. Only they leave the browser: all that axe reports takes longer than its work. */
export async function axeFaults(page: Page, options: RunOptions = {}): Promise<string[]> {
  await page.evaluate(await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
  return page.evaluate(async (more) => {
    const { axe } = globalThis as unknown as { axe: typeof import("axe-core") };
    const { violations } = await axe.run(document, { preload: false, resultTypes: ["violations"], ...more });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  }, options);
}
