/** What was promised to be deleted is deleted, also after a restore. What no row names is never deleted by itself. */
import { mkdir, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { unpacked } from "../../src/adapters/backups/backup-source.ts";
import { archiveMedia } from "../../src/adapters/backups/media-archive.ts";
import { resetCatalogue } from "../../src/adapters/database/dump/reset.ts";
import { adoptFile, announceFile } from "../../src/media/care/orphans.ts";
import { emptyTrash, recentRestore, throwAway } from "../../src/media/care/trash.ts";
import { verifyMedia } from "../../src/media/care/verify.ts";
import { TRASH } from "../../src/media/keys.ts";
import type { Files } from "../../src/services.ts";
import { makeBackup } from "../../workers/back-up.ts";
import { prepareImages } from "../../workers/prepare-images.ts";
import { purgeTrash } from "../../workers/purge-trash.ts";
import { oneOrAll } from "../support/lane/lane.ts";
import { restored } from "../support/museum/backups.ts";
import { jpeg, newObject, send } from "../support/museum/media.ts";
import { databases, type Museum, museumHere, openMuseum, quickest } from "../support/museum/museum.ts";
import { officeHere } from "../support/programs/command.ts";
import { scratchKinds } from "../support/servers/databases.ts";

const DAY = 86_400_000;
const NOBODY = () => undefined;
const idOf = (n: number) => `0198c0de-0000-7000-8000-${String(n).padStart(12, "0")}`;
const dayAfter = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10);
const today = () => dayAfter(0);

async function keysIn(files: Files, prefix = ""): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of files.list(prefix)) keys.push(key);
  return keys.sort();
}

const put = (files: Files, key: string, text = key) => files.put(key, new Response(text).body!);

/** Two hours old, so that it is not one on its way. */
async function age(museum: Museum, key: string): Promise<void> {
  const old = new Date(Date.now() - DAY / 12);
  await utimes(join(museum.dataDir, "media", key), old, old);
}

describe.each(databases)("files without a medium (%s)", async (database) => {
  const museum = await museumHere({ database });
  const services = museum.services;
  const files = services.files;
  const editor = await museum.as("editor");
  beforeEach(async () => {
    await services.sql`delete from object_media`;
    await services.sql`delete from stray_files`;
    for (const key of await keysIn(files)) await files.remove(key);
  });

  const notes = async (sql = services.sql) =>
    (await sql<{ key: string }[]>`select key from stray_files order by key`).map(({ key }) => key);
  const sent = async (width: number): Promise<{ media_id: string; storage_key: string }> => {
    const answer = await send(editor, await newObject(editor), await jpeg(width, 8), "a.jpg");
    expect(answer.status).toBe(201);
    return (await answer.json()) as { media_id: string; storage_key: string };
  };
  const listed = async () =>
    (await verifyMedia({ sql: services.sql, files, quick: true, report: NOBODY })).unreferenced.sort();
  const clear = async () => throwAway(services, await listed(), NOBODY);

  it.each(oneOrAll(scratchKinds))(
    "promised to be deleted are deleted after a restore into the %s database, and no others",
    async (kind) => {
      const [stays, goes] = [await sent(51), await sent(52)];
      const nobodys = `originals/${idOf(1)}.jpg`;
      const arriving = `originals/${idOf(2)}.pdf`;
      for (const key of [nobodys, arriving]) await put(files, key);
      await announceFile(services.sql, arriving);
      await services.sql`delete from object_media where id = ${goes.media_id}`;
      // a promise that a row contradicts, as after an import of an export
      await announceFile(services.sql, stays.storage_key);
      await services.sql`update stray_files set due_at = now() - interval '1 minute' where key = ${stays.storage_key}`;
      const { database: dump } = await makeBackup(services, { media: false });

      const copy = await restored(dump.path, kind);
      onTestFinished(() => copy.close());
      // the upload has ended since, and its row is in a newer backup
      expect(await notes(copy.sql)).toEqual([goes.storage_key, stays.storage_key].sort());
      await copy.sql`update stray_files set due_at = due_at - interval '2 days'`;
      const { files: count } = await purgeTrash({ ...services, sql: copy.sql });
      expect(count).toBe(1);
      expect(await keysIn(files)).toEqual([nobodys, arriving, stays.storage_key].sort());
      expect(await recentRestore(services.sql)).toBeNull();
      expect(await recentRestore(copy.sql)).toEqual({ restored: dayAfter(0), over: dayAfter(7) });
      await copy.sql`update heartbeats set at = at - interval '169 hours' where name = 'restore'`;
      expect(await recentRestore(copy.sql)).toBeNull();
    },
  );

  it("promised to be deleted are deleted after a reset of the catalogue", async () => {
    const gone = await sent(53);
    await services.sql`delete from object_media`;
    await resetCatalogue(services.sql, { all: false });
    expect(await notes()).toEqual([gone.storage_key]);
    await purgeTrash(services);
    expect([await notes(), await keysIn(files)]).toEqual([[], []]);
  });

  it("are moved to the trash if no row names them and their keys are the service's own", async () => {
    const kinds = ["named", "waiting", "arriving", "nobody's", "foreign"] as const;
    const { media_id, storage_key } = await sent(54);
    const [{ object_id }] = await services.sql<[{ object_id: string }]>`
      select object_id from object_media where id = ${media_id}`;
    let n = 100;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(...kinds), fc.constantFrom("originals", "pyramids")), {
          maxLength: 12,
        }),
        async (wanted) => {
          const stay = [storage_key];
          const go: string[] = [];
          for (const [kind, folder] of wanted) {
            const id = idOf(n++);
            const key = kind === "foreign" ? `${folder}/notes-${n}.txt` : `${folder}/${id}.tif`;
            (kind === "nobody's" ? go : stay).push(key);
            await put(files, key);
            await age(museum, key);
            if (kind === "waiting" || kind === "arriving") await announceFile(services.sql, key);
            if (kind === "waiting")
              await services.sql`update stray_files set due_at = now() where key = ${key}`;
            if (kind === "named") {
              await services.sql`
                insert into object_media (id, object_id, storage_key, filename, mime_type, category, status, bytes, sha256,
                  visibility, position)
                values (${id}, ${object_id}, ${`originals/${id}.tif`}, 'a.tif', 'image/tiff', 'image', 'ready', 1,
                  ${id.replaceAll("-", "").repeat(2)}, 'public', 2)`;
            }
          }
          expect(await clear()).toBe(go.length);
          expect(await keysIn(files)).toEqual(
            [...stay, ...go.map((key) => `${TRASH}${today()}/${key}`)].sort(),
          );
          expect((await listed()).every((key) => key.includes("/notes-"))).toBe(true);
          await services.sql`delete from object_media where id <> ${media_id}`;
          await services.sql`delete from stray_files`;
          for (const key of await keysIn(files)) if (key !== storage_key) await files.remove(key);
        },
      ),
      { numRuns: 15 },
    );
  });

  it("are not moved if a row names them by the time of the answer", async () => {
    const key = `originals/${idOf(3)}.jpg`;
    await put(files, key);
    await age(museum, key);
    const found = await listed();
    expect(found).toEqual([key]);
    await announceFile(services.sql, key);
    expect(await throwAway(services, found, NOBODY)).toBe(0);
    expect(await keysIn(files)).toEqual([key]);
  });

  it("are never lost if moving them is killed at any step, or two do it at once", async () => {
    const keys = [4, 5, 6].map((n) => `originals/${idOf(n)}.jpg`);
    for (const key of keys) {
      await put(files, key);
      await age(museum, key);
    }
    const killed = () => Promise.reject(new Error("killed"));
    for (const broken of [{ put: killed }, { remove: killed }] as Partial<Files>[]) {
      const dying = { sql: services.sql, files: { ...files, ...broken } };
      await expect(throwAway(dying, await listed(), NOBODY)).rejects.toThrow("killed");
      expect(await keysIn(files, "originals/")).toEqual(keys);
    }
    const found = await listed();
    await Promise.all([1, 2].map(() => throwAway(services, found, NOBODY)));
    expect(await keysIn(files)).toEqual(keys.map((key) => `${TRASH}${today()}/${key}`));
    for (const key of keys) {
      const kept = await files.get(`${TRASH}${today()}/${key}`);
      expect(await new Response(kept!.content as ReadableStream<Uint8Array<ArrayBuffer>>).text()).toBe(key);
    }
  });

  it("stay in the trash for 30 days, and what others have put there for ever", async () => {
    const inTrash = (day: string, key = `originals/${idOf(7)}.jpg`) => `${TRASH}${day}/${key}`;
    const foreign = ["notes.txt", "2020-01-01/notes.txt", `2020-13-41/originals/${idOf(7)}.jpg`];
    for (const name of foreign) await put(files, `${TRASH}${name}`);
    const moved = Date.parse("2026-03-01T23:59:59Z");
    await put(files, inTrash("2026-03-01"));
    await put(files, inTrash("2026-03-02", `pyramids/${idOf(7)}.tif`));
    expect(await emptyTrash(files, moved + 30 * DAY)).toBe(0);
    expect(await emptyTrash(files, moved + 30 * DAY + 2_000)).toBe(1);
    expect(await keysIn(files)).toEqual(
      [...foreign.map((name) => `${TRASH}${name}`), inTrash("2026-03-02", `pyramids/${idOf(7)}.tif`)].sort(),
    );
    await purgeTrash(services);
    expect(await keysIn(files)).toEqual(foreign.map((name) => `${TRASH}${name}`).sort());
  });

  it("in the trash are in no archive of the media, and are not listed", async () => {
    const { storage_key } = await sent(55);
    await put(files, `${TRASH}2026-03-01/originals/${idOf(8)}.jpg`, "in the trash");
    await put(files, `themes/${TRASH}logo.png`, "a logo");
    const { media } = await makeBackup(services);
    let text = "";
    for await (const piece of unpacked(media!.path)) text += Buffer.from(piece).toString("latin1");
    expect([text.includes(storage_key), text.includes("a logo")]).toEqual([true, true]);
    expect([text.includes("in the trash"), text.includes("2026-03-01")]).toEqual([false, false]);
    expect(await listed()).toEqual([]);
  });

  it("are left by no picture that loses its row while its pyramid is made", async () => {
    const { media_id } = await sent(1_500);
    await services.sql`update object_media set status = 'pending' where id = ${media_id}`;
    const pyramid = `pyramids/${media_id}.tif`;
    const prepare = (after: () => Promise<unknown>) =>
      prepareImages({
        services: {
          ...services,
          imageServer: null,
          images: {
            ...services.images,
            async prepare() {
              await put(files, pyramid);
              await after();
              return true;
            },
          },
        },
        params: {},
        signal: new AbortController().signal,
        log: services.log,
        report: async () => undefined,
      } as unknown as Parameters<typeof prepareImages>[0]);
    // killed when the pyramid was written, then the medium is deleted
    await prepare(() => Promise.reject(new Error("killed")));
    await services.sql`delete from object_media`;
    expect(await notes()).toContain(pyramid);
    await services.sql`update stray_files set due_at = now()`;
    await purgeTrash(services);
    expect(await keysIn(files)).toEqual([]);

    const second = await sent(1_501);
    await services.sql`update object_media set status = 'pending', width = 1501 where id = ${second.media_id}`;
    await prepare(async () => undefined);
    expect(await notes()).toEqual([]);
  });

  it("that are due are adopted by no row, because they may be gone already", async () => {
    const key = `originals/${idOf(9)}.jpg`;
    await announceFile(services.sql, key);
    await services.sql`update stray_files set due_at = now()`;
    await expect(services.sql.begin((tx) => adoptFile(tx, key))).rejects.toThrow("longer than a day");
    expect(await notes()).toEqual([key]);
  });

  // the embedded database has one session, so nobody else is there during a transaction
  if (database === "external")
    it("whose rows are being written are not removed at the same time", async () => {
      const key = `originals/${idOf(10)}.jpg`;
      await put(files, key);
      await announceFile(services.sql, key);
      await services.sql`update stray_files set due_at = now()`;
      await services.sql.begin(async (tx) => {
        // as `adoptFile` did when it was not due yet
        await tx`delete from stray_files where key = ${key}`;
        expect((await purgeTrash(services)).files).toBe(0);
      });
      expect([await notes(), await keysIn(files)]).toEqual([[], [key]]);
    });
});

describe("svc-manage media-verify --delete", async () => {
  const office = await officeHere(quickest);
  const media = join(office.settings.SVC_DATA_DIR!, "media");
  const key = `originals/${idOf(11)}.jpg`;
  beforeEach(() => write(key));

  async function write(name: string): Promise<void> {
    await mkdir(dirname(join(media, name)), { recursive: true });
    await writeFile(join(media, name), name);
    const old = new Date(Date.now() - DAY / 12);
    await utimes(join(media, name), old, old);
  }
  const isThere = (name: string) =>
    stat(join(media, name)).then(
      () => true,
      () => false,
    );
  const verify = (...options: string[]) => office.run("media-verify", ...options);

  it("asks first, and then moves the files", async () => {
    expect(await verify("--yes")).toMatchObject({ code: 2, err: expect.stringContaining("--delete") });
    expect(await verify("--delete")).toMatchObject({ code: 1, err: expect.stringContaining("add --yes") });
    expect(await isThere(key)).toBe(true);
    expect(await verify()).toMatchObject({ code: 3, out: expect.stringContaining(`${key} belongs to no`) });
    expect(await verify("--delete", "--yes")).toMatchObject({
      code: 0,
      out: expect.stringContaining("Files moved to trash/: 1"),
    });
    expect([await isThere(key), await isThere(`${TRASH}${today()}/${key}`)]).toEqual([false, true]);
    expect(await verify("--delete")).toMatchObject({ code: 0 });
  });

  it("leaves files with foreign names, and says so", async () => {
    await write("originals/notes.txt");
    const { code, out } = await verify("--delete", "--yes", "--json");
    expect(code).toBe(3);
    expect(JSON.parse(out)).toMatchObject({ unreferenced: expect.arrayContaining([key]), thrown_away: 1 });
    expect(await isThere("originals/notes.txt")).toBe(true);
  });

  it("refuses within a week after a restore, unless --force is given", async () => {
    const { name } = JSON.parse((await office.run("backup", "--json")).out).database;
    expect((await office.run("restore", name, "--force")).code).toBe(0);
    expect(await verify("--delete", "--yes")).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^The catalogue was restored on \d{4}-\d\d-\d\d, .* add --force/),
    });
    expect(await isThere(key)).toBe(true);
    await verify("--delete", "--yes", "--force");
    expect(await isThere(key)).toBe(false);
  });
});

it("an archive leaves out only the folder that it is told", async () => {
  const museum = await openMuseum();
  onTestFinished(() => museum.close());
  const root = museum.services.config.mediaRoot;
  await put(museum.services.files, "trash/a.txt", "first");
  await put(museum.services.files, "trashed/b.txt", "second");
  const whole: Uint8Array[] = [];
  await archiveMedia(root, async (piece) => whole.push(piece), { leaveOut: TRASH });
  const text = Buffer.concat(whole).toString("latin1");
  expect([text.includes("first"), text.includes("second")]).toEqual([false, true]);
});
