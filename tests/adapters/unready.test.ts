/** What those hear who ask before the service is ready. */
import { expect, test } from "vitest";
import { unreadyApp } from "../../cli/catalogue/unready.ts";
import { readConfig } from "../../src/config/read.ts";
import { said } from "../../src/messages/said.ts";

const read = readConfig({ SVC_DATA_DIR: "/nowhere" });
if (!read.ok) throw new Error(JSON.stringify(read.faults));
let percent = 0;
const app = unreadyApp(read.config, () => said("cli.demo.filled", { percent }));
const ask = async (path: string, language: string, method = "GET") =>
  app.fetch(
    new Request(`http://127.0.0.1:8000${path}`, {
      method,
      headers: {
        Accept: path.startsWith("/v1") ? "application/json" : "text/html",
        "Accept-Language": language,
      },
    }),
  );

test.each([
  ["en", "The demo museum is being filled: 41% so far", "This page reloads by itself."],
  ["de", "Das Beispielmuseum wird gefüllt: bisher 41\u00a0%", "Diese Seite lädt sich von selbst neu."],
  [
    "fr",
    "Le musée de démonstration se remplit\u00a0: 41\u00a0% jusqu’ici",
    "Cette page se recharge d’elle-même.",
  ],
])(
  "a visitor reads in %s how far the filling is, on a page that reloads itself",
  async (language, far, reloads) => {
    percent = 41;
    const page = await ask("/browse?q=x", language);
    const { status, headers } = page;
    expect([status, headers.get("Retry-After"), headers.get("Refresh")]).toEqual([503, "2", "5"]);
    const text = await page.text();
    expect(text).toContain(`<html lang="${language}"`);
    expect(text).toContain(far);
    expect(text).toContain(reloads);
  },
);

test("a program reads the same, as it is when it asks", async () => {
  for (percent of [7, 99]) {
    const detail = `The demo museum is being filled: ${percent}% so far`;
    const answer = await ask("/v1/objects", "en");
    expect([answer.status, await answer.json()]).toEqual([503, expect.objectContaining({ detail })]);
    const health = await ask("/health", "en");
    expect(await health.json()).toMatchObject({ status: "degraded", checks: { database: detail } });
  }
});

test("the answer to a form does not reload, which would lose what was written", async () => {
  const page = await ask("/admin/objects/new", "en", "POST");
  expect([page.status, page.headers.get("Refresh")]).toEqual([503, null]);
  expect(await page.text()).not.toContain("This page reloads by itself.");
});
