/** The service behind nginx, configured as docs/deployment.md describes. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { HOST, openNginx } from "../../servers/nginx.ts";
import { jpeg } from "../../support/museum/media.ts";
import { type BehindNginx, canBeBehindNginx, openBehindNginx } from "../../support/servers/behind-nginx.ts";
import { openSilentPort } from "../../support/servers/silent-port.ts";
import { type Seen, type Visitor, visitor } from "../../support/servers/tls-visitor.ts";

const EXPORTS = 4;
const PIECE = Buffer.alloc(1_000_000, "a plate of the harbour, ");
const MEGABYTES = 500;
/** Where it is not set. */
const MEDIA_MAX_BYTES = 536_870_912;
const FORGED = { "X-Forwarded-For": "198.51.100.7" };
/** Addresses of this machine, which Linux has without being told. */
const [ANNA, BERT] = ["127.0.0.2", "127.0.0.3"];

describe.runIf(canBeBehindNginx())("behind nginx", () => {
  let behind: BehindNginx;
  let anna: Visitor;
  let bert: Visitor;
  let object: string;
  /** Begun first, and looked at again when it has been silent for long enough. */
  let watched: AsyncIterator<string>;
  beforeAll(async () => {
    behind = await openBehindNginx({ RATE_LIMIT_PUBLIC_EXPORT: `${EXPORTS}/minute` });
    anna = behind.at(ANNA);
    bert = behind.at(BERT);
    object = await behind.newObject();
  });
  afterAll(() => behind?.close());

  async function hear(words: string): Promise<void> {
    for (let text = ""; !text.includes(words); ) {
      const { value, done } = await watched.next();
      if (done) expect.fail(`the events ended with ${text}`);
      text += value;
    }
  }
  /** A file of so many megabytes, no two pieces of it the same. `look`: called now and then while it is read. */
  function* file(megabytes: number, hash = createHash("sha256"), look = () => {}): Generator<Buffer> {
    for (let n = 0; n < megabytes; n++) {
      const piece = Buffer.from(PIECE);
      piece.write(n === 0 ? "%PDF-1.7" : `plate ${n}`);
      hash.update(piece);
      if (n % 50 === 0) look();
      yield piece;
    }
  }
  const lengthOf = (megabytes: number) => ({ "Content-Length": String(megabytes * PIECE.length) });
  const upload = (content: Iterable<Uint8Array>, headers: Record<string, string> = {}) => {
    const body = Readable.from(content);
    return behind.staff(`/v1/objects/${object}/media`, { method: "POST", body, headers });
  };
  const peaks = () => [behind.service.child.pid!, ...behind.nginx.pids()].map(peakOf);

  it("the events of a job arrive as they happen", async () => {
    const { json } = await behind.staff("/v1/search/reindex", { method: "POST" });
    const events = await behind.staff(`/v1/jobs/${json.job_id}/events`);
    expect(events.text).toContain("event: done");
    const [waiting] = (await behind.staff("/v1/jobs?state=queued")).json.items;
    watched = (await behind.at(ANNA).open(`/v1/jobs/${waiting.job_id}/events`, { token: behind.token }))
      .setEncoding("utf8")
      [Symbol.asyncIterator]();
    await hear("event: progress");
  });

  it("a visitor is counted and noted by the own address, whichever address the request claims", async () => {
    const json = { email: "nobody@example.org", password: "a guess" };
    expect((await anna.ask("/v1/auth/login", { json, headers: FORGED })).status).toBe(401);
    const { items } = (await behind.staff("/v1/security-events?event=login_failed")).json;
    expect(items[0].client).toBe(ANNA);

    const statuses: number[] = [];
    let last: Seen | undefined;
    for (let n = 0; n <= EXPORTS; n++) {
      last = await anna.ask("/v1/objects/export", { headers: { "X-Forwarded-For": `198.51.100.${n}` } });
      statuses.push(last.status);
    }
    expect(statuses).toEqual([...Array.from({ length: EXPORTS }, () => 200), 429]);
    expect(Number(last!.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect((await bert.ask("/v1/objects/export")).status).toBe(200);
  });

  it("addresses and cookies are those of the public address", async () => {
    const page = await anna.ask(`/objects/${object}`, { headers: { Accept: "text/html" } });
    expect(page.text).toContain(`<link rel="canonical" href="https://${HOST}/objects/${object}">`);
    expect(page.headers.get("Strict-Transport-Security")).toContain("max-age=");
    expect(page.text).not.toMatch(/http:\/\/(127|catalogue)/);
    const entered = await anna.ask("/admin/sign-in", {
      method: "POST",
      body: new URLSearchParams(behind.login).toString(),
      headers: { "Content-Type": "application/x-www-form-urlencoded", Origin: `https://${HOST}` },
    });
    expect(entered.status).toBe(303);
    expect(new URL(entered.headers.get("Location")!, `https://${HOST}`).origin).toBe(`https://${HOST}`);
    for (const cookie of entered.headers.getSetCookie())
      expect(cookie).toMatch(/^__(Host|Secure)-.*; Secure/);
    expect(entered.headers.getSetCookie()).not.toEqual([]);
  });

  it("a page is never compressed, since it contains a form token, and a list is compressed once", async () => {
    const headers = { "Accept-Encoding": "gzip" };
    const page = await anna.ask("/admin/sign-in", { headers: { ...headers, Accept: "text/html" } });
    expect([page.status, page.headers.get("Content-Encoding")]).toEqual([200, null]);
    const packed = await anna.ask("/openapi.json", { headers });
    expect(packed.headers.get("Content-Encoding")).toBe("gzip");
    expect(JSON.parse(gunzipSync(packed.bytes).toString()).openapi).toMatch(/^3\./);
  });

  it("a list links to its other pages, however long the search is", async () => {
    const path = `/v1/objects?q=${encodeURIComponent("港".repeat(500))}`;
    const { status, headers } = await behind.staff(path);
    expect(status).toBe(200);
    expect(headers.get("Link")!.length).toBeGreaterThan(8_000);
  });

  it("pictures and files are cached, and sent in parts", async () => {
    const bytes = await jpeg(300, 200);
    const sent = await upload([bytes]);
    expect(sent.status).toBe(201);
    const picture = `/iiif/3/${sent.json.media_id}/full/100,/0/default.jpg`;
    const file = new URL(sent.json.links.file).pathname;
    for (const path of [picture, file]) {
      const whole = await anna.ask(path);
      const etag = whole.headers.get("ETag")!;
      expect([path, whole.status]).toEqual([path, 200]);
      expect(whole.headers.get("Cache-Control")).toMatch(/^public, max-age=\d+/);
      expect(await anna.ask(path, { headers: { "If-None-Match": etag } })).toMatchObject({
        status: 304,
        text: "",
      });
      const head = await anna.ask(path, { method: "HEAD" });
      expect([head.status, head.headers.get("ETag"), head.bytes.length]).toEqual([200, etag, 0]);
      if (path === file) expect(head.headers.get("Content-Length")).toBe(String(bytes.length));
    }
    expect((await anna.ask(file)).bytes).toEqual(bytes);
    const part = await anna.ask(file, { headers: { Range: "bytes=100-199" } });
    expect([part.status, part.headers.get("Content-Range")]).toEqual([206, `bytes 100-199/${bytes.length}`]);
    expect(part.bytes).toEqual(bytes.subarray(100, 200));
  });

  it(`a file of ${MEGABYTES} MB arrives and leaves byte for byte, and neither of them keeps it in memory`, async () => {
    const before = peaks();
    const buffered = new Set<string>();
    const look = () => {
      for (const name of behind.nginx.buffered()) buffered.add(name);
    };
    const hash = createHash("sha256");
    const sent = await upload(file(MEGABYTES, hash, look), lengthOf(MEGABYTES));
    const sha256 = hash.digest("hex");
    expect(sent).toMatchObject({ status: 201, json: { sha256, bytes: MEGABYTES * PIECE.length } });

    const got = createHash("sha256");
    let pieces = 0;
    for await (const piece of await anna.open(new URL(sent.json.links.file).pathname)) {
      got.update(piece);
      if (pieces++ % 5_000 === 0) look();
    }
    expect(got.digest("hex")).toBe(sha256);
    expect([...buffered]).toEqual([]);
    const grown = peaks().map((peak, n) => peak - before[n]!);
    for (const megabytes of grown) expect(megabytes, `${grown}`).toBeLessThan(150);
  });

  it("what is too large is refused by the service itself, although the rest of it is still on its way", async () => {
    const tooLarge = { status: 413, json: { type: "urn:svc:problem:too_large" } };
    const megabytes = Math.ceil(MEDIA_MAX_BYTES / PIECE.length);
    for (let n = 0; n < 5; n++)
      expect(await upload(file(megabytes), lengthOf(megabytes))).toMatchObject(tooLarge);
    // of a length that is not announced
    const record = { headers: { "Content-Type": "application/json" }, body: Readable.from(file(20)) };
    expect(await behind.staff("/v1/objects", record)).toMatchObject(tooLarge);
  });

  it("a silent connection gets a sign of life long before nginx would close it", async () => {
    await hear(": still there");
    await watched.return?.();
  });

  it("an instance whose machine is switched off delays nobody for long", async () => {
    const silent = await openSilentPort();
    onTestFinished(() => silent.close());
    const nginx = await openNginx([silent.port, behind.port]);
    onTestFinished(() => nginx.close());
    const { ask, leave } = visitor(nginx);
    onTestFinished(leave);
    const begun = performance.now();
    const answers = await Promise.all(Array.from({ length: 4 }, () => ask("/health")));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(performance.now() - begun).toBeLessThan(15_000);
  });

  it("visitors get 502 while the service is down, and answers as soon as it is back, then as one visitor without TRUSTED_PROXIES", async () => {
    await behind.service.kill("SIGKILL");
    for (const { ask } of [anna, bert]) expect((await ask("/health")).status).toBe(502);
    await behind.start({ TRUSTED_PROXIES: "" });
    for (const { ask } of [anna, bert]) expect((await ask("/health")).status).toBe(200);
    for (let n = 0; n < EXPORTS; n++) expect((await anna.ask("/v1/objects/export")).status).toBe(200);
    expect((await bert.ask("/v1/objects/export", { headers: FORGED })).status).toBe(429);
  });
});

/** Of a process, in megabytes. */
function peakOf(pid: number): number {
  return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024;
}
