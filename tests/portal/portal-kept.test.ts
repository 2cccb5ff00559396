/** Cached pages for visitors (`pages/page-cache.ts`) while the search index is on its own server. */
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { enqueueReindex } from "../../src/search/enqueue-reindex.ts";
import { rebuildSearch } from "../../src/search/rebuild.ts";
import { drainOutbox } from "../../workers/drain-outbox.ts";
import { create, createObject, english, read } from "../support/museum/catalogue.ts";
import { museumHere } from "../support/museum/museum.ts";
import { openTypesenseDouble } from "../support/search/typesense-double.ts";

const double = await openTypesenseDouble();
afterAll(async () => {
  await double.close();
  expect(double.faults).toEqual([]);
});
const museum = await museumHere({
  // a database server counts the transactions of all its databases, also those of other tests
  database: "embedded",
  env: { TYPESENSE_URL: double.url, TYPESENSE_API_KEY: double.apiKey },
});
const editor = await museum.as("editor");
afterEach(() => {
  vi.useRealTimers();
});

const ask = (path: string) => museum.ask(path, { headers: { Accept: "text/html", "Accept-Language": "en" } });

/** How many records the search page shows, and whether it asked the index. */
async function look(word: string): Promise<{ count: number; asked: boolean }> {
  const before = double.operations.length;
  const page = await (await ask(`/search?q=${word}`)).text();
  return {
    count: page.match(/<li class="(p\d+|plain)"/g)?.length ?? 0,
    asked: double.operations.length > before,
  };
}

/** Expects the page to be cached: the second visit does not ask the index. */
async function expectCached(word: string, count: number): Promise<void> {
  expect(await look(word)).toMatchObject({ count });
  expect(await look(word)).toEqual({ count, asked: false });
}

it("a cached search page follows the index when records are written, hidden, deleted or indexed anew", async () => {
  await expectCached("lamplight", 0);
  const metadata_ = { title: english("Lamplight"), date: [{ value: "1901" }] };
  const { id } = await create(editor, "object", { status: "public", metadata_ });
  await expectCached("lamplight", 1);
  await create(editor, "object", {
    status: "public",
    metadata_: { ...metadata_, title: english("Lamplight, a study") },
  });
  await expectCached("lamplight", 2);
  await read(editor(`/v1/objects/${id}/status`, { json: { status: "draft" } }));
  await expectCached("lamplight", 1);

  // changed while the server is away: visitors get a message, and find the record once the index has it
  await double.stop();
  const late = await createObject(editor, "Lamplight, late", { status: "public" });
  const away = await ask("/search?q=lamplight");
  expect(away.headers.get("Cache-Control")).toBe("no-store");
  expect(await away.text()).toContain("The search is not available at the moment");
  await double.start();
  expect((await look("lamplight")).count).toBe(1);
  await museum.services.sql`update outbox set due_at = now()`;
  await drainOutbox(museum.services);
  await expectCached("lamplight", 2);

  // a server that lost its data finds nothing, and finds everything once the index is rebuilt
  double.collections.clear();
  double.aliases.clear();
  await editor(`/v1/objects/${late.id}`, {
    method: "PATCH",
    json: { metadata_: { title: english("Dusk") } },
  });
  await look("lamplight");
  await expectCached("lamplight", 0);
  const { id: jobId } = await enqueueReindex(museum.services.sql, null, null);
  await rebuildSearch(museum.services, { jobId, report: async () => undefined });
  await expectCached("lamplight", 1);
  await drainOutbox(museum.services);
  await expectCached("dusk", 1);
});

it("a page is not cached when one of its searches was not answered", async () => {
  const { search } = museum.services;
  const { find } = search;
  for (const path of ["/", "/search?type=object&object_type=painting", "/timeline", "/browse"]) {
    for (const failing of [1, 2]) {
      let asked = 0;
      search.find = (query) => {
        asked += 1;
        return asked === failing ? Promise.reject(new Error("gone for a moment")) : find(query);
      };
      const answer = await ask(path);
      search.find = find;
      if (asked >= failing) expect([path, answer.headers.get("Cache-Control")]).toEqual([path, "no-store"]);
      else expect([path, failing]).toEqual(["/browse", 2]);
      await museum.services.sql`update configuration set version = version + 1`;
    }
    expect((await ask(path)).headers.get("Cache-Control")).toBe(
      path.startsWith("/search") ? "public, max-age=0, must-revalidate" : "public, max-age=60",
    );
  }
});

it("a page is cached for no more than a minute, because the index may have answered before it had everything", async () => {
  await createObject(editor, "Daybreak", { status: "public" });
  await expectCached("daybreak", 1);
  const late = performance.now() + 61_000;
  vi.useFakeTimers({ toFake: ["performance"] });
  vi.advanceTimersByTime(late);
  expect(await look("daybreak")).toEqual({ count: 1, asked: true });
  expect(await look("daybreak")).toEqual({ count: 1, asked: false });
});
