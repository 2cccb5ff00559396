/** Files in a bucket of real object stores: what is expected of the port, and what only a network needs. */
import { ListMultipartUploadsCommand } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { s3Files } from "../../../src/adapters/files/s3.ts";
import { removeAbandoned } from "../../../src/adapters/files/s3-upload.ts";
import { bytesOf, filesExpectations, numbered } from "../../ports/files.ts";
import type { ObjectStore } from "../../servers/object-store.ts";
import { objectStores } from "../../servers/object-stores.ts";
import { isSeaweedfsHere, openSeaweedfs } from "../../servers/seaweedfs.ts";
import { problemOf } from "../../support/problem-of.ts";
import { type Cable, layCable } from "../../support/servers/cable.ts";

/** More than two parts of an upload. */
const LARGE = 20_000_003;

for (const { name, isHere, open } of objectStores()) {
  describe.runIf(isHere)(`media in ${name}`, () => {
    let store: ObjectStore;
    let files: ReturnType<typeof s3Files>;
    beforeAll(async () => {
      store = await open();
      files = s3Files(store.bucket);
    });
    afterAll(() => store?.close());

    filesExpectations("a bucket", async () => ({
      files: s3Files(store.bucket),
      close: async () => undefined,
    }));

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

    describe("over a network that falls silent", () => {
      let cable: Cable;
      beforeAll(async () => {
        cable = await layCable(store.bucket.endpointUrl!);
      });
      afterAll(() => cable?.close());

      it("gives up waiting, both for an answer and for the rest of one", async () => {
        const far = s3Files({ ...store.bucket, endpointUrl: cable.url }, { patienceMs: 500 });
        await files.put("silent/scan.tif", pieces(numbered(LARGE)));
        // so slowly that most of it is still to come
        cable.slow(20);
        const rest = (await far.get("silent/scan.tif"))!.content;
        cable.silence();
        cable.slow(0);
        await expect(bytesOf(rest)).rejects.toThrow("has stopped sending");
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
}

describe.runIf(isSeaweedfsHere())("an object store that is killed while a file is sent", () => {
  it("keeps the old file and all others, and stores new ones as soon as it runs again", async () => {
    const store = await openSeaweedfs();
    const files = s3Files(store.bucket);
    await files.put("killed/old.tif", pieces(numbered(LARGE)));
    await files.put("killed/scan.tif", pieces(numbered(10)));
    let stopped: Promise<void> | undefined;
    const upload = files.put(
      "killed/scan.tif",
      pieces(numbered(LARGE), () => {
        stopped = store.stop();
      }),
    );
    expect(await problemOf(upload)).toMatchObject({ status: 503, cause: { code: "ECONNREFUSED" } });
    await stopped;
    expect(await problemOf(files.stat("killed/old.tif"))).toMatchObject({ cause: { code: "ECONNREFUSED" } });
    await store.start();
    expect(await bytesOf((await files.get("killed/scan.tif"))!.content)).toEqual(numbered(10));
    const old = await bytesOf((await files.get("killed/old.tif"))!.content);
    expect(Buffer.compare(old, numbered(LARGE))).toBe(0);
    await files.put("killed/scan.tif", pieces(numbered(LARGE)));
    expect((await files.stat("killed/scan.tif"))!.bytes).toBe(LARGE);
    const later = Date.now() + 25 * 60 * 60 * 1000;
    await removeAbandoned(store.client, store.bucket.bucket, "killed/", later);
    const left = await store.client.send(new ListMultipartUploadsCommand({ Bucket: store.bucket.bucket }));
    expect(left.Uploads ?? []).toEqual([]);
    await store.close();
  });
});

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
