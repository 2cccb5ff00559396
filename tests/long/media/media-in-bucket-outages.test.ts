/** A museum with its media in an object store that fails or refuses: SeaweedFS, which can be killed and checks signatures. */
import { ListMultipartUploadsCommand } from "@aws-sdk/client-s3";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Started } from "../../runtimes/started.ts";
import {
  isSeaweedfsHere,
  openSeaweedfs,
  SEAWEEDFS_MISSING,
  type SeaweedStore,
} from "../../servers/seaweedfs.ts";
import { notTried } from "../../support/lane/skipped.ts";
import { type BucketMuseum, openBucketMuseum, pdf } from "../../support/museum/bucket-museum.ts";
import { jpeg } from "../../support/museum/media.ts";

const isHere = isSeaweedfsHere();
if (!isHere) notTried(SEAWEEDFS_MISSING);

/** More than two parts of an upload. */
const LARGE = 20_000_003;

describe.runIf(isHere)("a museum whose media are in a bucket", () => {
  let store: SeaweedStore;
  let museum: BucketMuseum;
  let service: Started;
  let small: string;
  beforeAll(async () => {
    store = await openSeaweedfs();
    museum = await openBucketMuseum(store);
    museum.storesIn("s3");
    service = await museum.open();
    small = (await museum.keep(pdf(1_000), "small.pdf")).media_id;
  });
  afterAll(async () => {
    await museum?.close();
    await store?.close();
  });

  const known = async () => [await museum.media(), await museum.inBucket()];
  const unfinished = async () => {
    const all = new ListMultipartUploadsCommand({ Bucket: store.bucket.bucket });
    return ((await store.client.send(all)).Uploads ?? []).length;
  };

  it("keeps nothing of an upload during which the store is killed, says so, and goes on with the store", async () => {
    const before = await known();
    let stopped: Promise<void> | undefined;
    const upload = pieces(pdf(LARGE, 1), () => {
      stopped = store.stop();
    });
    const answer = await museum.send(upload, "cut.pdf");
    await stopped;
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ title: "Temporarily unavailable" });
    expect(service.lines.join("\n")).toContain("cannot be reached");
    expect((await museum.delivered(small)).status).toBe(503);
    expect((await service.ask("/health")).json).toMatchObject({ status: "degraded" });
    await store.start();
    expect(await known()).toEqual(before);
    await museum.keep(pdf(LARGE, 1), "cut.pdf");
    await museum.allAreThere();
    await expect.poll(async () => (await service.ask("/health")).json.status).toBe("ok");
  });

  it("keeps nothing of an upload that its sender breaks off, or during which the service is killed", async () => {
    const begun = await unfinished();
    const before = await known();
    const broken = pieces(pdf(LARGE, 2), () => {
      throw new Error("gone");
    });
    await expect(museum.send(broken, "gone.pdf")).rejects.toThrow();
    await expect.poll(unfinished).toBe(begun);
    expect(await known()).toEqual(before);
    let killed: Promise<void> | undefined;
    const upload = pieces(pdf(LARGE, 3), () => {
      killed = service.kill("SIGKILL");
    });
    await expect(museum.send(upload, "killed.pdf")).rejects.toThrow();
    await killed;
    service = await museum.open();
    expect(await known()).toEqual(before);
    await museum.allAreThere();
  });

  it("shows a picture from the bucket in any size", async () => {
    const { media_id } = await museum.keep(await jpeg(3_000, 2_000), "harbour.jpg");
    const full = await museum.image(media_id, "full/600,/0/default.jpg");
    expect([full.status, await sharp(full.bytes).metadata()]).toMatchObject([
      200,
      { width: 600, height: 400 },
    ]);
    await expect.poll(museum.inBucket).toContain(`pyramids/${media_id}.tif`);
    const tile = await museum.image(media_id, "512,512,512,512/512,/0/default.jpg");
    expect([tile.status, await sharp(tile.bytes).metadata()]).toMatchObject([
      200,
      { width: 512, height: 512 },
    ]);
    expect(await museum.onDisk()).toEqual([]);
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
    museum.storesIn("s3", change);
    service = await museum.open();
    expect(await service.said(/media cannot be stored in the bucket/)).toMatch(logged);
    const { status, json } = await service.ask("/health");
    expect([status, json.checks.cantaloupe]).toEqual([503, shown]);
    expect(await museum.record()).toBe(200);
    const answer = await museum.send(pdf(3_000, 9), "wrong.pdf");
    expect(answer.status).toBe(503);
    expect(JSON.stringify(await answer.json())).not.toMatch(/127\.0\.0\.1|elsewhere|museum-media/);
    const examined = await museum.office.run("doctor", "--json");
    expect(examined.out).toMatch(logged);
    const verified = await museum.office.run("media-verify");
    expect(verified).toMatchObject({ code: 1, err: expect.stringMatching(logged) });
    const { accessKey, secretKey } = { ...store.bucket, ...change };
    for (const said of [service.lines.join("\n"), examined.out, examined.err, verified.out, verified.err]) {
      expect(said).not.toContain(accessKey);
      expect(said).not.toContain(secretKey);
    }
  });
});

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
