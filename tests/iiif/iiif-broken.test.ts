/** Pictures that pass the check at the upload but cannot be decoded: nothing leads to them, and they answer 404. */
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../../src/app.ts";
import { DELIVERY_FORMATS } from "../../src/formats/delivery.ts";
import { viewsOf } from "../../src/formats/view.ts";
import { document } from "../../src/xml.ts";
import { drainOutbox } from "../../workers/drain-outbox.ts";
import { linking, made, said } from "../support/museum/catalogue.ts";
import { jpeg } from "../support/museum/media.ts";
import { type Ask, museumHere } from "../support/museum/museum.ts";
import { hang, prepared, squares } from "../support/museum/pictures.ts";
import { emptyPng } from "../support/museum/png.ts";
import { scanned } from "../support/museum/tiff.ts";

const museum = await museumHere();
const editor = await museum.as("editor");
beforeAll(async () => {
  const named = { json: { name: { en: "The Harbour Museum" } }, method: "PATCH" };
  expect((await (await museum.as("superuser"))("/v1/settings", named)).status).toBe(200);
});

const text = async (path: string, ask: Ask = museum.ask) => (await ask(path)).text();
const statusOf = async (path: string) => (await museum.ask(path)).status;
const stateOf = async (id: string) =>
  (await museum.services.sql<{ status: string }[]>`select status from object_media where id = ${id}`)[0]!
    .status;
const objectOf = async (id: string) =>
  (
    await museum.services.sql<{ object_id: string }[]>`select object_id from object_media where id = ${id}`
  )[0]!.object_id;
const original = (id: string, ending: string) => join(museum.dataDir, `media/originals/${id}.${ending}`);
const errors = () => museum.log.filter((line) => line.includes('"level":"error"')).length;

const PIXELS = { bits: 8, format: 1, channels: 1, data: new Uint8Array(600 * 400).fill(90) } as const;
const whole = scanned(600, 400, PIXELS);
const IMAGES = ["", "/info.json", "/full/max/0/default.jpg", "/full/90,/0/default.png"];

describe.each<[string, string, Buffer]>([
  ["half a TIFF", "half.tif", whole.subarray(0, whole.length / 2)],
  ["a PNG of 74 bytes that claims 30,000 × 30,000 pixels", "vast.png", emptyPng(30_000, 30_000)],
])("%s", (_, name, bytes) => {
  let id: string;
  let object: string;
  beforeAll(async () => {
    id = await hang(editor, bytes, name);
    object = await objectOf(id);
    const titled = { status: "public", metadata_: { title: said("Fog signals") } };
    await linking(editor)(object!, "in_collection", "collection", await made(editor, "collections", titled));
    await drainOutbox(museum.services);
    expect(await prepared(museum.services)).toMatchObject({ broken: 1 });
  });

  it("is not found by its images, once and for all, and without an error in the log", async () => {
    expect(await stateOf(id)).toBe("error");
    const before = errors();
    for (const path of IMAGES)
      for (const ask of [museum.ask, editor]) expect((await ask(`/iiif/3/${id}${path}`)).status).toBe(404);
    expect(errors()).toBe(before);
  });

  it("is in no manifest", async () => {
    for (const ask of [museum.ask, editor])
      expect((await ask(`/v1/objects/${object}/iiif/manifest`)).status).toBe(404);
    await editor(`/v1/objects/${object}/media`, {
      method: "POST",
      ...inBody(await jpeg(50, 40), "fine.jpg"),
    });
    for (const ask of [museum.ask, editor]) {
      const manifest = await text(`/v1/objects/${object}/iiif/manifest`, ask);
      expect(manifest).toContain('"Canvas"');
      expect(manifest).not.toContain(id);
    }
    await remove("fine.jpg");
  });

  it("takes its object from the IIIF collection, and its manifest is announced as deleted", async () => {
    const manifest = `/iiif/presentation/3/objects/${object}/manifest`;
    const [{ to_id }] = (await museum.services.sql`
      select to_id from relations where from_id = ${object}`) as unknown as [{ to_id: string }];
    expect(await text(`/iiif/presentation/3/collections/${to_id}`)).not.toContain(manifest);
    await drainOutbox(museum.services);
    const [{ manifest_activity }] = (await museum.services.sql`
      select manifest_activity from public_dates where record_id = ${object}`) as unknown as [
      { manifest_activity: string },
    ];
    expect(manifest_activity).toBe("Delete");
  });

  it("is in no format for aggregators, and in no linked data", async () => {
    const views = await viewsOf(museum.services, [object]);
    expect(views.length).toBe(1);
    for (const { prefix, write } of DELIVERY_FORMATS)
      for (const view of views) expect([prefix, document(write(view)).includes(id)]).toEqual([prefix, false]);
    for (const format of ["jsonld", "turtle"]) {
      const delivered = await text(`/v1/objects/${object}/export?format=${format}`);
      expect(delivered).toContain(object);
      expect(delivered).not.toContain(id);
    }
  });

  it("is on no page, nor in what the page tells search engines and those who share it", async () => {
    for (const path of [`/objects/${object}`, "/", "/search", "/collections"]) {
      const page = await text(path);
      expect(page, path).toContain("</html>");
      expect(page.includes(id), path).toBe(false);
    }
    expect(await text(`/objects/${object}`)).not.toContain("/manifest");
  });

  it("is listed with the reason, without an address of an image", async () => {
    const list = (await (await editor(`/v1/objects/${object}/media`)).json()) as {
      items: { links: object }[];
    };
    expect(list.items[0]).toMatchObject({
      status: "error",
      error_detail: expect.stringContaining("cannot be decoded"),
    });
    expect(Object.keys(list.items[0]!.links)).toEqual(["file"]);
  });

  async function remove(filename: string): Promise<void> {
    const [{ id: other }] = (await museum.services.sql`
      select id from object_media where object_id = ${object} and filename = ${filename}`) as unknown as [
      { id: string },
    ];
    const gone = await editor(`/v1/objects/${object}/media/${other}`, { method: "DELETE" });
    expect(gone.status).toBe(204);
  }
});

function inBody(bytes: Uint8Array, filename: string) {
  return {
    body: bytes as Uint8Array<ArrayBuffer>,
    headers: {
      "Content-Type": "application/octet-stream",
      "Content-Disposition": `attachment; filename="${filename}"`,
    },
  };
}

describe("a picture that was fine", () => {
  it("is found to be broken after the first image that fails", async () => {
    const id = await hang(editor, whole, "rots.tif");
    await prepared(museum.services);
    expect(await stateOf(id)).toBe("ready");
    await writeFile(original(id, "tif"), whole.subarray(0, 90_000));
    expect(await statusOf(`/iiif/3/${id}/full/90,/0/default.jpg`)).toBe(503);
    expect(await stateOf(id)).toBe("pending");
    expect(await prepared(museum.services)).toEqual({ prepared: 0, broken: 1 });
    expect(await statusOf(`/iiif/3/${id}/full/90,/0/default.jpg`)).toBe(404);
  });

  it("gets new tiles if only these were damaged", async () => {
    const id = await hang(editor, await squares(1_300, 1_100).png().toBuffer(), "tiles.png");
    await prepared(museum.services);
    const pyramid = join(museum.dataDir, `media/pyramids/${id}.tif`);
    const damaged = await readFile(pyramid);
    // the directories come after the tiles
    damaged.fill(0, 8, 12_000);
    await writeFile(pyramid, damaged);
    expect(await statusOf(`/iiif/3/${id}/full/1200,/0/default.jpg`)).toBe(503);
    expect(await prepared(museum.services)).toEqual({ prepared: 1, broken: 0 });
    expect(await stateOf(id)).toBe("ready");
    expect(await statusOf(`/iiif/3/${id}/full/1200,/0/default.jpg`)).toBe(200);
  });

  it("stays what it is while its file is missing or out of reach", async () => {
    const id = await hang(editor, await jpeg(300, 200), "away.jpg");
    await prepared(museum.services);
    const kept = await readFile(original(id, "jpg"));
    await rm(original(id, "jpg"));
    expect(await statusOf(`/iiif/3/${id}/full/50,/0/default.jpg`)).toBe(503);
    expect(await stateOf(id)).toBe("ready");
    await writeFile(original(id, "jpg"), kept);
    const gone = () => Promise.reject(new Error("the store does not answer"));
    const services = {
      ...museum.services,
      images: { ...museum.services.images, render: gone },
      files: { ...museum.services.files, stat: gone },
    };
    const { app } = createApp(services);
    expect((await app.request(`/iiif/3/${id}/full/51,/0/default.jpg`)).status).toBe(503);
    expect(await stateOf(id)).toBe("ready");
    expect(await statusOf(`/iiif/3/${id}/full/52,/0/default.jpg`)).toBe(200);
  });

  it("is not checked again with every image that fails", async () => {
    const id = await hang(editor, await jpeg(300, 200), "fine.jpg");
    const images = {
      ...museum.services.images,
      render: () => Promise.reject(new Error("no memory is left")),
    };
    const { app } = createApp({ ...museum.services, images });
    const states: string[] = [];
    for (const width of [60, 61]) {
      await prepared(museum.services);
      expect((await app.request(`/iiif/3/${id}/full/${width},/0/default.jpg`)).status).toBe(503);
      states.push(await stateOf(id));
    }
    expect(states).toEqual(["pending", "ready"]);
  });
});
