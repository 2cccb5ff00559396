/** Harmful files, and the largest harmless ones: each gets an answer, and the service survives. */
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { crc32, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { inLong } from "../support/lane/lane.ts";
import { inForm, jpeg, newObject, send } from "../support/museum/media.ts";
import { museumHere } from "../support/museum/museum.ts";

/** A PNG with one bit per pixel. `rows`: how many rows of pixels it really contains. */
function onePixelColour(width: number, height: number, rows: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const made = Buffer.alloc(12 + data.length);
    made.writeUInt32BE(data.length);
    made.write(type, 4, "latin1");
    data.copy(made, 8);
    made.writeUInt32BE(crc32(made.subarray(4, 8 + data.length)), 8 + data.length);
    return made;
  };
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]);
  head.writeUInt32BE(width);
  head.writeUInt32BE(height, 4);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * rows))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

describe("harmful uploads", async () => {
  const museum = await museumHere({
    env: { MEDIA_MAX_BYTES: "300k", MEDIA_MAX_PIXELS: "100000000" },
  });
  const editor = await museum.as("editor");
  const object = await newObject(editor);

  const storedFiles = () => readdir(join(museum.dataDir, "media/originals")).catch(() => []);
  async function refused(answer: Response, status: number, sentence: string) {
    const { detail } = (await answer.json()) as { detail: string };
    expect([answer.status, detail]).toEqual([status, expect.stringContaining(sentence)]);
  }

  it("a picture with too many pixels is refused after reading only its header", async () => {
    // 19,000 × 19,000 pixels of one colour in a few kilobytes
    const png = onePixelColour(19_000, 19_000, 19_000);
    expect(png.length).toBeLessThan(300_000);
    const before = await storedFiles();
    await refused(await send(editor, object, png, "white.png"), 422, "361,000,000 pixels");
    expect(await storedFiles()).toEqual(before);
  });

  it("a file that is too large is refused as soon as its size is known, and nothing of it is stored", async () => {
    const large = Buffer.concat([await jpeg(10, 10), Buffer.alloc(400_000, 1)]);
    const before = await storedFiles();
    await refused(await send(editor, object, large, "large.jpg"), 413, "larger than");
    await refused(await send(editor, object, large, "large.jpg", {}), 413, "larger than");
    // without a length announced in advance
    const body = new Response(new Uint8Array(large)).body!;
    const streamed = await editor(`/v1/objects/${object}/media`, {
      method: "POST",
      body,
      duplex: "half",
    } as RequestInit);
    await refused(streamed, 413, "larger than");
    expect(await storedFiles()).toEqual(before);
  });

  inLong(it)("compressed files and files that only pretend to be pictures are refused", async () => {
    const bomb = gzipSync(Buffer.alloc(20_000_000));
    await refused(await send(editor, object, bomb, "bomb.jpg"), 415, "must be one of these types");
    const packed = await editor(`/v1/objects/${object}/media`, {
      method: "POST",
      body: new Uint8Array(gzipSync(await jpeg(5, 5))),
      headers: { "Content-Encoding": "gzip", "Content-Type": "image/jpeg" },
    });
    await refused(packed, 415, "Content-Encoding");
    // a PNG whose pixels unpack to far more than its header says
    const png = onePixelColour(8, 1, 300_000);
    const { status } = await send(editor, object, png, "a.png");
    expect([201, 422]).toContain(status);
    expect((await museum.ask("/v1/objects")).status).toBe(200);
  });

  it("a picture that is also an HTML page is delivered as a picture, in a sandbox", async () => {
    const picture = await jpeg(9, 9);
    const polyglot = Buffer.concat([picture, Buffer.from("<html><script>alert(1)</script></html>")]);
    const sent = await send(editor, object, polyglot, "page.html");
    const { media_id, filename, mime_type } = (await sent.json()) as Record<string, string>;
    expect([sent.status, filename, mime_type]).toEqual([201, "page.jpg", "image/jpeg"]);
    const { headers } = await editor(`/objects/${object}/media/${media_id}/file`);
    expect(headers.get("Content-Type")).toBe("image/jpeg");
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(headers.get("Content-Security-Policy")).toMatch(/default-src 'none'.*; sandbox$/);
  });

  it.each([
    ["../../../etc/passwd", "passwd.jpg"],
    ["..\\..\\boot.ini.jpg", "boot.ini.jpg"],
    ["a\0b.jpg", "ab.jpg"],
    ["\u202egpj.exe", "gpj.jpg"],
    [".htaccess", "htaccess.jpg"],
    ["", "file.jpg"],
    [`${"x".repeat(5_000)}.jpg`, `${"x".repeat(200)}.jpg`],
    ['quo"te\r\nSet-Cookie: a=b.jpg', 'quo"teSet-Cookie: a=b.jpg'],
  ])("the file name %j does no harm", async (name, kept) => {
    const { media_id, filename } = (await (
      await send(editor, object, await jpeg(8, 8), name)
    ).json()) as Record<string, string>;
    expect(filename).toBe(kept);
    const { headers } = await editor(`/objects/${object}/media/${media_id}/file`);
    expect(headers.get("Content-Disposition")).toMatch(/^inline; filename="[^"\\\r\n]*"/);
    expect(headers.get("Set-Cookie")).toBeNull();
  });

  it("invalid identifiers, those of another object and those that the caller may not see give 404 or 422", async () => {
    const another = await newObject(editor);
    const { media_id } = (await (await send(editor, object, await jpeg(7, 7), "a.jpg")).json()) as Record<
      string,
      string
    >;
    for (const path of [
      `/objects/${another}/media/${media_id}/file`,
      `/v1/objects/${another}/media/${media_id}`,
      `/objects/${object}/media/${crypto.randomUUID()}/file`,
    ])
      expect([path, (await editor(path)).status]).toEqual([path, 404]);
    expect((await editor(`/objects/${object}/media/..%2f..%2fetc%2fpasswd/file`)).status).toBe(422);
    expect((await editor(`/objects/${object}/media/${media_id}%00/file`)).status).toBe(400);
    expect((await museum.ask(`/objects/${object}/media/${media_id}/file`)).status).toBe(404);
    const form = inForm(await jpeg(6, 6), "a.jpg", { postion: "1" });
    await refused(
      await editor(`/v1/objects/${object}/media`, { method: "POST", body: form }),
      422,
      "postion",
    );
  });

  it("a page of another site cannot upload anything", async () => {
    const answer = await editor(`/v1/objects/${object}/media`, {
      method: "POST",
      body: inForm(await jpeg(6, 7), "a.jpg"),
      headers: { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" },
    });
    await refused(answer, 403, "another origin");
  });

  it("a disk that is full when a picture comes from the bucket gives a clear error", async () => {
    const { images } = museum.services;
    museum.services.images = {
      ...images,
      describe: () => Promise.reject(Object.assign(new Error("write"), { code: "ENOSPC" })),
    };
    try {
      const answer = await send(editor, object, await jpeg(9, 9), "a.jpg");
      expect(answer.headers.get("Retry-After")).toBe("30");
      await refused(answer, 503, "The disk of the service is full");
    } finally {
      museum.services.images = images;
    }
  });

  it("a file that has disappeared gives a clear error", async () => {
    const root = join(museum.dataDir, "media");
    const { media_id, storage_key } = (await (
      await send(editor, object, await jpeg(5, 6), "a.jpg")
    ).json()) as Record<string, string>;
    await rm(join(root, storage_key!));
    await refused(await editor(`/objects/${object}/media/${media_id}/file`), 503, "is missing");
  });
});
