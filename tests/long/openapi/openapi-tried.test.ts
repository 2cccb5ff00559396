/** The page /api/docs in a browser: sign in, and send the import form unchanged. */
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runtimeName } from "../../../src/runtimes/serve.ts";
import { type Started, started } from "../../runtimes/started.ts";
import { notTried } from "../../support/lane/skipped.ts";

const MAIN = fileURLToPath(new URL("../../../cli/svc-manage.mjs", import.meta.url));
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const isHere = existsSync(CHROMIUM);
if (!isHere) notTried(`the page /api/docs in a browser: there is no ${CHROMIUM} (set CHROMIUM)`);

describe.runIf(isHere)("the page /api/docs", () => {
  let home: string;
  let service: Started;
  let browser: Browser;
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "svc-tried-"));
    service = await started([process.execPath, MAIN, "demo"], { TMPDIR: home }, runtimeName());
    await service.said(/sign in/);
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.kill("SIGKILL");
    await rm(home, { recursive: true, force: true });
  });

  it("signs a user in, and imports a file with the preset values of its form", async () => {
    const file = join(home, "works.csv");
    await writeFile(file, "number;title\n1912.4;Nets drying\n1913.1;The ferry\n");
    const page = await browser.newPage({ baseURL: service.url });
    const errors: string[] = [];
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    await page.goto("/api/docs");
    await page.locator("button.authorize").click();
    await page.locator("#oauth_username").fill("curator@example.org");
    await page.locator("#oauth_password").fill("harbour-lights-1887");
    const dialog = page.locator(".auth-container", { has: page.locator("#oauth_username") });
    await dialog.locator("button.authorize").click();
    await page.locator(".auth-container", { hasText: "Logout" }).waitFor();
    await page.locator(".close-modal").click();
    await page.locator("#operations-tag-imports").click();
    const operation = page.locator("#operations-imports-start_import");
    await operation.locator(".opblock-summary-control").click();
    await operation.locator(".try-out__btn").click();
    await operation.locator("input[type=file]").setInputFiles(file);
    const answered = page.waitForResponse((answer) => answer.url().endsWith("/v1/imports"));
    await operation.locator(".execute").click();
    const answer = await answered;
    expect(answer.status()).toBe(202);
    const { job_id, params } = (await answer.json()) as { job_id: string; params: Record<string, unknown> };
    const { type, subtype, encoding, idno_strategy, format } = params;
    expect({ type, subtype, encoding, idno_strategy, format }).toEqual({ type: "object" });
    const Authorization = (await answer.request().allHeaders()).authorization!;
    const ask = async (path: string) =>
      (await fetch(`${service.url}${path}`, { headers: { Authorization } })).json();
    await expect
      .poll(async () => await ask(`/v1/jobs/${job_id}`), { timeout: 10_000 })
      .toMatchObject({ state: "done", result: { created: 2, rejected: 0, warnings: [] } });
    expect((await ask("/v1/objects?q=Nets+drying")).items[0]).toMatchObject({ idno: "1912.4" });
    expect(errors).toEqual([]);
  }, 60_000);
});
