/** The home page: the museum's name and texts, and what visitors see there. */
import { describe, expect, it, onTestFinished } from "vitest";
import { loadDemoSettings } from "../../cli/demo/settings.ts";
import { VISITOR } from "../../src/caller.ts";
import { kinds } from "../../src/records/kinds.ts";
import { latestDepictions } from "../../src/records/media/store.ts";
import { inLong } from "../support/lane/lane.ts";
import { museumHere, openMuseum } from "../support/museum/museum.ts";

const museum = await museumHere({ demo: "with media" });
const admin = await museum.as("admin");

const home = async (headers: Record<string, string> = {}) => {
  const answer = await museum.ask("/", { headers: { Accept: "text/html", ...headers } });
  return { status: answer.status, page: await answer.text(), headers: answer.headers };
};
const change = (json: unknown) => admin("/v1/settings", { method: "PATCH", json });
/** The ids of the records in the row with this heading, in order. */
const row = (page: string, title: string): string[] => {
  const [, cards = ""] = new RegExp(`<h2>${title}</h2>([\\s\\S]*?)</section>`).exec(page) ?? [];
  return [...cards.matchAll(/href="\/\w+\/([\w-]{36})"/g)].map(([, id]) => id!);
};
const idOf = (key: string): string => museum.demo.get(key)!;

describe("The home page", () => {
  it("shows objects with pictures, the top collections and new records, each once", async () => {
    const { page, status } = await home();
    expect(status).toBe(200);
    const [highlights, collections, recent] = ["Highlights", "Collections", "New in the catalogue"].map(
      (title) => row(page, title),
    );
    expect([highlights!.length, collections!.length, recent!.length]).toEqual([6, 6, 6]);
    expect(new Set([...highlights!, ...recent!]).size).toBe(12);
    // the only top collection is replaced by those below it
    expect(collections).toContain(idOf("col-fine-art"));
    expect(collections).not.toContain(idOf("col-museum"));
    expect(page).toContain('<a href="/search?type=object">Objects</a> <small>88</small>');
    const rows = await museum.services.sql<
      { id: string; status: string; collection_status: string | null }[]
    >`
      select id, status, collection_status from records
      where id = any(${[...highlights!, ...collections!, ...recent!]})`;
    for (const { status, collection_status } of rows) {
      expect(status).toBe("public");
      expect(["active", "on_loan_out"]).toContain(collection_status ?? "active");
    }
  });

  it("leads to people, places and events with pictures of such, if these are public", async () => {
    const { sql, config } = museum.services;
    const shown = async () => {
      const covers = await latestDepictions(sql, VISITOR, config.publicCollectionStatuses);
      return new Map([...covers].map(([kind, { id, object_id }]) => [kind, { id, object_id }]));
    };
    const before = await shown();
    const page = await (await museum.ask("/browse", { headers: { Accept: "text/html" } })).text();
    for (const kind of ["entity", "place", "occurrence"] as const) {
      const { id, object_id } = before.get(kind)!;
      const [, picture] = new RegExp(
        `href="/browse/${kinds[kind].plural}"><span class="tile"><img src="[^"]*?/([\\w-]{36})`,
      ).exec(page)!;
      expect([kind, picture]).toEqual([kind, id]);
      const depicted = await sql`
        update records set status = 'draft' where status = 'public' and record_type = ${kind}
          and id in (select to_id from relations where relation_type = 'depicts')
        returning id`;
      expect((await shown()).has(kind)).toBe(false);
      await sql`update records set status = 'public' where id = any(${depicted.map(({ id }) => id as string)})`;
      expect((await shown()).get(kind)).toEqual({ id, object_id });
    }
  });

  it("shows the highlights that the museum chose, in its order, if they are public", async () => {
    const { page: before } = await home();
    await loadDemoSettings(museum.services, museum.demo);
    const chosen = ["obj-flood-painting", "obj-evening-harbour"].map(idOf);
    const [draft] = await museum.services.sql<{ id: string; title: string }[]>`
      select id, title from records where record_type = 'object' and status = 'draft' limit 1`;
    expect((await change({ highlights: [chosen[0], draft!.id, chosen[1]] })).status).toBe(200);
    const { page } = await home();
    expect(row(page, "Highlights")).toEqual(chosen);
    expect(page).not.toContain(draft!.title);
    expect(page).not.toBe(before);
  });

  it("introduces the museum in the reader's language, or in another one that is marked as such", async () => {
    await change({ home_text: { de: "Geöffnet täglich.\n\nEintritt frei.", en: null, fr: null } });
    const { page } = await home({ "Accept-Language": "fr" });
    expect(page).toContain("<h1>Musée du port de Sternhöft</h1>");
    expect(page).toContain("Navires, pilotes et peintres");
    expect(page).toContain(
      '<p dir="auto" lang="de">Geöffnet täglich.</p><p dir="auto" lang="de">Eintritt frei.</p>',
    );
    expect(page).toContain('<link rel="alternate" hreflang="de" href="http://127.0.0.1:8000/?lang=de">');
  });

  it("may be cached for a minute, and is not sent again when it is the same", async () => {
    const { headers } = await home();
    expect(headers.get("Cache-Control")).toBe("public, max-age=60");
    expect((await home({ "If-None-Match": headers.get("ETag")! })).status).toBe(304);
  });

  it("has metadata for machines: the museum, its search and a preview", async () => {
    const { page } = await home();
    const [, json = ""] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page) ?? [];
    const [ours, site] = JSON.parse(json)["@graph"];
    expect([ours["@type"], ours.name]).toEqual([["Museum", "Organization"], "Sternhöft Harbour Museum"]);
    expect(site).toMatchObject({
      "@type": "WebSite",
      publisher: { "@id": ours["@id"] },
      potentialAction: {
        "@type": "SearchAction",
        target: { urlTemplate: "http://127.0.0.1:8000/search?q={search_term_string}" },
      },
    });
    expect(page).toContain('<link rel="canonical" href="http://127.0.0.1:8000/">');
    expect(page).toContain('<meta property="og:title" content="Sternhöft Harbour Museum">');
    expect(page).toMatch(/<meta property="og:image" content="http:[^"]+\/iiif\/3\//);
    expect(page).toMatch(/<meta name="description" content="[^"]{20,}">/);
  });

  inLong(it)("explains what to do while nothing is published", async () => {
    const empty = await openMuseum();
    onTestFinished(() => empty.close());
    const answer = await empty.ask("/", { headers: { Accept: "text/html" } });
    expect(await answer.text()).toContain("Nothing is published yet");
  });
});
