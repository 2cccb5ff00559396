/** Files in a bucket of a real object store: what is expected of the port, and what only a network needs. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ListMultipartUploadsCommand } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { s3Files } from "../../src/adapters/files/s3.ts";
import { removeAbandoned } from "../../src/adapters/files/s3-upload.ts";
import { Problem } from "../../src/problem.ts";
import { filesExpectations } from "../ports/files.ts";
import { DOMAIN, here, type ObjectStore, openTlsFront } from "../servers/object-store.ts";
import { isSwiftHere, openSwift, SWIFT_MISSING } from "../servers/swift.ts";
import { type Cable, layCable } from "../support/cable.ts";
import { makeAuthority } from "../support/relay.ts";
import { notTried } from "../support/skipped.ts";

const isHere = isSwiftHere();
if (!isHere) notTried(SWIFT_MISSING);

/** More than two parts of an upload. */
const LARGE = 20_000_003;

describe.runIf(isHere)("media in an object store", () => {
  let store: ObjectStore;
  let files: ReturnType<typeof s3Files>;
  beforeAll(async () => {
    store = await openSwift();
    files = s3Files(store.bucket);
  });
  afterAll(() => store?.close());

  filesExpectations("a bucket", async () => ({ files: s3Files(store.bucket), close: async () => undefined }));

  const unfinished = async (prefix: string) => {
    const attempts = new ListMultipartUploadsCommand({ Bucket: store.bucket.bucket, Prefix: prefix });
    return ((await store.client.send(attempts)).Uploads ?? []).length;
  };

  it("stores a large file in parts, and returns any part of it", async () => {
    const bytes = numbered(LARGE);
    expect(await files.put("large/scan.tif", pieces(bytes))).toEqual({ bytes: LARGE });
    const found = await files.get("large/scan.tif");
    expect(Buffer.compare(await bytesOf(found!.content), bytes)).toBe(0);
    const across = { first: 8_388_600, last: 8_388_620 };
    const part = await files.get("large/scan.tif", across);
    expect(part!.file.bytes).toBe(LARGE);
    expect(await bytesOf(part!.content)).toEqual(bytes.slice(across.first, across.last + 1));
    expect(await unfinished("large/")).toBe(0);
  });

  it.each([8_388_607, 8_388_608, 8_388_609, 16_777_216])("stores a file of %i bytes", async (length) => {
    expect(await files.put("edge/scan.tif", pieces(numbered(length)))).toEqual({ bytes: length });
    expect((await files.stat("edge/scan.tif"))!.bytes).toBe(length);
  });

  it("lists more files than the store returns in one answer", async () => {
    for (let number = 0; number < 7; number++) await files.put(`many/${number}.txt`, pieces(numbered(3)));
    const keys: string[] = [];
    for await (const { key } of s3Files(store.bucket, { listedAtOnce: 3 }).list("many/")) keys.push(key);
    expect(keys).toEqual(Array.from({ length: 7 }, (_none, number) => `many/${number}.txt`));
  });

  it("keeps nothing of a large upload that its sender breaks off", async () => {
    const broken = pieces(numbered(LARGE), () => {
      throw new Error("the line broke");
    });
    await expect(files.put("broken/scan.tif", broken)).rejects.toThrow("the line broke");
    expect(await files.stat("broken/scan.tif")).toBeNull();
    expect(await unfinished("broken/")).toBe(0);
  });

  it("deletes, a day later, what an upload has left because it could not tidy up", async () => {
    const cable = await layCable(store.bucket.endpointUrl!);
    const far = s3Files({ ...store.bucket, endpointUrl: cable.url });
    const upload = far.put(
      "cut/scan.tif",
      pieces(numbered(LARGE), () => cable.cut()),
    );
    const problem = await problemOf(upload);
    expect(problem.status).toBe(503);
    cable.mend();
    expect(await far.stat("cut/scan.tif")).toBeNull();
    expect(await unfinished("cut/")).toBe(1);
    for await (const { key } of far.list("cut/")) expect.fail(key);
    expect(await unfinished("cut/")).toBe(1);
    const later = Date.now() + 25 * 60 * 60 * 1000;
    await removeAbandoned(store.client, store.bucket.bucket, "cut/", later);
    expect(await unfinished("cut/")).toBe(0);
    await cable.close();
  });

  it("keeps the old file if the connection is cut while a new one is sent", async () => {
    await files.put("kept/scan.tif", pieces(numbered(10)));
    const cable = await layCable(store.bucket.endpointUrl!);
    const far = s3Files({ ...store.bucket, endpointUrl: cable.url });
    await problemOf(
      far.put(
        "kept/scan.tif",
        pieces(numbered(LARGE), () => cable.cut()),
      ),
    );
    expect(await bytesOf((await files.get("kept/scan.tif"))!.content)).toEqual(numbered(10));
    await cable.close();
  });

  describe("reports what is wrong", () => {
    it.each([
      [
        "the wrong secret",
        { secretKey: "guessed" },
        "REFUSES_KEYS",
        /S3_ACCESS_KEY, S3_SECRET_KEY: .* refuses/,
      ],
      [
        "an unknown key",
        { accessKey: "test:nobody" },
        "REFUSES_KEYS",
        /S3_ACCESS_KEY, S3_SECRET_KEY: .* refuses/,
      ],
      ["no such bucket", { bucket: "elsewhere" }, "NO_BUCKET", /has no bucket elsewhere/],
      [
        "nobody there",
        { endpointUrl: "http://127.0.0.1:1" },
        "ECONNREFUSED",
        /127\.0\.0\.1:1 cannot be reached/,
      ],
      [
        "no such host",
        { endpointUrl: "http://store.invalid" },
        "ENOTFOUND",
        /store\.invalid cannot be reached/,
      ],
    ])("%s", async (_what, change, code, says) => {
      const wrong = s3Files({ ...store.bucket, ...change });
      const attempts = [
        wrong.get("a/b"),
        wrong.put("a/b", pieces(numbered(3))),
        first(wrong.list("")),
        wrong.ping(),
      ];
      for (const problem of await Promise.all(attempts.map(problemOf))) {
        expect(problem).toMatchObject({ status: 503, cause: { code } });
        expect((problem.cause as Error).message).toMatch(says);
        expect(problem.message).not.toMatch(/127\.0\.0\.1|museum-media|test/);
      }
    });

    it("nothing, if all is well", async () => {
      await files.ping();
    });
  });

  describe("over a network that falls silent", () => {
    let cable: Cable;
    beforeAll(async () => {
      cable = await layCable(store.bucket.endpointUrl!);
    });
    afterAll(() => cable?.close());

    it("gives up waiting, both for an answer and for the rest of one", async () => {
      const far = s3Files({ ...store.bucket, endpointUrl: cable.url }, { patienceMs: 500 });
      await files.put("silent/scan.tif", pieces(numbered(LARGE)));
      const reader = (await far.get("silent/scan.tif"))!.content.getReader();
      await reader.read();
      cable.silence();
      await expect(
        (async () => {
          while (!(await reader.read()).done);
        })(),
      ).rejects.toThrow("has stopped sending");
      expect(await problemOf(far.stat("silent/scan.tif"))).toMatchObject({ cause: { code: "ETIMEDOUT" } });
    });

    it("detects an answer that was cut short", async () => {
      cable.mend();
      const far = s3Files({ ...store.bucket, endpointUrl: cable.url });
      const reader = (await far.get("silent/scan.tif"))!.content.getReader();
      await reader.read();
      cable.cut();
      await expect(
        (async () => {
          while (!(await reader.read()).done);
        })(),
      ).rejects.toThrow();
    });
  });
});

/** Not the name of a bucket. */
const HOST = "objects.test.internal";

const authority = isHere ? makeAuthority() : null;
if (isHere && !authority) notTried("an object store over TLS: there is no openssl to make certificates with");

describe.runIf(authority)("an object store with a certificate of a private authority", () => {
  let store: ObjectStore;
  let fronts: { port: number; close(): void }[];
  const folder = mkdtempSync(join(tmpdir(), "svc-ca-"));
  const caBundle = join(folder, "ca.pem");
  beforeAll(async () => {
    store = await openSwift();
    writeFileSync(caBundle, authority!.ca);
    const before = (host: string) => openTlsFront(store.bucket.endpointUrl!, authority!.certify(host));
    fronts = [await before(HOST), await before(`*.${DOMAIN}`)];
  });
  afterAll(async () => {
    for (const front of fronts ?? []) front.close();
    await store?.close();
    rmSync(folder, { recursive: true });
  });
  const opened = (host: string, change: Partial<ObjectStore["bucket"]> = {}) => {
    const { port } = fronts[host === DOMAIN ? 1 : 0]!;
    return s3Files({ ...store.bucket, endpointUrl: `https://${host}:${port}`, ...change }, { lookup: here });
  };

  it("is trusted because of the bundle, and only then", async () => {
    const trusting = opened(HOST, { caBundle });
    await trusting.put("tls/a.jpg", pieces(numbered(LARGE)));
    expect((await trusting.stat("tls/a.jpg"))!.bytes).toBe(LARGE);
    const problem = await problemOf(opened(HOST).stat("tls/a.jpg"));
    expect(problem).toMatchObject({ status: 503, cause: { code: "NOT_TRUSTED" } });
    expect((problem.cause as Error).message).toContain("S3_CA_BUNDLE names a private CA");
    const elsewhere = await problemOf(opened("store.example.org", { caBundle }).stat("tls/a.jpg"));
    expect(elsewhere).toMatchObject({ cause: { code: "NOT_TRUSTED" } });
  });

  it("is trusted without a check if S3_VERIFY_TLS is false", async () => {
    const blind = opened(HOST, { verifyTls: false });
    expect((await blind.stat("tls/a.jpg"))!.bytes).toBe(LARGE);
  });

  it("gets the name of the bucket in the host if S3_FORCE_PATH_STYLE is false", async () => {
    const named = opened(DOMAIN, { caBundle, forcePathStyle: false });
    await named.put("host/b.jpg", pieces(numbered(5)));
    expect(await bytesOf((await opened(HOST, { caBundle }).get("host/b.jpg"))!.content)).toEqual(numbered(5));
  });

  it("is refused if the bundle does not exist", () => {
    expect(() => opened(DOMAIN, { caBundle: "/nowhere/ca.pem" })).toThrow(/S3_CA_BUNDLE cannot be read/);
  });
});

function numbered(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_none, index) => (index * 7 + (index >> 8)) & 255);
}

/** @param between called when nine tenths were read, when a large file is already on its way */
function pieces(bytes: Uint8Array, between?: () => void): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      const next = at + 65_536;
      if (at < bytes.length * 0.9 && next >= bytes.length * 0.9) between?.();
      controller.enqueue(bytes.slice(at, next));
      at = next;
    },
  });
}

const bytesOf = async (stream: ReadableStream<Uint8Array>): Promise<Uint8Array> =>
  new Uint8Array(await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer());

async function first(list: AsyncIterable<unknown>): Promise<unknown> {
  for await (const each of list) return each;
}

async function problemOf(work: Promise<unknown>): Promise<Problem> {
  const thrown = await work.then(
    () => null,
    (error: unknown) => error,
  );
  if (thrown instanceof Problem) return thrown;
  throw thrown ?? new Error("no problem was thrown");
}
