/** Media of objects: uploading, listing, delivering, changing, deleting and restoring (contract §2.5, interface §6). */
import { createHash } from "node:crypto";
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { purgeTrash } from "../../workers/purge-trash.ts";
import { withKey } from "../support/museum/catalogue.ts";
import { inForm, jpeg, newObject, send } from "../support/museum/media.ts";
import { type Ask, databases, museumHere } from "../support/museum/museum.ts";

describe.each(databases)("media (%s)", async (database) => {
  const museum = await museumHere({ database });
  const editor = await museum.as("editor");
  const viewer = await museum.as("viewer");

  const filesKept = (): Promise<string[]> => readdir(join(museum.dataDir, "media/originals")).catch(() => []);
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into
  const json = async (answer: Response) => (await answer.json()) as any;

  it("the same file again is refused without naming a medium that the caller may not see", async () => {
    const object = await newObject(editor);
    await editor(`/v1/objects/${object}/publish`, { method: "POST" });
    const bytes = await jpeg(60, 40);
    const { media_id } = await json(
      await send(editor, object, bytes, "Geheimrat.jpg", { visibility: "private" }),
    );
    const uploader = await withKey(museum, await museum.as("superuser"), "media:write");
    const refused = await send(uploader, object, bytes, "again.jpg");
    expect([refused.status, refused.headers.get("Location")]).toEqual([409, null]);
    const text = await refused.text();
    expect(text).not.toContain("Geheimrat");
    expect(text).not.toContain(media_id);
    const known = await send(editor, object, bytes, "again.jpg");
    expect([known.status, known.headers.get("Location")]).toEqual([
      409,
      `/v1/objects/${object}/media/${media_id}`,
    ]);
  });

  it("a picture uploaded in a form is stored byte for byte and described", async () => {
    const object = await newObject(editor);
    const bytes = await jpeg(300, 200);
    const sent = await editor(`/v1/objects/${object}/media`, {
      method: "POST",
      body: inForm(bytes, "Hafen bei Nacht.jpg", {
        caption: "The harbour",
        alt_text: '[{"value": "Schiffe", "lang": "de"}]',
        license_uri: "https://creativecommons.org/publicdomain/zero/1.0/",
        rights_holder: "Museum am Hafen",
      }),
    });
    expect(sent.status).toBe(201);
    const medium = await json(sent);
    expect(medium).toMatchObject({
      object_id: object,
      filename: "Hafen bei Nacht.jpg",
      mime_type: "image/jpeg",
      category: "image",
      bytes: bytes.length,
      sha256: createHash("sha256").update(bytes).digest("hex"),
      width: 300,
      height: 200,
      visibility: "public",
      is_primary: true,
      position: 1,
      caption: [{ value: "The harbour" }],
      alt_text: [{ value: "Schiffe", lang: "de" }],
      license_uri: "https://creativecommons.org/publicdomain/zero/1.0/",
      rights_holder: "Museum am Hafen",
      storage_key: `originals/${medium.media_id}.jpg`,
      notes: [],
      duplicates: [],
    });
    expect(medium.links.file).toBe(`http://127.0.0.1:8000/objects/${object}/media/${medium.media_id}/file`);
    expect(sent.headers.get("Location")).toBe(`/v1/objects/${object}/media/${medium.media_id}`);
    expect(await readFile(join(museum.dataDir, "media", medium.storage_key))).toEqual(Buffer.from(bytes));
    const { notes: _n, duplicates: _d, ...shown } = medium;
    expect(await json(await viewer(`/v1/objects/${object}/media/${medium.media_id}`))).toEqual(shown);
    expect(await json(await viewer(`/v1/objects/${object}/media`))).toEqual({
      total: 1,
      page: 1,
      page_size: 50,
      items: [shown],
    });
  });

  it("a file can also be the whole request body, and its content determines its type", async () => {
    const object = await newObject(editor);
    const png = await sharp({ create: { width: 5, height: 4, channels: 3, background: "red" } })
      .png()
      .toBuffer();
    const medium = await json(await send(editor, object, png, "C:\\Bilder\\łódź.JPG"));
    expect(medium).toMatchObject({
      filename: "łódź.png",
      mime_type: "image/png",
      notes: ["C:\\Bilder\\łódź.JPG is a PNG file and is stored as łódź.png"],
    });
  });

  it("visitors get public files of public objects, at three addresses", async () => {
    const object = await newObject(editor);
    const [open, closed] = [await jpeg(10, 10), await jpeg(11, 11)];
    const one = await json(await send(editor, object, open, "open.jpg"));
    const other = await json(await send(editor, object, closed, "closed.jpg", { visibility: "private" }));
    const paths = (id: string) =>
      ["", "/v1", "/api/v1"].map((prefix) => `${prefix}/objects/${object}/media/${id}/file`);
    for (const path of paths(one.media_id)) expect((await museum.ask(path)).status).toBe(404);
    await editor(`/v1/objects/${object}/publish`, { method: "POST" });
    for (const path of paths(one.media_id)) {
      const got = await museum.ask(path);
      expect(got.status).toBe(200);
      expect(Buffer.from(await got.arrayBuffer()).equals(open)).toBe(true);
      expect(Object.fromEntries(got.headers)).toMatchObject({
        "content-type": "image/jpeg",
        "content-length": String(open.length),
        "content-disposition": 'inline; filename="open.jpg"',
        "x-content-type-options": "nosniff",
        "cache-control": "public, max-age=60",
        "access-control-allow-origin": "*",
      });
      expect(got.headers.get("Content-Security-Policy")).toContain("sandbox");
    }
    for (const path of [...paths(other.media_id), `/v1/objects/${object}/media/${other.media_id}`])
      expect((await museum.ask(path)).status).toBe(404);
    expect((await json(await museum.ask(`/v1/objects/${object}/media`))).total).toBe(1);
    const seen = await viewer(paths(other.media_id)[0]!);
    expect([seen.status, seen.headers.get("Cache-Control")]).toEqual([200, "private, no-store"]);
    expect(Buffer.from(await seen.arrayBuffer()).equals(closed)).toBe(true);
  });

  it("ranges are supported, and an unchanged file is not sent again", async () => {
    const object = await newObject(editor);
    const bytes = await jpeg(64, 64);
    const { media_id, sha256 } = await json(await send(editor, object, bytes, "a.jpg"));
    const file = `/objects/${object}/media/${media_id}/file`;
    const etag = `"${sha256}"`;
    const ask = (headers: Record<string, string>, method = "GET") => editor(file, { method, headers });
    const part = await ask({ Range: "bytes=2-5" });
    expect([part.status, part.headers.get("Content-Range"), part.headers.get("ETag")]).toEqual([
      206,
      `bytes 2-5/${bytes.length}`,
      etag,
    ]);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(2, 6));
    const end = await ask({ Range: "bytes=-3" });
    expect(Buffer.from(await end.arrayBuffer())).toEqual(bytes.subarray(-3));
    const modified = end.headers.get("Last-Modified")!;
    for (const [headers, status] of [
      [{ Range: `bytes=${bytes.length}-` }, 416],
      [{ Range: "bytes=-0" }, 416],
      [{ Range: "bytes=5-2" }, 200],
      [{ Range: "bytes=0-1,4-5" }, 200],
      [{ Range: "pages=1-2" }, 200],
      [{ Range: "bytes=0-1", "If-Range": etag }, 206],
      [{ Range: "bytes=0-1", "If-Range": modified }, 206],
      [{ Range: "bytes=0-1", "If-Range": '"another"' }, 200],
      [{ "If-None-Match": etag }, 304],
      [{ "If-None-Match": '"another"', "If-Modified-Since": modified }, 200],
      [{ "If-Modified-Since": modified }, 304],
    ] as [Record<string, string>, number][]) {
      const got = await ask(headers);
      expect([headers, got.status]).toEqual([headers, status]);
      if (status === 416) expect(got.headers.get("Content-Range")).toBe(`bytes */${bytes.length}`);
      await got.body?.cancel();
    }
    const head = await ask({}, "HEAD");
    expect([head.status, head.headers.get("Content-Length"), await head.text()]).toEqual([
      200,
      String(bytes.length),
      "",
    ]);
  });

  it("the same file twice on one object is a conflict that names the first; on another object the answer mentions it", async () => {
    const [object, another] = [await newObject(editor), await newObject(editor)];
    const bytes = await jpeg(20, 30);
    const first = await json(await send(editor, object, bytes, "a.jpg"));
    const kept = await filesKept();
    const again = await send(editor, object, bytes, "b.jpg");
    expect([again.status, again.headers.get("Location")]).toEqual([
      409,
      `/v1/objects/${object}/media/${first.media_id}`,
    ]);
    expect(await filesKept()).toEqual(kept);
    expect(await json(await send(editor, another, bytes, "c.jpg"))).toMatchObject({
      duplicates: [{ media_id: first.media_id, object_id: object }],
    });
  });

  it("a file that is not a supported medium is refused with a reason, and nothing of it is stored", async () => {
    const object = await newObject(editor);
    const kept = await filesKept();
    const whole = await jpeg(400, 300);
    for (const [bytes, status, sentence] of [
      ["", 415, "The file is empty"],
      ["just words", 415, "The content must be one of these types"],
      [
        '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>',
        415,
        "SVG drawing, which can contain scripts",
      ],
      ["WEBVTTER", 415, "The content must be one of these types"],
      [Buffer.from("WEBVTT\n\n\xe4", "latin1"), 422, "Captions must be WebVTT in UTF-8"],
      [Buffer.alloc(1024 * 1024 + 1, "WEBVTT\n"), 413, "larger than"],
      ["<!DOCTYPE html><script>alert(1)</script>", 415, "HTML page, which can contain scripts"],
      [
        await readFile(new URL("../fixtures/red.heic", import.meta.url)),
        415,
        "HEIC picture, which is not supported; save it as JPEG",
      ],
      [
        Buffer.from("\0\0\0\x0cjP  \r\n\x87\n", "latin1"),
        415,
        "JPEG 2000 picture, which is not supported; save it as TIFF",
      ],
      [whole.subarray(0, whole.length - 400), 422, "is incomplete"],
      [Buffer.concat([whole.subarray(0, 20), Buffer.alloc(300, "<script>")]), 422, "not a supported picture"],
    ] as [string | Buffer, number, string][]) {
      for (const answer of [
        await send(editor, object, Buffer.from(bytes), "x.jpg"),
        await editor(`/v1/objects/${object}/media`, {
          method: "POST",
          body: inForm(Buffer.from(bytes), "x.jpg"),
        }),
      ]) {
        const { detail } = await json(answer);
        expect([answer.status, detail]).toEqual([status, expect.stringContaining(sentence)]);
      }
    }
    expect(await filesKept()).toEqual(kept);
    expect((await json(await editor(`/v1/objects/${object}/media`))).total).toBe(0);
  });

  it("an upload is refused while files cannot be written, and works as soon as they can", async () => {
    const object = await newObject(editor);
    expect((await send(editor, object, await jpeg(14, 14), "first.jpg")).status).toBe(201);
    const bytes = await jpeg(15, 15);
    const directory = join(museum.dataDir, "media/originals");
    await rename(directory, `${directory}-elsewhere`);
    await writeFile(directory, "a file has this name");
    try {
      for (const fields of [undefined, {}]) {
        const refused = await send(editor, object, bytes, "second.jpg", fields);
        expect([refused.status, (await json(refused)).detail]).toEqual([
          503,
          "The file cannot be stored at the moment; the log of the service says why",
        ]);
      }
    } finally {
      await rm(directory);
      await rename(`${directory}-elsewhere`, directory);
    }
    expect((await send(editor, object, bytes, "second.jpg")).status).toBe(201);
  });

  it("lists find objects with a picture that the caller sees", async () => {
    const ids = [await newObject(editor), await newObject(editor), await newObject(editor)];
    await send(editor, ids[0]!, await jpeg(31, 13), "a.jpg");
    await send(editor, ids[1]!, await jpeg(32, 13), "b.jpg", { visibility: "private" });
    for (const id of ids) await editor(`/v1/objects/${id}/publish`, { method: "POST" });
    const found = async (ask: Ask, path: string) =>
      (await json(await ask(`${path}${ids}&has_picture=true&sort_by=created_at&sort_dir=asc`))).items.map(
        ({ id }: { id: string }) => id,
      );
    expect(await found(editor, "/v1/objects?ids=")).toEqual(ids.slice(0, 2));
    expect(await found(museum.ask, "/v1/objects?ids=")).toEqual(ids.slice(0, 1));
    expect((await museum.ask("/v1/objects?has_picture=maybe")).status).toBe(422);
    expect((await museum.ask("/v1/places?has_picture=true")).status).toBe(422);
  });

  it("an object includes its media on request, and every change to them gives it a new version", async () => {
    const object = await newObject(editor);
    const first = await json(await send(editor, object, await jpeg(12, 13), "a.jpg"));
    await send(editor, object, await jpeg(14, 15), "b.jpg", { visibility: "private" });
    const seen = await editor(`/v1/objects/${object}?include=media,version`);
    const { media, version } = await json(seen);
    expect(media.map((one: { filename: string }) => one.filename)).toEqual(["a.jpg", "b.jpg"]);
    expect(version).toBe(3);
    await editor(`/v1/objects/${object}/publish`, { method: "POST" });
    const shown = await museum.ask(`/v1/objects/${object}?include=media`);
    expect((await json(shown)).media.map((one: { media_id: string }) => one.media_id)).toEqual([
      first.media_id,
    ]);
    const etag = shown.headers.get("ETag")!;
    await editor(`/v1/objects/${object}/media/${first.media_id}`, {
      method: "PATCH",
      json: { caption: "Front" },
    });
    const later = await museum.ask(`/v1/objects/${object}?include=media`, {
      headers: { "If-None-Match": etag },
    });
    expect([later.status, (await json(later.clone())).media[0].caption]).toEqual([200, [{ value: "Front" }]]);
    expect((await museum.ask(`/v1/entities/${object}?include=media`)).status).toBe(404);
    const listed = async (ask: Ask) =>
      (await json(await ask("/v1/objects?include=media&page_size=200"))).items.find(
        (one: { id: string }) => one.id === object,
      ).media;
    expect(await listed(editor)).toEqual((await json(await editor(`/v1/objects/${object}/media`))).items);
    expect(await listed(museum.ask)).toEqual((await json(later.clone())).media);
    for (let number = 0; number < 10; number++)
      expect((await send(editor, object, await jpeg(20 + number, 9), `${number}.jpg`)).status).toBe(201);
    expect(await listed(editor)).toHaveLength(10);
    const { items } = await json(await editor(`/v1/objects/${object}/history`));
    expect(items.map((item: { action: string }) => item.action)).toEqual([
      ...Array.from({ length: 10 }, () => "media_added"),
      ...["media_changed", "status_changed", "media_added", "media_added", "created"],
    ]);
    expect(items[10].note).toEqual({ media_id: first.media_id, filename: "a.jpg" });
  });

  it("the description of a medium can be changed by those who are allowed to, based on the version they know", async () => {
    const object = await newObject(editor);
    const { media_id } = await json(await send(editor, object, await jpeg(16, 17), "a.jpg"));
    const path = `/v1/objects/${object}/media/${media_id}`;
    const change = (body: unknown, headers = {}, ask = editor) =>
      ask(path, { method: "PATCH", json: body, headers });
    const before = await editor(path);
    expect((await change({ caption: "x" }, {}, viewer)).status).toBe(403);
    expect((await change({ caption: "x" }, {}, museum.ask)).status).toBe(401);
    const changed = await change(
      {
        filename: "verso.png",
        caption: [
          { value: " Back ", lang: "en" },
          { value: "Rückseite", lang: "de" },
        ],
        license_uri: "https://rightsstatements.org/vocab/InC/1.0/",
        visibility: "private",
      },
      { "If-Match": before.headers.get("ETag")! },
    );
    expect([changed.status, await json(changed)]).toEqual([
      200,
      expect.objectContaining({
        filename: "verso.jpg",
        caption: [
          { value: "Back", lang: "en" },
          { value: "Rückseite", lang: "de" },
        ],
        license_uri: "https://rightsstatements.org/vocab/InC/1.0/",
        visibility: "private",
      }),
    ]);
    expect((await change({ caption: "y" }, { "If-Match": before.headers.get("ETag")! })).status).toBe(412);
    expect((await json(await change({ license_uri: null, caption: "" }))).license_uri).toBeNull();
    for (const [body, pointer] of [
      [{ license_uri: "javascript:alert(1)" }, "/license_uri"],
      [{ visibility: "hidden" }, "/visibility"],
      [{ position: 0 }, "/position"],
      [{ sha256: "0" }, "/sha256"],
      [{ caption: [{ value: "a", lang: "no such" }] }, "/caption/0/lang"],
      [{ caption: [{ value: "a" }, { value: "b" }] }, "/caption"],
      [{ rights_holder: "a\u0000b" }, "/rights_holder"],
    ] as [unknown, string][]) {
      const refused = await change(body);
      expect([refused.status, (await json(refused)).errors[0].pointer]).toEqual([422, pointer]);
    }
  });

  it("media keep one order and one primary medium, even under simultaneous changes", async () => {
    const object = await newObject(editor);
    const ids: string[] = [];
    const sent = await Promise.all(
      [31, 32, 33, 34, 35].map(async (width) => send(editor, object, await jpeg(width, 9), `${width}.jpg`)),
    );
    for (const answer of sent) expect(answer.status).toBe(201);
    for (const [position, detail] of [
      ["-1", "-1 is too small: at least 1"],
      ["1000001", "1000001 is too large: at most 1000000"],
      ["first", '"first" is not a whole number in digits'],
    ] as const) {
      const answer = await send(editor, object, await jpeg(30, 9), "30.jpg", { position });
      expect([answer.status, (await json(answer)).errors]).toMatchObject([
        422,
        [{ pointer: "/position", detail }],
      ]);
    }
    const list = async (): Promise<{ media_id: string; position: number; is_primary: boolean }[]> =>
      (await json(await editor(`/v1/objects/${object}/media`))).items;
    for (const one of await list()) ids.push(one.media_id);
    const positions = async () => (await list()).map((one) => [one.media_id, one.position]);
    const primary = async () => (await list()).filter((one) => one.is_primary).map((one) => one.media_id);
    const change = (id: string, json: unknown) =>
      editor(`/v1/objects/${object}/media/${id}`, { method: "PATCH", json });
    expect(await positions()).toEqual(ids.map((id, index) => [id, index + 1]));
    expect(await primary()).toEqual([ids[0]]);
    await change(ids[4]!, { position: 2 });
    const [a, b, c, d, e] = ids as [string, string, string, string, string];
    expect((await positions()).map(([id]) => id)).toEqual([a, e, b, c, d]);
    for (const answer of await Promise.all([b, c, d, e].map((id) => change(id, { is_primary: true }))))
      expect(answer.status).toBe(200);
    expect(await primary()).toHaveLength(1);
    await change(c, { is_primary: true });
    expect((await change(c, { is_primary: false })).status).toBe(409);
    await editor(`/v1/objects/${object}/media/${c}`, { method: "DELETE" });
    expect(await primary()).toEqual([a]);
    expect(await positions()).toEqual([a, e, b, d].map((id, index) => [id, index + 1]));
    await Promise.all([a, b, d, e].map((id, at) => change(id, { position: 4 - at })));
    expect((await positions()).map(([, position]) => position)).toEqual([1, 2, 3, 4]);
  });

  it("a deleted medium can be restored, and the trash takes media along with their object", async () => {
    const object = await newObject(editor);
    const bytes = await jpeg(50, 51);
    const { media_id } = await json(await send(editor, object, bytes, "a.jpg"));
    const path = `/v1/objects/${object}/media/${media_id}`;
    await editor(`/v1/objects/${object}/publish`, { method: "POST" });
    expect((await viewer(path, { method: "DELETE" })).status).toBe(403);
    expect((await editor(path, { method: "DELETE" })).status).toBe(204);
    for (const ask of [editor, museum.ask]) {
      expect((await ask(path)).status).toBe(404);
      expect((await ask(`${path}/file`)).status).toBe(404);
    }
    expect((await json(await editor(`/v1/objects/${object}/media/trash`))).items).toEqual([
      expect.objectContaining({ media_id, deleted_at: expect.any(String) }),
    ]);
    expect((await museum.ask(`/v1/objects/${object}/media/trash`)).status).toBe(401);
    const restored = await editor(`${path}/restore`, { method: "POST" });
    expect([restored.status, (await json(restored)).is_primary]).toEqual([200, true]);
    expect((await editor(`${path}/restore`, { method: "POST" })).status).toBe(404);
    await editor(path, { method: "DELETE" });
    expect((await send(editor, object, bytes, "again.jpg")).status).toBe(201);
    expect((await editor(`${path}/restore`, { method: "POST" })).status).toBe(409);
    const [again] = (await json(await editor(`/v1/objects/${object}/media`))).items;
    await editor(`/v1/objects/${object}?force=true`, { method: "DELETE" });
    expect((await museum.ask(`/objects/${object}/media/${again.media_id}/file`)).status).toBe(410);
    await editor(`/v1/objects/${object}/restore`, { method: "POST" });
    const back = await museum.ask(`/objects/${object}/media/${again.media_id}/file`);
    expect(Buffer.from(await back.arrayBuffer()).equals(bytes)).toBe(true);
  });

  it("what was deleted 30 days ago is removed with its file, and so are unfinished uploads", async () => {
    const [object, gone, known] = [await newObject(editor), await newObject(editor), await newObject(editor)];
    const admin = await museum.as("admin");
    const { services } = museum;
    const sent = async (id: string, width: number) =>
      json(await send(editor, id, await jpeg(width, 8), "a.jpg"));
    const [stays, thrown, young] = [await sent(object, 61), await sent(object, 62), await sent(object, 63)];
    const others = [await sent(gone, 64), await sent(known, 65)];
    await editor(`/v1/objects/${known}/publish`, { method: "POST" });
    for (const one of [thrown, young])
      await editor(`/v1/objects/${object}/media/${one.media_id}`, { method: "DELETE" });
    for (const id of [gone, known]) await admin(`/v1/objects/${id}?force=true`, { method: "DELETE" });
    await services.sql`update object_media set deleted_at = now() - interval '31 days' where id = ${thrown.media_id}`;
    await services.sql`update records set deleted_at = now() - interval '31 days' where id in (${gone}, ${known})`;
    const stray = "originals/0198c0de-0000-7000-8000-000000000001.jpg";
    await services.files.put(stray, new Response(new Uint8Array(await jpeg(3, 3))).body!);
    await services.sql`insert into stray_files (key, due_at) values (${stray}, now() - interval '1 second')`;
    const kept = await filesKept();
    const { media, files } = await purgeTrash(services);
    expect({ media, files }).toEqual({ media: 1, files: 4 });
    const left = await filesKept();
    const removed = kept.filter((name) => !left.includes(name)).map((name) => `originals/${name}`);
    const expected: string[] = [stray, thrown.storage_key, ...others.map((one) => one.storage_key)];
    expect(removed.sort()).toEqual(expected.sort());
    for (const one of [stays, young])
      expect(left.map((name) => `originals/${name}`)).toContain(one.storage_key);
    expect(await services.sql`select key from stray_files where due_at <= now()`).toEqual([]);
    expect((await museum.ask(`/v1/objects/${known}/media`)).status).toBe(410);
  });

  it("an interrupted upload leaves no file, no row and no draft", async () => {
    const object = await newObject(editor);
    const kept = await filesKept();
    const bytes = await jpeg(200, 200);
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new Uint8Array(bytes)),
      pull: (controller) => controller.error(new Error("the line broke")),
    });
    const path = `/v1/objects/${object}/media`;
    const broken = await editor(path, { method: "POST", body, duplex: "half" } as RequestInit);
    expect([broken.status, (await json(broken)).detail]).toEqual([400, "The request body ended too early"]);
    expect(await filesKept()).toEqual(kept);
    expect(await museum.services.sql`select 1 from stray_files`).toEqual([]);
    expect((await json(await editor(path))).total).toBe(0);
  });
});
