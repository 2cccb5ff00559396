/** Media of objects: sent, shown, delivered, changed, thrown away and brought back (contract §2.5, interface §6). */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inForm, jpeg, newObject, send } from "./support/media.ts";
import { type Ask, databases, type Museum, openMuseum } from "./support/museum.ts";

describe.each(databases)("media (%s)", (database) => {
  let museum: Museum;
  let editor: Ask;
  let viewer: Ask;
  beforeAll(async () => {
    museum = await openMuseum({ database });
    editor = await museum.as("editor");
    viewer = await museum.as("viewer");
  });
  afterAll(() => museum?.close());

  const filesKept = () => readdir(join(museum.dataDir, "media/originals")).catch(() => []);
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into
  const json = async (answer: Response) => (await answer.json()) as any;

  it("a picture that is sent in a form is kept to the byte, and described", async () => {
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

  it("a file is sent as the body too, and its content says what it is", async () => {
    const object = await newObject(editor);
    const png = await sharp({ create: { width: 5, height: 4, channels: 3, background: "red" } })
      .png()
      .toBuffer();
    const medium = await json(await send(editor, object, png, "C:\\Bilder\\łódź.JPG"));
    expect(medium).toMatchObject({
      filename: "łódź.png",
      mime_type: "image/png",
      notes: ["C:\\Bilder\\łódź.JPG is a PNG file and is kept as łódź.png"],
    });
  });

  it("visitors get what is public of objects that are public, at three addresses", async () => {
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

  it("a part of a file is given, and what did not change is not sent again", async () => {
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

  it("the same file twice on one object is a conflict that names the first; elsewhere it is told", async () => {
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

  it("what is no medium is refused with a sentence, and nothing of it is kept", async () => {
    const object = await newObject(editor);
    const kept = await filesKept();
    const whole = await jpeg(400, 300);
    for (const [bytes, status, sentence] of [
      ["", 415, "The file is empty"],
      ["just words", 415, "Files are known by their content"],
      [
        '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>',
        415,
        "SVG drawing, which can hold programs",
      ],
      ["<!DOCTYPE html><script>alert(1)</script>", 415, "HTML page, which can hold programs"],
      [whole.subarray(0, whole.length - 400), 422, "cut off"],
      [Buffer.concat([whole.subarray(0, 20), Buffer.alloc(300, "<script>")]), 422, "can be read here"],
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
});
