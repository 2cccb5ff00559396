/** Objects and collections as IIIF manifests (Presentation API 3.0), over HTTP. */
import { describe, expect, it } from "vitest";
import { english, linking, made } from "../support/museum/catalogue.ts";
import { jpeg, newObject, send } from "../support/museum/media.ts";
import { type Ask, databases, museumHere } from "../support/museum/museum.ts";

/** One second of silence: RIFF WAVE, 8,000 samples of 8 bit. */
function silence(): Uint8Array {
  const head = Buffer.alloc(44);
  head.write("RIFF", 0);
  head.writeUInt32LE(36 + 8_000, 4);
  head.write("WAVEfmt ", 8);
  for (const [at, value] of [
    [16, 16],
    [24, 8_000],
    [28, 8_000],
    [40, 8_000],
  ] as const)
    head.writeUInt32LE(value, at);
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 1],
    [34, 8],
  ] as const)
    head.writeUInt16LE(value, at);
  head.write("data", 36);
  return Buffer.concat([head, Buffer.alloc(8_000, 128)]);
}

const PDF = Buffer.from("%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n");

describe.each(databases)("IIIF manifests (%s)", async (database) => {
  const museum = await museumHere({ database, env: { ARK_ENABLED: "true", ARK_NAAN: "12345" } });
  const editor = await museum.as("editor");

  // biome-ignore lint/suspicious/noExplicitAny: manifests are looked into at every depth
  const read = async (path: string, ask: Ask = museum.ask): Promise<any> => (await ask(path)).json();
  const manifest = (id: string, ask?: Ask) => read(`/v1/objects/${id}/iiif/manifest`, ask);
  const add = async (object: string, bytes: Uint8Array, name: string, fields = {}) => {
    const sent = await send(editor, object, bytes, name, fields);
    expect(sent.status).toBe(201);
    return ((await sent.json()) as { media_id: string }).media_id;
  };

  const published = (metadata_: object) =>
    made(editor, "objects", { object_type: "painting", status: "public", metadata_ });

  it("describe the object in every language, with what viewers show beside the pictures", async () => {
    const id = await published({
      title: [
        { value: "Evening", lang: "en" },
        { value: "Abend", lang: "de" },
      ],
      date: [{ value: "1887~" }],
      material: [{ value: "canvas" }],
      credit_line: [{ value: "Bought in 1950", lang: "en" }],
      rights: [{ value: "https://creativecommons.org/publicdomain/mark/1.0/" }],
      description: [{ value: "<b>bold</b>" }],
      insurance_value: [{ value: "EUR 65,000" }],
    });
    const first = await add(id, await jpeg(600, 400), "front.jpg", {
      caption: '[{"value":"Front","lang":"en"}]',
    });
    await add(id, await jpeg(40, 30), "back.jpg", {
      is_primary: "true",
      license_uri: "https://creativecommons.org/licenses/by/4.0/",
      rights_holder: "Studio Ebb",
    });
    const found = await manifest(id);
    expect(found).toMatchObject({
      "@context": "http://iiif.io/api/presentation/3/context.json",
      id: `http://127.0.0.1:8000/iiif/presentation/3/objects/${id}/manifest`,
      type: "Manifest",
      label: { en: ["Evening"], de: ["Abend"] },
      rights: "http://creativecommons.org/publicdomain/mark/1.0/",
      requiredStatement: { value: { en: ["Bought in 1950"] } },
      homepage: [{ id: `http://127.0.0.1:8000/objects/${id}`, format: "text/html" }],
      // a viewer would take what looks like HTML for HTML
      summary: { none: ["<span>&lt;b&gt;bold&lt;/b&gt;</span>"] },
    });
    expect(found.metadata).toContainEqual({
      label: expect.objectContaining({ en: ["Date"] }),
      value: expect.objectContaining({ en: ["about 1887"], de: ["um 1887"], nl: ["ca. 1887"] }),
    });
    expect(found.metadata).toContainEqual({
      label: { none: ["ARK"] },
      value: { none: [expect.stringMatching(/^http:\/\/127\.0\.0\.1:8000\/ark:\/12345\/\w{8}$/)] },
    });
    expect(JSON.stringify(found)).toContain('"Leinwand"');
    expect(JSON.stringify(found)).not.toContain("65,000");
    expect(found.items).toHaveLength(2);
    const [canvas, other] = found.items;
    expect(canvas).toMatchObject({ type: "Canvas", label: { en: ["Front"] }, width: 600, height: 400 });
    expect(canvas.items[0].items[0]).toMatchObject({
      motivation: "painting",
      target: canvas.id,
      body: {
        id: `http://127.0.0.1:8000/iiif/3/${first}/full/max/0/default.jpg`,
        type: "Image",
        service: [{ id: `http://127.0.0.1:8000/iiif/3/${first}`, type: "ImageService3", profile: "level2" }],
      },
    });
    // the picture that stands for the object, at its own size
    expect(found.thumbnail[0]).toMatchObject({ width: 40, height: 30 });
    expect(other).toMatchObject({
      label: { none: ["2"] },
      rights: "http://creativecommons.org/licenses/by/4.0/",
      requiredStatement: { label: { de: ["Rechteinhaber"] }, value: { none: ["Studio Ebb"] } },
    });
    expect(await read(`/iiif/presentation/3/objects/${id}/manifest`)).toEqual(found);
  });

  it("present sounds with their length, and documents, by their types", async () => {
    const id = await published({ title: [{ value: "The Pilots’ Song" }] });
    await add(id, silence(), "song.wav");
    await add(id, PDF, "notes.pdf");
    const { items, rendering } = await manifest(id);
    expect(items[0]).toMatchObject({
      duration: 1,
      items: [{ items: [{ body: { type: "Sound", duration: 1 } }] }],
    });
    expect(items[0]).not.toHaveProperty("width");
    expect(items[1].items[0].items[0].body).toMatchObject({ type: "Text", format: "application/pdf" });
    expect(rendering.map(({ format }: { format: string }) => format)).toEqual([
      "audio/wav",
      "application/pdf",
    ]);
  });

  it("show captions with their film or sound, not as canvases", async () => {
    const id = await published({ title: [{ value: "The Pilots’ Song" }] });
    const captions = Buffer.from("WEBVTT\n\n00:00.000 --> 00:01.000\nHey, ho\n");
    await add(id, captions, "song.de.vtt");
    expect((await museum.ask(`/v1/objects/${id}/iiif/manifest`)).status).toBe(404);
    await add(id, silence(), "Song.wav");
    await add(id, Buffer.concat([captions, Buffer.from("\n")]), "songs.en.vtt");
    const { items, rendering } = await manifest(id);
    expect(rendering.map(({ format }: { format: string }) => format)).toEqual(["audio/wav"]);
    expect(items).toHaveLength(1);
    expect(items[0].annotations[0].items).toMatchObject([
      {
        motivation: "supplementing",
        body: { type: "Text", format: "text/vtt", language: "de" },
        target: items[0].id,
      },
    ]);
  });

  it("show visitors nothing that is not public, and do not exist if nothing is left", async () => {
    const id = await published({ title: [{ value: "Two sides" }] });
    await add(id, await jpeg(50, 50), "open.jpg");
    const hidden = await add(id, await jpeg(60, 60), "hidden.jpg", { visibility: "private" });
    expect(JSON.stringify(await manifest(id))).not.toContain(hidden);
    expect(JSON.stringify(await manifest(id, editor))).toContain(hidden);
    const draft = await newObject(editor);
    await add(draft, await jpeg(70, 70), "draft.jpg");
    expect((await museum.ask(`/v1/objects/${draft}/iiif/manifest`)).status).toBe(404);
    const bare = await published({ title: [{ value: "No picture" }] });
    expect((await museum.ask(`/v1/objects/${bare}/iiif/manifest`)).status).toBe(404);
  });

  it("are JSON-LD on request, open to every viewer, and get a new ETag with each change of record or media", async () => {
    const id = await published({ title: [{ value: "One" }] });
    const picture = await add(id, await jpeg(80, 80), "one.jpg");
    const path = `/v1/objects/${id}/iiif/manifest`;
    const answer = await museum.ask(path, {
      headers: { Accept: "application/ld+json", Origin: "https://viewer.example" },
    });
    expect(answer.headers.get("Content-Type")).toBe(
      'application/ld+json;profile="http://iiif.io/api/presentation/3/context.json"',
    );
    expect(answer.headers.get("Access-Control-Allow-Origin")).toBe("*");
    const tag = async () => (await museum.ask(path)).headers.get("ETag")!;
    const before = await tag();
    expect((await museum.ask(path, { headers: { "If-None-Match": before } })).status).toBe(304);
    await editor(`/v1/objects/${id}/media/${picture}`, {
      method: "PATCH",
      json: { caption: "Seen from above" },
    });
    const captioned = await tag();
    expect(captioned).not.toBe(before);
    await editor(`/v1/objects/${id}`, {
      method: "PATCH",
      json: { metadata_: { edition: [{ value: "first" }] } },
    });
    expect(await tag()).not.toBe(captioned);
  });

  it("name the museum and its logo once it has a name", async () => {
    const id = await published({ title: [{ value: "One" }] });
    await add(id, await jpeg(70, 80), "one.jpg");
    const paths = [`/v1/objects/${id}/iiif/manifest`, "/iiif/presentation/3/collections"];
    const admin = await museum.as("superuser");
    const logo = await admin("/v1/settings/logo", {
      method: "PUT",
      body: new Uint8Array(await jpeg(120, 60)),
      headers: { "Content-Type": "image/jpeg" },
    });
    expect(logo.status).toBe(200);
    for (const path of paths) expect(await read(path)).not.toHaveProperty("provider");
    const before = await museum.ask(paths[0]!);
    const change = (json: unknown) => admin("/v1/settings", { method: "PATCH", json });
    expect((await change({ name: { en: "Harbour Museum", de: "Hafenmuseum" } })).status).toBe(200);
    const label = { en: ["Harbour Museum"], de: ["Hafenmuseum"] };
    const { url } = (await logo.json()) as { url: string };
    for (const path of paths) {
      expect((await read(path)).provider).toEqual([
        {
          id: "http://127.0.0.1:8000/",
          type: "Agent",
          label,
          homepage: [{ id: "http://127.0.0.1:8000/", type: "Text", label, format: "text/html" }],
          logo: [{ id: url, type: "Image", format: "image/jpeg", width: 120, height: 60 }],
        },
      ]);
    }
    const fetched = await museum.ask(new URL(url).pathname, {
      headers: { Origin: "https://viewer.example" },
    });
    expect([fetched.status, fetched.headers.get("Access-Control-Allow-Origin")]).toEqual([200, "*"]);
    const etag = before.headers.get("ETag")!;
    expect((await museum.ask(paths[0]!, { headers: { "If-None-Match": etag } })).status).toBe(200);
    await change({ homepage_url: "https://museum.example/de" });
    expect((await read(paths[0]!)).provider[0].id).toBe("https://museum.example/de");
    expect((await change({ name: null, homepage_url: null })).status).toBe(200);
    expect((await admin("/v1/settings/logo", { method: "DELETE" })).status).toBe(204);
    expect((await museum.ask(paths[0]!, { headers: { "If-None-Match": etag } })).status).toBe(304);
  });

  it("are listed in the tree of collections", async () => {
    const collection = (title: string, more: object = {}) =>
      made(editor, "collections", { status: "public", metadata_: { title: english(title) }, ...more });
    const top = await collection("Fine Art");
    const prints = await collection("Prints", { parent_id: top });
    const draft = await collection("Unsorted", { parent_id: top, status: "draft" });
    const shown = await published({ title: [{ value: "Fog Signal", lang: "en" }] });
    const bare = await published({ title: [{ value: "Without picture" }] });
    await add(shown, await jpeg(90, 90), "fog.jpg");
    const link = linking(editor);
    for (const object of [shown, bare]) await link(object, "in_collection", "collection", prints);
    const at = (id: string) => `http://127.0.0.1:8000/iiif/presentation/3/collections/${id}`;
    expect((await read("/iiif/presentation/3/collections")).items).toContainEqual({
      id: at(top),
      type: "Collection",
      label: { en: ["Fine Art"] },
    });
    expect((await read(`/iiif/presentation/3/collections/${top}`)).items).toEqual([
      { id: at(prints), type: "Collection", label: { en: ["Prints"] } },
    ]);
    expect(await read(`/iiif/presentation/3/collections/${prints}`)).toMatchObject({
      partOf: [{ id: at(top), type: "Collection" }],
      items: [
        {
          id: `http://127.0.0.1:8000/iiif/presentation/3/objects/${shown}/manifest`,
          type: "Manifest",
          label: { en: ["Fog Signal"] },
        },
      ],
    });
    expect((await museum.ask(`/iiif/presentation/3/collections/${draft}`)).status).toBe(404);
  });
});
