/** Images from another image server (CANTALOUPE_URL), too many images at once, and the rate limit. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../../src/app.ts";
import type { Services } from "../../src/services.ts";
import { jpeg } from "../support/museum/media.ts";
import { type Ask, type Museum, openMuseum } from "../support/museum/museum.ts";
import { hang, prepared } from "../support/museum/pictures.ts";
import { withResolvers } from "../support/with-resolvers.ts";

let museum: Museum;
let editor: Ask;
let server: Server;
let requests: string[];
let status: number;
/** Of images; null: as asked. */
let type: string | null = null;
/** Bytes of image information that it sends beyond the useful ones, at most. */
let surplus = 0;
let sent = 0;
beforeAll(async () => {
  // it answers like Cantaloupe, but with text instead of pixels
  server = createServer((request, response) => {
    requests.push(request.url!);
    const isInfo = request.url!.endsWith("/info.json");
    const body = isInfo ? JSON.stringify({ id: "http://inside:8182/x", width: 300, maxArea: 9 }) : "pixels";
    const asked = isInfo ? "application/json" : "image/jpeg";
    response.writeHead(status, { "Content-Type": type ?? asked });
    if (surplus === 0) return void response.end(body);
    sent = 0;
    const more = () => {
      for (; sent < surplus && !response.destroyed; sent += 65_536)
        if (!response.write(Buffer.alloc(65_536, " "))) return void response.once("drain", more);
      response.end(body);
    };
    more();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const CANTALOUPE_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  museum = await openMuseum({ env: { CANTALOUPE_URL } });
  editor = await museum.as("editor");
});
afterAll(async () => {
  server?.close();
  await museum?.close();
});
afterEach(() => {
  requests = [];
});

const get = (path: string) => museum.ask(`/iiif/3/${path}`);

describe("another image server", () => {
  let id: string;
  beforeAll(async () => {
    requests = [];
    status = 200;
    id = await hang(editor, await jpeg(1_200, 1_100), "theirs.jpg");
  });

  it("is asked by the name of the original, and its answer appears under our address", async () => {
    const image = await get(`${id}/0,0,100,100/^200,/!90/gray.jpg`);
    expect([image.status, image.headers.get("Content-Type"), await image.text()]).toEqual([
      200,
      "image/jpeg",
      "pixels",
    ]);
    expect(image.headers.get("Link")).toContain('rel="canonical"');
    expect(image.headers.get("Access-Control-Allow-Origin")).toBe("*");
    const info = await get(`${id}/info.json`);
    expect(await info.json()).toEqual({ id: `http://127.0.0.1:8000/iiif/3/${id}`, width: 300, maxArea: 9 });
    expect(requests.map(decodeURIComponent)).toEqual([
      `/iiif/3/${id}.jpg/0,0,100,100/^200,/!90/gray.jpg`,
      `/iiif/3/${id}.jpg/info.json`,
    ]);
  });

  it("is not asked for a picture that the caller may not see, or for an invalid request", async () => {
    const hidden = await hang(editor, await jpeg(40, 30), "hidden.jpg", { visibility: "private" });
    for (const path of ["", "/info.json", "/full/max/0/default.jpg"])
      expect((await get(`${hidden}${path}`)).status).toBe(404);
    expect((await get(`${id}/full/nonsense/0/default.jpg`)).status).toBe(400);
    expect(requests).toEqual([]);
  });

  it.each([
    [400, 400],
    [501, 501],
    [403, 503],
    [404, 503],
    [500, 503],
    [302, 503],
  ])("that answers %s is answered with %s here, with a sentence", async (theirs, ours) => {
    status = theirs;
    for (const path of ["full/max/0/default.jpg", "info.json"]) {
      const answer = await get(`${id}/${path}`);
      const { detail } = (await answer.json()) as { detail: string };
      expect([answer.status, detail.startsWith("The image server ")]).toEqual([ours, true]);
    }
    status = 200;
  });

  it.each(["text/html", "text/html; charset=utf-8", "image/svg+xml", "image/png"])(
    "that answers with %s instead of the picture is not passed on",
    async (theirs) => {
      type = theirs;
      const answer = await get(`${id}/full/max/0/default.jpg`);
      type = null;
      expect([answer.status, answer.headers.get("Content-Type")]).toEqual([503, "application/problem+json"]);
    },
  );

  it("cannot fill the memory with image information", async () => {
    surplus = 600 * 1024 * 1024;
    const answer = await get(`${id}/info.json`);
    expect(answer.status).toBe(503);
    expect(sent).toBeLessThan(surplus / 2);
    surplus = 0;
  });

  it("makes its own tiles: pictures are only checked here", async () => {
    await prepared(museum.services);
    const [row] = await museum.services.sql`select status, pyramid_key from object_media where id = ${id}`;
    expect(row).toMatchObject({ status: "ready", pyramid_key: null });
  });
});

describe("the built-in image server", () => {
  let own: Services;
  let id: string;
  beforeAll(async () => {
    own = { ...museum.services, imageServer: null };
    id = await hang(editor, await jpeg(400, 300), "own.jpg");
  });

  it("queues a limited number of images, and asks callers beyond it to try again later", async () => {
    let making = 0;
    let most = 0;
    const { promise: released, resolve: release } = withResolvers();
    const images: Services["images"] = {
      ...own.images,
      kept: async () => null,
      async render() {
        making += 1;
        most = Math.max(most, making);
        await released;
        making -= 1;
        return new Uint8Array([1]);
      },
    };
    const { app } = createApp({ ...own, images });
    const flood = Array.from({ length: 130 }, (_, index) =>
      app.request(`/iiif/3/${id}/full/${index + 10},/0/default.jpg`, {}, { remote: "198.18.0.1" }),
    );
    const refused = await Promise.race(
      flood.map(async (asking) => ((await asking).status === 503 ? asking : new Promise<never>(() => {}))),
    );
    expect(refused.headers.get("Retry-After")).toBe("5");
    expect(((await refused.json()) as { detail: string }).detail).toContain("Too many images");
    release();
    const statuses = (await Promise.all(flood)).map((answer) => answer.status);
    expect(most).toBe(2);
    expect(statuses.filter((each) => each === 200).length).toBeGreaterThan(99);
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
  });

  it("makes an image once if several callers want it at the same time", async () => {
    let made = 0;
    const images: Services["images"] = {
      ...own.images,
      async render(...order) {
        made += 1;
        return own.images.render(...order);
      },
    };
    const { app } = createApp({ ...own, images });
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => app.request(`/iiif/3/${id}/full/123,/0/default.jpg`)),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array(8).fill(200));
    expect(made).toBe(1);
  });

  it("has its own rate limit, because looking at a large picture takes hundreds of tiles", async () => {
    const config = {
      ...own.config,
      rateLimits: { ...own.config.rateLimits, iiif: { limit: 3, windowSeconds: 60 } },
    };
    const { app } = createApp({ ...own, config });
    const statuses: number[] = [];
    for (let times = 0; times < 5; times++) {
      const answer = await app.request(`/iiif/3/${id}/info.json`, {}, { remote: "198.18.0.2" });
      statuses.push(answer.status);
      expect(answer.headers.get("RateLimit-Policy")).toBe('"iiif";q=3;w=60');
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    const other = await app.request("/v1/objects", {}, { remote: "198.18.0.2" });
    expect(other.status).toBe(200);
  });
});
