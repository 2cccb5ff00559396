/** The sitemap: every public page once and nothing else, whatever is written, published or withdrawn. */
import { describe, expect, it } from "vitest";
import { createApp } from "../../src/app.ts";
import { addressesOf, allParts, MOST_ADDRESSES } from "../../src/portal/crawlers/sitemap-store.ts";
import { drainOutbox } from "../../workers/drain-outbox.ts";
import { inLong } from "../support/lane/lane.ts";
import { create, createObject, read, samples } from "../support/museum/catalogue.ts";
import { museumHere } from "../support/museum/museum.ts";

const museum = await museumHere();
const editor = await museum.as("editor");
const base = museum.services.config.baseUrl;

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9";

/** The entries of a file; fails unless it has exactly the form of the protocol. */
function entriesOf(text: string, root: "sitemapindex" | "urlset"): Map<string, string | undefined> {
  const name = root === "urlset" ? "url" : "sitemap";
  const whole = new RegExp(
    `^<\\?xml version="1.0" encoding="UTF-8"\\?>\\n<${root} xmlns="${NAMESPACE}">((?:\\s*<${name}>.*?</${name}>)+)\\s*</${root}>\\n$`,
    "s",
  ).exec(text);
  expect(whole, text.slice(0, 500)).not.toBeNull();
  const entries = [...whole![1]!.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, "gs"))].map(([, inner]) => {
    const found = /^<loc>(http[^<>&\s]*)<\/loc>(?:<lastmod>([^<]*)<\/lastmod>)?$/.exec(inner!);
    expect(found, inner).not.toBeNull();
    if (found![2] !== undefined) expect(found![2]).toMatch(TIME);
    return [found![1]!, found![2]] as const;
  });
  expect(new Set(entries.map(([address]) => address)).size).toBe(entries.length);
  return new Map(entries);
}
async function listed(path: string, root: "sitemapindex" | "urlset") {
  await drainOutbox(museum.services);
  const answer = await museum.ask(path);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("Content-Type")).toBe("application/xml; charset=utf-8");
  return entriesOf(await answer.text(), root);
}
const records = () => listed("/sitemap-records.xml", "urlset");

describe("the sitemap", () => {
  it("of an empty catalogue contains the home page", async () => {
    expect([...(await listed("/sitemap.xml", "sitemapindex")).keys()]).toEqual([`${base}/sitemap-pages.xml`]);
    expect([...(await listed("/sitemap-pages.xml", "urlset")).keys()]).toEqual([`${base}/`]);
    expect((await museum.ask("/sitemap-records.xml")).status).toBe(404);
  });

  it("contains the pages of public records of every kind, and no others", async () => {
    const shown: string[] = [];
    for (const kind of Object.keys(samples) as (keyof typeof samples)[]) {
      const hidden = await create(editor, kind);
      await create(editor, kind, { status: "internal" });
      if (kind === "storage_location") continue;
      const { id } = await create(editor, kind, { status: "public" });
      expect(id).not.toBe(hidden.id);
      shown.push(`${base}/${samples[kind].plural}/${id}`);
    }
    const there = await records();
    expect([...there.keys()].sort()).toEqual(shown.sort());
    for (const address of there.keys())
      expect((await museum.ask(new URL(address).pathname)).status, address).toBe(200);
    const index = await listed("/sitemap.xml", "sitemapindex");
    expect([...index.keys()]).toEqual([`${base}/sitemap-pages.xml`, `${base}/sitemap-records.xml`]);
    expect(index.get(`${base}/sitemap-records.xml`)).toBe([...there.values()].sort().at(-1));
    const pages = await listed("/sitemap-pages.xml", "urlset");
    expect([...pages.keys()]).toContain(`${base}/search?type=occurrence`);
    for (const address of pages.keys())
      expect((await museum.ask(address.slice(base.length))).status, address).toBe(200);
  });

  it("drops withdrawn and deleted records, and contains no content of records", async () => {
    const kept = await createObject(editor, 'A "hostile" <title> & ]]> NIGHTJAR', { status: "public" });
    const taken = await createObject(editor, "Barograph", { status: "public" });
    const deleted = await createObject(editor, "Thermograph", { status: "public" });
    const before = await records();
    for (const { id } of [kept, taken, deleted]) expect(before.has(`${base}/objects/${id}`)).toBe(true);
    await read(editor(`/v1/objects/${taken.id}/status`, { json: { status: "draft" } }));
    await read(editor(`/v1/objects/${deleted.id}`, { method: "DELETE" }), 204);
    const after = await records();
    expect([...after.keys()]).toEqual(
      [...before.keys()].filter((address) => !address.includes(taken.id) && !address.includes(deleted.id)),
    );
    for (const path of ["/sitemap.xml", "/sitemap-pages.xml", "/sitemap-records.xml"])
      expect(await (await museum.ask(path)).text()).not.toContain("NIGHTJAR");
  });

  it("is sent again only when it has changed", async () => {
    for (const path of ["/sitemap.xml", "/sitemap-pages.xml", "/sitemap-records.xml"]) {
      await drainOutbox(museum.services);
      // dates are in whole seconds: a change within the same second does not change the file
      await museum.services.sql`update public_dates set datestamp = datestamp - interval '5 seconds'`;
      const { headers } = await museum.ask(path);
      const etag = headers.get("ETag")!;
      const since = headers.get("Last-Modified")!;
      expect(Date.parse(since)).toBeGreaterThan(Date.now() - 600_000);
      expect((await museum.ask(path, { headers: { "If-None-Match": etag } })).status).toBe(304);
      expect((await museum.ask(path, { headers: { "If-Modified-Since": since } })).status).toBe(304);
      const head = await museum.ask(path, { method: "HEAD" });
      expect([head.status, head.headers.get("ETag"), await head.text()]).toEqual([200, etag, ""]);
      await createObject(editor, "Anemograph", { status: "public" });
      await drainOutbox(museum.services);
      expect((await museum.ask(path, { headers: { "If-None-Match": etag } })).status).toBe(200);
    }
  });

  it("leaves out what /robots.txt closes, and is named there", async () => {
    const { config } = museum.services;
    const closed = createApp({
      ...museum.services,
      config: { ...config, robotsDisallowPaths: ["/v1/", "/entities/", "/search"] },
    }).app;
    const text = async (path: string) => (await closed.request(path)).text();
    expect(await text("/robots.txt")).toContain(`\n\nSitemap: ${base}/sitemap.xml\n`);
    expect(await text("/sitemap-records.xml")).not.toContain("/entities/");
    expect([...entriesOf(await text("/sitemap-pages.xml"), "urlset").keys()]).toEqual(
      ["/", "/browse", "/collections", "/timeline"].map((path) => base + path),
    );
  });

  it("refuses anything that is not the id of a record", async () => {
    expect((await museum.ask("/sitemap-records.xml?after=1%27--")).status).toBe(422);
    expect((await museum.ask("/sitemap-records.xml?page=2")).status).toBe(422);
  });

  inLong(it)("is divided into files of 50,000 addresses without gaps or overlaps", async () => {
    const { sql } = museum.services;
    const many = MOST_ADDRESSES + 3;
    await sql.begin(async (tx) => {
      await tx`alter table public_dates drop constraint public_dates_record_id_fkey`;
      await tx`
        insert into public_dates (record_id, record_type, datestamp, fingerprint)
        select ('ffffffff-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'place', '2026-01-31T12:00:00Z', 'x'
        from generate_series(1, ${many}) n`;
    });
    const parts = await allParts(sql, ["place"]);
    const [first, second] = parts;
    expect(parts).toMatchObject([
      { after: null, count: MOST_ADDRESSES },
      { after: first!.last, count: 4, moved: "2026-01-31T12:00:00Z" },
    ]);
    const all: string[] = [];
    for (const part of parts)
      for await (const slice of addressesOf(sql, ["place"], part)) all.push(...slice.map(({ id }) => id));
    expect(new Set(all).size).toBe(many + 1);
    const answer = await museum.ask(`/sitemap-records.xml?after=${second!.after}`);
    expect(entriesOf(await answer.text(), "urlset").size).toBeGreaterThan(2);
  });
});
