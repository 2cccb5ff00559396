/** The service with its media in an object store, as a museum uses it: moving there, backup, restore, moving back. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unpackMedia } from "../../../src/adapters/backups/media-restore.ts";
import { s3Files } from "../../../src/adapters/files/s3.ts";
import { emptyTrash, throwAway } from "../../../src/media/care/trash.ts";
import { mediumOfKey } from "../../../src/media/keys.ts";
import type { ObjectStore } from "../../servers/object-store.ts";
import { objectStores } from "../../servers/object-stores.ts";
import { type BucketMuseum, openBucketMuseum, pdf } from "../../support/museum/bucket-museum.ts";

/** More than two parts of an upload. */
const LARGE = 20_000_003;

for (const { name, isHere, open } of objectStores()) {
  describe.runIf(isHere)(`a museum with its media in ${name}`, () => {
    let store: ObjectStore;
    let museum: BucketMuseum;
    beforeAll(async () => {
      store = await open();
      museum = await openBucketMuseum(store);
    });
    afterAll(async () => {
      await museum?.close();
      await store?.close();
    });

    it("reads what was stored locally, and stores new files in the bucket", async () => {
      await museum.open();
      for (const number of [1, 2, 3]) await museum.keep(pdf(number * 1_000), `${number}.pdf`);
      museum.storesIn("s3");
      const service = await museum.open();
      const health = (await service.ask("/health")).json;
      expect(health).toMatchObject({ status: "ok", checks: { cantaloupe: "ok" } });
      const large = pdf(LARGE);
      const { media_id, storage_key } = await museum.keep(large, "large.pdf");
      expect(await museum.inBucket()).toEqual([storage_key]);
      expect(await museum.onDisk()).toHaveLength(3);
      await museum.allAreThere();
      const { status, bytes } = await museum.delivered(media_id, { Range: "bytes=8388600-8388619" });
      expect([status, Buffer.compare(bytes, large.subarray(8_388_600, 8_388_620))]).toEqual([206, 0]);
    });

    it("is backed up with all files, wherever they are", async () => {
      const made = JSON.parse((await museum.office.run("backup", "--json")).out);
      expect(made.notes).toEqual([]);
      const proof = await museum.office.run("backup", "verify", made.media.name, "--json");
      expect(JSON.parse(proof.out).media).toEqual({ files: 4, bytes: LARGE + 6_000 });
    });

    it("moves the other files there while people look at them", async () => {
      const { office } = museum;
      expect(await office.run("media-move", "--to", "local")).toMatchObject({
        code: 1,
        err: expect.stringContaining("set STORAGE_BACKEND=local and restart the service"),
      });
      const looking = museum.allAreThere();
      const moved = await office.run("media-move", "--to", "s3");
      expect(moved).toMatchObject({ code: 0, out: "3 files moved (6 kB), none left" });
      await looking;
      expect([await museum.onDisk(), (await museum.inBucket()).length]).toEqual([[], 4]);
      await museum.allAreThere();
      const proof = await office.run("media-verify");
      expect(proof).toMatchObject({
        code: 0,
        out: "4 media compared (20 MB read), no faults, no files that belong to no medium",
      });
    });

    it("restores files into an empty bucket, and keeps none of a restore that fails", async () => {
      await museum.stop();
      const { office } = museum;
      const made = JSON.parse((await office.run("backup", "--json")).out);
      const before = await museum.inBucket();
      const files = s3Files(store.bucket);
      for (const key of before) await files.remove(key);
      expect(await office.run("media-verify", "--quick")).toMatchObject({
        code: 1,
        out: expect.stringContaining("is missing"),
      });
      const elsewhere = await mkdtemp(join(tmpdir(), "svc-elsewhere-"));
      const bucket = { files, folders: ["originals/"], holds: (key: string) => mediumOfKey(key) !== null };
      const unpacked = await unpackMedia(made.media.path, elsewhere, { bucket });
      expect(await museum.inBucket()).toEqual(before);
      await unpacked.drop();
      expect(await museum.inBucket()).toEqual([]);
      await rm(elsewhere, { recursive: true });

      const again = ["restore", made.database.name, "--media", made.media.name];
      expect(await office.run(...again, "--force")).toMatchObject({
        code: 0,
        out: expect.stringContaining("with 4 media files (20 MB)"),
      });
      expect([await museum.onDisk(), await museum.inBucket()]).toEqual([[], before]);
      expect(await office.run(...again)).toMatchObject({
        code: 1,
        err: expect.stringContaining("--force"),
      });
    });

    it("throws files that no row names into a trash in the bucket, which no backup contains", async () => {
      const { office } = museum;
      const before = await museum.inBucket();
      const id = "0198c0de-0000-7000-8000-000000000001";
      const keys = [`originals/${id}.pdf`, `pyramids/${id}.tif`];
      const large = pdf(LARGE);
      const files = s3Files(store.bucket);
      for (const key of keys) await files.put(key, new Response(large as Uint8Array<ArrayBuffer>).body!);
      const all = [...before, ...keys];
      expect(await office.look((services) => throwAway(services, all, () => undefined))).toBe(2);
      const trashed = (await museum.inBucket()).filter((key) => !before.includes(key));
      expect(trashed.map((key) => key.replace(/^trash\/\d{4}-\d\d-\d\d\//, ""))).toEqual(keys);
      expect((await files.stat(trashed[0]!))!.bytes).toBe(LARGE);
      const made = JSON.parse((await office.run("backup", "--json")).out);
      const proof = await office.run("backup", "verify", made.media.name, "--json");
      expect(JSON.parse(proof.out).media).toMatchObject({ files: before.length });
      expect(await office.look((services) => emptyTrash(services.files))).toBe(0);
      const later = Date.now() + 32 * 86_400_000;
      expect(await office.look((services) => emptyTrash(services.files, later))).toBe(2);
      expect(await museum.inBucket()).toEqual(before);
    });

    it("has a doctor that tests the bucket", async () => {
      const { out } = await museum.office.run("doctor", "--json");
      expect(out).toContain("the bucket museum-media stores, returns and lists files");
      expect((await museum.inBucket()).filter((key) => key.startsWith("probes/"))).toEqual([]);
    });

    it("moves everything back", async () => {
      const { office } = museum;
      museum.storesIn("local");
      const moved = await office.run("media-move", "--to", "local", "--json");
      expect([moved.code, JSON.parse(moved.out)]).toMatchObject([0, { moved: 4, there: 0, left: [] }]);
      expect([(await museum.onDisk()).length, await museum.inBucket()]).toEqual([4, []]);
      for (const variable of Object.keys(office.settings).filter((each) => each.startsWith("S3_"))) {
        delete office.settings[variable];
      }
      expect(await office.run("media-move", "--to", "local")).toMatchObject({
        code: 1,
        err: expect.stringContaining("No bucket is configured"),
      });
      await museum.open();
      await museum.allAreThere();
    });
  });
}
