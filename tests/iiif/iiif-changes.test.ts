/** IIIF Change Discovery 1.0: a harvester that reads from the last page back knows all manifests and all deletions. */
import { describe, expect, it } from "vitest";
import { drainOutbox } from "../../workers/drain-outbox.ts";
import { bulk, create, createObject, english, patched, read } from "../support/museum/catalogue.ts";
import { jpeg, send } from "../support/museum/media.ts";
import { museumHere } from "../support/museum/museum.ts";

type Reference = { id: string; type: string };
type Activity = { type: string; endTime: string; object: Reference & { seeAlso?: Reference[] } };
type Page = {
  "@context": string;
  id: string;
  type: string;
  partOf: Reference;
  prev?: Reference;
  next?: Reference;
  orderedItems: Activity[];
};
type Stream = Reference & { "@context": string; totalItems: number; first: Reference; last: Reference };

const ADDRESS = "/iiif/discovery/changes";
const CONTEXT = "http://iiif.io/api/discovery/1/context.json";

const museum = await museumHere();
const editor = await museum.as("editor");
const base = museum.services.config.baseUrl;

const at = <T>(address: string): Promise<T> => read<T>(museum.ask(address.replace(base, "")));

/** Moves everything that has happened so far a minute into the past. */
async function settle(): Promise<void> {
  await drainOutbox(museum.services);
  await museum.services.sql`update public_dates set datestamp = datestamp - interval '1 minute'`;
}

/** Reads the pages from the last to the first, as harvesters do, and checks that they follow the specification. */
async function walk(): Promise<Activity[]> {
  const stream = await at<Stream>(ADDRESS);
  expect(stream).toMatchObject({ "@context": CONTEXT, id: `${base}${ADDRESS}`, type: "OrderedCollection" });
  const pages: Page[] = [];
  for (let next: Reference | undefined = stream.last; next; next = pages[0]!.prev) {
    expect(next.type).toBe("OrderedCollectionPage");
    const page: Page = await at<Page>(next.id);
    expect(page).toMatchObject({ "@context": CONTEXT, id: next.id, type: "OrderedCollectionPage" });
    expect(page.partOf).toEqual({ id: stream.id, type: "OrderedCollection" });
    pages.unshift(page);
  }
  expect(pages.at(-1)!.next).toBeUndefined();
  const all = pages.flatMap(({ orderedItems }) => orderedItems);
  expect(all.length).toBe(stream.totalItems);
  expect(all.map(({ endTime }) => endTime)).toEqual(all.map(({ endTime }) => endTime).sort());
  expect(new Set(all.map(({ object }) => object.id)).size).toBe(all.length);
  return all;
}
async function typeOf(id: string): Promise<string | undefined> {
  await settle();
  return (await walk()).find(({ object }) => object.id.includes(id))?.type;
}

describe("the changes of manifests", () => {
  it("are none in an empty catalogue", async () => {
    const { totalItems, last } = await at<Stream>(ADDRESS);
    expect(totalItems).toBe(0);
    expect((await at<Page>(last.id)).orderedItems).toEqual([]);
  });

  it("name each manifest when it is created, changed, deleted and created again", async () => {
    const { id } = await createObject(editor, "Barograph NIGHTJAR");
    const picture = await read<{ media_id: string }>(
      send(editor, id, await jpeg(40, 30), "picture.jpg", { visibility: "public" }),
      201,
    );
    expect(await typeOf(id)).toBeUndefined();
    const setStatus = (status: string) => read(editor(`/v1/objects/${id}/status`, { json: { status } }));
    await setStatus("public");
    expect(await typeOf(id)).toBe("Create");
    const manifest = (await walk()).find(({ object }) => object.id.includes(id))!.object;
    expect(manifest.type).toBe("Manifest");
    expect((await museum.ask(manifest.id.slice(base.length))).status).toBe(200);
    expect((await museum.ask(manifest.seeAlso![0]!.id.slice(base.length))).status).toBe(200);
    await patched(editor, `/v1/objects/${id}`, { metadata_: { title: english("Barograph FULMAR") } });
    expect(await typeOf(id)).toBe("Update");
    await setStatus("internal");
    expect(await typeOf(id)).toBe("Delete");
    await setStatus("public");
    expect(await typeOf(id)).toBe("Create");
    const file = `/v1/objects/${id}/media/${picture.media_id}`;
    await read(editor(file, { method: "PATCH", json: { visibility: "private" } }));
    expect(await typeOf(id)).toBe("Delete");
    await read(editor(file, { method: "PATCH", json: { visibility: "public" } }));
    expect(await typeOf(id)).toBe("Create");
    await read(editor(`/v1/objects/${id}`, { method: "DELETE" }), 204);
    expect(await typeOf(id)).toBe("Delete");
    for (const path of [ADDRESS, (await at<Stream>(ADDRESS)).last.id.slice(base.length)])
      expect(await (await museum.ask(path)).text()).not.toMatch(/NIGHTJAR|FULMAR/);
  });

  it("name collections, but no object without a public file, and no other kind of record", async () => {
    const collection = await create(editor, "collection", { status: "public" });
    const bare = await createObject(editor, "Bare", { status: "public" });
    const covered = await createObject(editor, "Covered", { status: "public" });
    await read(send(editor, covered.id, await jpeg(40, 30), "picture.jpg", { visibility: "private" }), 201);
    const person = await create(editor, "entity", { status: "public" });
    await settle();
    const all = await walk();
    expect(all.find(({ object }) => object.id.includes(collection.id))).toMatchObject({
      type: "Create",
      object: { type: "Collection" },
    });
    for (const { id } of [bare, covered, person])
      expect(all.filter(({ object }) => object.id.includes(id))).toEqual([]);
    // it is not named when it is withdrawn either
    await read(editor(`/v1/objects/${covered.id}/status`, { json: { status: "draft" } }));
    expect(await typeOf(covered.id)).toBeUndefined();
  });

  it("come in pages with each record once, which can also be read forwards, and keep their addresses", async () => {
    const sheets = Array.from({ length: 250 }, (_, n) => ({
      collection_type: "permanent",
      status: "public",
      metadata_: { title: english(`Sheet ${n}`) },
    }));
    const made = await bulk(editor, "collections", sheets);
    expect(made.flatMap(({ errors }) => errors ?? [])).toEqual([]);
    await settle();
    const before = await walk();
    expect(before.length).toBeGreaterThan(250);
    const { first, last } = await at<Stream>(ADDRESS);
    const forwards: Activity[] = [];
    for (let next: Reference | undefined = first; next; ) {
      const page: Page = await at<Page>(next.id);
      forwards.push(...page.orderedItems);
      next = page.next;
    }
    // the last page is as full as the others, so it may begin with the end of the page before
    const unique = new Map(forwards.map((activity) => [activity.object.id, activity]));
    expect([...unique.values()]).toEqual(before);
    // changes made meanwhile are on pages after the last one
    const changed = before[120]!.object.id.split("/").at(-1)!;
    await patched(editor, `/v1/collections/${changed}`, { metadata_: { title: english("Anew") } });
    await drainOutbox(museum.services);
    const { sql } = museum.services;
    await sql`update public_dates set datestamp = datestamp - interval '5 seconds' where record_id = ${changed}`;
    const page = await at<Page>(last.id);
    expect(page.orderedItems.at(-1)).toEqual(expect.objectContaining({ object: before.at(-1)!.object }));
    expect(await walk()).toHaveLength(before.length);
    expect((await walk()).at(-1)).toMatchObject({ type: "Update", object: { type: "Collection" } });
  });

  it("are revalidated by ETag, and come in both media types", async () => {
    await museum.services.sql`update public_dates set datestamp = '2026-01-31T12:00:00Z'`;
    const { last } = await at<Stream>(ADDRESS);
    for (const path of [ADDRESS, last.id.slice(base.length)]) {
      const { headers } = await museum.ask(path);
      expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
      const again = { "If-None-Match": headers.get("ETag")! };
      expect((await museum.ask(path, { headers: again })).status).toBe(304);
      const ld = await museum.ask(path, { headers: { Accept: "application/ld+json" } });
      expect(ld.headers.get("Content-Type")).toBe(`application/ld+json;profile="${CONTEXT}"`);
    }
  });

  it.each(["1", "20260231T000000Z-00000000-0000-0000-0000-000000000000", "00000101T000000Z-' or 1=1"])(
    "have no page %s",
    async (name) => {
      expect((await museum.ask(`${ADDRESS}/${name}`)).status).toBe(404);
    },
  );
});
