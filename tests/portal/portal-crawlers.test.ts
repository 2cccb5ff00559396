import { describe, expect, it } from "vitest";
import { createApp } from "../../src/app.ts";
import { readConfig } from "../../src/config/read.ts";
import { museumHere } from "../support/museum/museum.ts";

const PUBLIC = {
  SVC_BASE_URL: "https://museum.example",
  SECRET_KEY: "6f1d0c9ab27e4835d1f06b9ce874a3520b7f9e1c6d28a4f35e90c7b1824d6fa3",
  OAI_ADMIN_EMAIL: "oai@museum.example",
};

const museum = await museumHere();

/** What a museum with these settings answers; the host is in the address. */
async function ask(address: string, env: Record<string, string> = {}, headers: Record<string, string> = {}) {
  const read = readConfig({ ...PUBLIC, ...env });
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  const { app } = createApp({ ...museum.services, config: read.config });
  return app.request(address, { headers });
}

describe("/robots.txt", () => {
  it("closes the REST API to crawlers unless the museum decides otherwise", async () => {
    const answer = await ask("https://museum.example/robots.txt");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
    expect(await answer.text()).toMatch(/^User-agent: \*\nDisallow: \/v1\/\n/);
  });

  it("closes filtered and sorted searches, of which there is no end, and leaves the plain search open", async () => {
    const rules = await (await ask("https://museum.example/robots.txt")).text();
    const closed = [...rules.matchAll(/^Disallow: (.+)$/gm)].map(
      ([, rule]) => new RegExp(`^${rule!.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}`),
    );
    const isClosed = (path: string) => closed.some((rule) => rule.test(path));
    for (const path of [
      "meta_material=oak",
      "q=a&range_date_from=1800",
      "object_type=print",
      "q=a&sort_by=title",
    ])
      expect([path, isClosed(`/search?${path}`)]).toEqual([path, true]);
    for (const path of ["/", "/search", "/search?type=object&page=3", "/search?q=harbour"])
      expect([path, isClosed(path)]).toEqual([path, false]);
  });

  it("closes each path that the museum names", async () => {
    const answer = await ask("https://museum.example/robots.txt", {
      ROBOTS_DISALLOW_PATHS: "/v1/,/api/,/search",
    });
    expect(await answer.text()).toContain("Disallow: /v1/\nDisallow: /api/\nDisallow: /search\n");
  });

  it("closes everything on the host of the admin interface", async () => {
    const env = { SVC_ADMIN_URL: "https://admin.museum.example" };
    const admin = await ask("https://admin.museum.example/robots.txt", env);
    expect(await admin.text()).toBe("User-agent: *\nDisallow: /\n");
    // behind a proxy that speaks plain HTTP to us
    const proxied = await ask("http://ADMIN.museum.example:80/robots.txt", env);
    expect(await proxied.text()).toBe("User-agent: *\nDisallow: /\n");
    const portal = await ask("https://museum.example/robots.txt", env);
    expect(await portal.text()).toContain("Disallow: /v1/\n");
  });

  it("distinguishes the two by port when only the port differs", async () => {
    const env = { SVC_BASE_URL: "http://museum.example:8000", SVC_ADMIN_URL: "http://museum.example:8001" };
    expect(await (await ask("http://museum.example:8001/robots.txt", env)).text()).toContain("Disallow: /\n");
    expect(await (await ask("http://museum.example:8000/robots.txt", env)).text()).toContain(
      "Disallow: /v1/\n",
    );
  });

  it("keeps the portal open when the admin interface is on the same host", async () => {
    const env = { SVC_ADMIN_URL: "https://museum.example/office" };
    expect(await (await ask("https://museum.example/robots.txt", env)).text()).toContain(
      "User-agent: *\nDisallow: /v1/\nDisallow: /search?*meta_\n",
    );
  });

  it("is never refused, because crawlers without rules would read everything", async () => {
    const answer = await ask("https://museum.example/robots.txt", {}, { Accept: "text/html;q=0.9" });
    expect(answer.status).toBe(200);
  });
});

describe("/llms.txt", () => {
  it("is Markdown with a title, a summary and lists of links", async () => {
    const answer = await ask("https://museum.example/llms.txt");
    const text = await answer.text();
    expect(answer.headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
    expect(text.startsWith("# Collections catalogue at museum.example\n\n> ")).toBe(true);
    expect(text).toMatch(/\n## \w+\n\n- \[/);
    expect(text).not.toContain("## Notes");
    expect(text).not.toContain("storage-locations");
  });

  it("links only to what this version has", async () => {
    const text = await (await ask("https://museum.example/llms.txt")).text();
    const addresses = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, address]) => address ?? "");
    expect(addresses.length).toBeGreaterThan(6);
    for (const address of addresses) {
      expect([address, (await museum.ask(new URL(address).pathname)).status]).toEqual([address, 200]);
    }
  });

  /** The addresses in /llms.txt and the paths that /robots.txt closes, in one installation. */
  const both = async (env: Record<string, string>) => {
    const text = await (await ask("https://museum.example/llms.txt", env)).text();
    const rules = await (await ask("https://museum.example/robots.txt", env)).text();
    const named = [...text.matchAll(/https:\/\/museum\.example(\/[^)`\s]+)/g)].map(([, path]) => path ?? "");
    const closed = [...rules.matchAll(/^Disallow: (\S+)$/gm)].map(([, path]) => path ?? "");
    return { text, named: named.filter((path) => path !== "/robots.txt"), closed };
  };

  it("leads to records by addresses that /robots.txt leaves open", async () => {
    const { named, closed } = await both({});
    expect(closed).toContain("/v1/");
    expect(named).toContain("/api/v1/objects");
    expect(named).toContain("/api/v1/objects/{id}");
    expect(named.filter((path) => path.startsWith("/v1/"))).toEqual([]);
  });

  it("leads to lists whose next pages have such addresses, too", async () => {
    const { headers } = await museum.ask("/api/v1/objects?page_size=1");
    const links = [...(headers.get("Link") ?? "").matchAll(/<([^>]+)>/g)].map(([, path]) => path);
    expect(links.length).toBeGreaterThan(1);
    for (const path of links) expect(path).toMatch(/^\/api\/v1\/objects\?/);
  });

  it("explains how to keep a copy up to date, with addresses that exist", async () => {
    const text = await (await ask("https://museum.example/llms.txt")).text();
    const sentence = /To keep a copy up to date,[^.]*\./.exec(text)?.[0] ?? "";
    const [since, deletions] = [...sentence.matchAll(/`([^`]+)`/g)].map(([, code]) => code);
    expect([since, deletions]).toEqual(["updated_since=", "/api/v1/deletions?since="]);
    for (const path of [`/api/v1/objects?${since}`, deletions])
      expect((await museum.ask(`${path}2026-01-01T00:00:00`)).status).toBe(200);
  });

  const harvesting = ["/oai?verb=Identify", "/sitemap.xml", "/dumps/", "/iiif/discovery/changes"];
  it.each([
    ["/v1/,/api/", ["/openapi.json", "/portal/v1/search", ...harvesting]],
    ["/v1/,/*/v1/", ["/openapi.json", "/api/docs", ...harvesting]],
    ["/portal/v1/search$,/api,/openapi.json", harvesting],
    ["/", []],
  ])("leaves out what the museum closes with %s", async (paths, left) => {
    const { text, named } = await both({ ROBOTS_DISALLOW_PATHS: paths });
    expect(named).toEqual(left);
    expect(text.startsWith("# Collections catalogue at museum.example\n\n> ")).toBe(true);
  });

  it("ends with the museum's own notes", async () => {
    const notes = "Please cite us as *The Museum*.\n\nBulk data: ask the registrar.";
    const text = await (await ask("https://museum.example/llms.txt", { LLMS_TXT_EXTRA_NOTES: notes })).text();
    expect(text.endsWith(`\n\n## Notes\n\n${notes}\n`)).toBe(true);
  });

  it("does not exist when the museum switches it off", async () => {
    const answer = await ask("https://museum.example/llms.txt", { LLMS_TXT_ENABLED: "false" });
    expect(answer.status).toBe(404);
    expect(answer.headers.get("Content-Type")).toBe("application/problem+json");
  });

  it("does not exist on the host of the admin interface", async () => {
    const env = { SVC_ADMIN_URL: "https://admin.museum.example" };
    expect((await ask("https://admin.museum.example/llms.txt", env)).status).toBe(404);
    expect((await ask("https://museum.example/llms.txt", env)).status).toBe(200);
  });
});
