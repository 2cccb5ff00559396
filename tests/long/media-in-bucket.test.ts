/** The service with its media in an object store, as a museum uses it: moving there, backup, restore, moving back. */
import { createHash } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ListMultipartUploadsCommand } from "@aws-sdk/client-s3";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { unpackMedia } from "../../src/adapters/backups/media-restore.ts";
import { s3Files } from "../../src/adapters/files/s3.ts";
import { mediumOfKey } from "../../src/media/keys.ts";
import type { Started } from "../runtimes/started.ts";
import type { ObjectStore } from "../servers/object-store.ts";
import { isSwiftHere, openSwift, SWIFT_MISSING } from "../servers/swift.ts";
import { layCable } from "../support/cable.ts";
import { type Office, openOffice } from "../support/command.ts";
import { jpeg } from "../support/media.ts";
import { notTried } from "../support/skipped.ts";

const isHere = isSwiftHere();
if (!isHere) notTried(SWIFT_MISSING);

const LARGE = 40_000_000;

describe.runIf(isHere)("a museum with its media in a bucket", () => {
  let store: ObjectStore;
  let office: Office;
  let service: Started;
  let token: string;
  let object: string;
  const kept = new Map<string, string>();

  beforeAll(async () => {
    store = await openSwift();
    office = await openOffice();
  });
  afterAll(async () => {
    await office?.close();
    await store?.close();
  });
  afterEach(async () => {
    await service?.kill("SIGTERM");
  });

  const inBucket = async () => {
    const keys: string[] = [];
    for await (const { key } of s3Files(store.bucket).list("")) keys.push(key);
    return keys.sort();
  };
  const onDisk = () => readdir(join(office.settings.SVC_DATA_DIR!, "media/originals")).catch(() => []);
  const named = (backend: "local" | "s3", change: Partial<ObjectStore["bucket"]> = {}) => {
    const bucket = { ...store.bucket, ...change };
    Object.assign(office.settings, {
      STORAGE_BACKEND: backend,
      S3_ENDPOINT_URL: bucket.endpointUrl,
      S3_BUCKET: bucket.bucket,
      S3_ACCESS_KEY: bucket.accessKey,
      S3_SECRET_KEY: bucket.secretKey,
    });
  };
  const open = async () => {
    ({ service, token } = await office.serve());
  };
  const send = (body: Uint8Array | ReadableStream<Uint8Array>, name: string) =>
    fetch(`${service.url}/v1/objects/${object}/media`, {
      method: "POST",
      body: body as Uint8Array<ArrayBuffer>,
      headers: {
        Authorization: `Bearer ${token}`,
        "Content-Type": "application/octet-stream",
        "Content-Disposition": `attachment; filename="${name}"`,
      },
      ...(body instanceof ReadableStream ? { duplex: "half" } : {}),
    } as RequestInit);
  const keep = async (bytes: Uint8Array, name: string) => {
    const answer = await send(bytes, name);
    const medium = (await answer.json()) as { media_id: string; sha256: string; storage_key: string };
    expect([answer.status, medium.sha256]).toEqual([201, digest(bytes)]);
    kept.set(medium.media_id, medium.sha256);
    return medium;
  };
  const delivered = async (id: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${service.url}/objects/${object}/media/${id}/file`, {
      headers: { Authorization: `Bearer ${token}`, ...headers },
    });
    return { status: answer.status, bytes: new Uint8Array(await answer.arrayBuffer()) };
  };
  const allAreThere = async () => {
    for (const [id, sha256] of kept) {
      const { status, bytes } = await delivered(id);
      expect([status, digest(bytes)]).toEqual([200, sha256]);
    }
  };
  const media = async () => (await service.ask(`/v1/objects/${object}/media`, { token })).json.total;

  it("reads what was stored locally, and stores new files in the bucket", async () => {
    await open();
    const made = await service.ask("/v1/objects", {
      token,
      json: { object_type: "photograph", metadata_: {} },
    });
    object = made.json.id;
    for (const number of [1, 2, 3]) await keep(pdf(number * 1_000), `${number}.pdf`);
    await service.kill("SIGTERM");
    named("s3");
    await open();
    expect((await service.ask("/health")).json).toMatchObject({ status: "ok", checks: { cantaloupe: "ok" } });
    const large = pdf(LARGE);
    const { media_id, storage_key } = await keep(large, "large.pdf");
    expect(await inBucket()).toEqual([storage_key]);
    expect(await onDisk()).toHaveLength(3);
    await allAreThere();
    const { status, bytes } = await delivered(media_id, { Range: "bytes=8388600-8388619" });
    expect([status, Buffer.compare(bytes, large.subarray(8_388_600, 8_388_620))]).toEqual([206, 0]);
  });

  it("is backed up with all files, wherever they are", async () => {
    const made = JSON.parse((await office.run("backup", "--json")).out);
    expect(made.notes).toEqual([]);
    const proof = JSON.parse((await office.run("backup", "verify", made.media.name, "--json")).out);
    expect(proof.media).toEqual({ files: 4, bytes: LARGE + 6_000 });
  });

  it("moves the other files there while people look at them", async () => {
    await open();
    expect(await office.run("media-move", "--to", "local")).toMatchObject({
      code: 1,
      err: expect.stringContaining("set STORAGE_BACKEND=local and restart the service"),
    });
    const looking = allAreThere();
    const moved = await office.run("media-move", "--to", "s3");
    expect(moved).toMatchObject({ code: 0, out: "3 files moved (6.0 kB), none left" });
    await looking;
    expect([await onDisk(), (await inBucket()).length]).toEqual([[], 4]);
    await allAreThere();
    const proof = await office.run("media-verify");
    expect(proof).toMatchObject({
      code: 0,
      out: "4 media compared (40.0 MB read), no faults, no files that belong to no medium",
    });
  });

  it("restores files into an empty bucket, and keeps none of a restore that fails", async () => {
    const made = JSON.parse((await office.run("backup", "--json")).out);
    const before = await inBucket();
    const files = s3Files(store.bucket);
    for (const key of before) await files.remove(key);
    expect(await office.run("media-verify", "--quick")).toMatchObject({
      code: 1,
      out: expect.stringContaining("is missing"),
    });
    const elsewhere = await mkdtemp(join(tmpdir(), "svc-elsewhere-"));
    const bucket = { files, folders: ["originals/"], holds: (key: string) => mediumOfKey(key) !== null };
    const unpacked = await unpackMedia(made.media.path, elsewhere, { bucket });
    expect(await inBucket()).toEqual(before);
    await unpacked.drop();
    expect(await inBucket()).toEqual([]);
    await rm(elsewhere, { recursive: true });

    const restored = await office.run("restore", made.database.name, "--media", made.media.name, "--force");
    expect(restored).toMatchObject({ code: 0, out: expect.stringContaining("with 4 media files (40.0 MB)") });
    expect([await onDisk(), await inBucket()]).toEqual([[], before]);
    const again = ["restore", made.database.name, "--media", made.media.name];
    expect(await office.run(...again)).toMatchObject({ code: 1, err: expect.stringContaining("--force") });
    await open();
    await allAreThere();
  });

  it("keeps nothing of an upload during which the bucket disappears, and says so", async () => {
    const cable = await layCable(store.bucket.endpointUrl!);
    named("s3", { endpointUrl: cable.url });
    await open();
    const before = [await media(), await inBucket()];
    const answer = await send(
      pieces(pdf(LARGE, 1), () => cable.cut()),
      "cut.pdf",
    );
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ title: "Temporarily unavailable" });
    expect(service.lines.join("\n")).toContain("cannot be reached");
    const [first] = kept.keys();
    expect((await delivered(first!)).status).toBe(503);
    expect((await service.ask("/health")).json).toMatchObject({ status: "degraded" });
    cable.mend();
    expect([await media(), await inBucket()]).toEqual(before);
    await keep(pdf(LARGE, 1), "cut.pdf");
    await allAreThere();
    await cable.close();
    named("s3");
  });

  it("keeps nothing of an upload that its sender breaks off, or during which the service is killed", async () => {
    const unfinished = async () =>
      (await store.client.send(new ListMultipartUploadsCommand({ Bucket: store.bucket.bucket }))).Uploads ??
      [];
    const begun = (await unfinished()).length;
    await open();
    const before = [await media(), await inBucket()];
    const broken = pieces(pdf(LARGE, 2), () => {
      throw new Error("gone");
    });
    await expect(send(broken, "gone.pdf")).rejects.toThrow();
    await expect.poll(async () => (await unfinished()).length).toBe(begun);
    expect([await media(), await inBucket()]).toEqual(before);
    let killed: Promise<void> | undefined;
    const upload = send(
      pieces(pdf(LARGE, 3), () => {
        killed = service.kill("SIGKILL");
      }),
      "killed.pdf",
    );
    await expect(upload).rejects.toThrow();
    await killed;
    await open();
    expect([await media(), await inBucket()]).toEqual(before);
    await allAreThere();
  });

  it.each([
    [
      "the secret is wrong",
      { secretKey: "guessed" },
      "refuses the credentials",
      /S3_ACCESS_KEY, S3_SECRET_KEY: .* refuses/,
    ],
    [
      "the bucket does not exist",
      { bucket: "elsewhere" },
      "the bucket does not exist",
      /has no bucket elsewhere/,
    ],
    ["nobody answers", { endpointUrl: "http://127.0.0.1:1" }, "refuses connections", /cannot be reached/],
  ])("says at its start that %s, and serves the records", async (_what, change, shown, logged) => {
    named("s3", change);
    await open();
    const line = await service.said(/media cannot be stored in the bucket/);
    expect(line).toMatch(logged);
    expect(line).not.toContain("guessed");
    const { status, json } = await service.ask("/health");
    expect([status, json.checks.cantaloupe]).toEqual([503, shown]);
    expect((await service.ask(`/v1/objects/${object}`, { token })).status).toBe(200);
    const answer = await send(pdf(3_000, 9), "wrong.pdf");
    expect(answer.status).toBe(503);
    expect(JSON.stringify(await answer.json())).not.toMatch(/127\.0\.0\.1|elsewhere|museum-media/);
    const examined = await office.run("doctor", "--json");
    expect(examined.out).toMatch(logged);
    expect(await office.run("media-verify")).toMatchObject({ code: 1, err: expect.stringMatching(logged) });
    named("s3");
  });

  it("has a doctor that tests the bucket", async () => {
    const { out } = await office.run("doctor", "--json");
    expect(out).toContain("the bucket museum-media stores, returns and lists files");
    expect((await inBucket()).filter((key) => key.startsWith("probes/"))).toEqual([]);
  });

  it("shows a picture from the bucket in any size", async () => {
    await open();
    const { media_id } = await keep(await jpeg(3_000, 2_000), "harbour.jpg");
    const image = async (rest: string) => {
      const answer = await fetch(`${service.url}/iiif/3/${media_id}/${rest}`, {
        headers: { Authorization: `Bearer ${token}` },
      });
      return { status: answer.status, bytes: new Uint8Array(await answer.arrayBuffer()) };
    };
    const full = await image("full/600,/0/default.jpg");
    expect([full.status, await sharp(full.bytes).metadata()]).toMatchObject([
      200,
      { width: 600, height: 400 },
    ]);
    await expect.poll(inBucket).toContain(`pyramids/${media_id}.tif`);
    const tile = await image("512,512,512,512/512,/0/default.jpg");
    expect([tile.status, await sharp(tile.bytes).metadata()]).toMatchObject([
      200,
      { width: 512, height: 512 },
    ]);
    expect(await onDisk()).toEqual([]);
  });

  it("moves everything back", async () => {
    named("local");
    await open();
    await allAreThere();
    const moved = await office.run("media-move", "--to", "local", "--json");
    expect([moved.code, JSON.parse(moved.out)]).toMatchObject([0, { moved: 7, there: 0, left: [] }]);
    expect([(await onDisk()).length, await inBucket()]).toEqual([6, []]);
    await allAreThere();
    for (const name of Object.keys(office.settings).filter((each) => each.startsWith("S3_"))) {
      delete office.settings[name];
    }
    expect(await office.run("media-move", "--to", "local")).toMatchObject({
      code: 1,
      err: expect.stringContaining("No bucket is configured"),
    });
    await service.kill("SIGTERM");
    await open();
    await allAreThere();
  });
});

const digest = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** @param other makes another file of the same length */
function pdf(bytes: number, other = 0): Uint8Array {
  const full = new Uint8Array(bytes).fill(32 + other);
  full.set(new TextEncoder().encode("%PDF-1.4\n"));
  return full;
}

/** @param between called when three quarters were sent */
function pieces(bytes: Uint8Array, between: () => void): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    async pull(controller) {
      if (at >= bytes.length) return controller.close();
      const next = at + 500_000;
      if (at < bytes.length * 0.75 && next >= bytes.length * 0.75) between();
      controller.enqueue(bytes.slice(at, next));
      at = next;
    },
  });
}
