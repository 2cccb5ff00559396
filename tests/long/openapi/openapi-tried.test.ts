/** The page /api/docs in a browser: sign in, and send the import form unchanged. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { demoBrowserHere, hasChromium } from "../../support/programs/demo-browser.ts";

const isHere = hasChromium("the page /api/docs in a browser");

describe.runIf(isHere)("the page /api/docs", () => {
  const demo = demoBrowserHere();

  it("signs a user in, and imports a file with the preset values of its form", async () => {
    const file = join(demo.home, "works.csv");
    await writeFile(file, "number;title\n1912.4;Nets drying\n1913.1;The ferry\n");
    const page = await demo.open();
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
      (await fetch(`${demo.service.url}${path}`, { headers: { Authorization } })).json();
    await expect
      .poll(async () => await ask(`/v1/jobs/${job_id}`), { timeout: 10_000 })
      .toMatchObject({ state: "done", result: { created: 2, rejected: 0, warnings: [] } });
    expect((await ask("/v1/objects?q=Nets+drying")).items[0]).toMatchObject({ idno: "1912.4" });
    expect(errors).toEqual([]);
  }, 60_000);
});
