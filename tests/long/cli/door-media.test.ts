/** Commands for media and backups, while the service runs and when either side is killed. */
import { mkdir, open, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { knock } from "../../../cli/catalogue/door.ts";
import { openConfig } from "../../../cli/catalogue/open.ts";
import { bytesOf } from "../../../cli/terminal/bytes-of.ts";
import { runtimesHere } from "../../runtimes/runtimes.ts";
import { environment, type Started, serve, svcManage } from "../../runtimes/started.ts";
import { fill } from "../../support/museum/backups.ts";
import { endOf, openOffice } from "../../support/programs/command.ts";

const MB = 1_000_000;

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

/** A PDF of this length that takes no room on the disk. */
async function write(path: string, bytes: number): Promise<void> {
  const file = await open(path, "w");
  await file.write("%PDF-1.7\n");
  await file.truncate(bytes);
  await file.close();
}

/** A service that nothing but its door leads into, with objects whose numbers are `numbers`. */
async function furnished(...numbers: string[]) {
  const office = await openOffice();
  office.settings.BACKUP_ENABLED = "false";
  office.settings.MEDIA_MAX_BYTES = String(100 * MB);
  const dataDir = office.settings.SVC_DATA_DIR!;
  const place = (...path: string[]) => join(dataDir, "..", ...path);
  await mkdir(place("pictures"));
  const start = () => office.serve();
  const { service, token } = await start();
  for (const idno of numbers) {
    const json = { idno, object_type: "photograph", metadata_: { title: [{ value: idno }] } };
    expect((await service.ask("/v1/objects", { token, json })).status).toBe(201);
  }
  const media = join(dataDir, "media");
  return { office, service, token, place, media, originals: join(media, "originals"), start };
}
type Furnished = Awaited<ReturnType<typeof furnished>>;

/** Sends content that cannot be read to its end, or whose command is interrupted. */
async function breakOff({ office, place }: Furnished): Promise<void> {
  const door = await knock(openConfig(environment(office.settings)));
  const placed = await door.call("media-places", { paths: ["1998.5 broken.pdf"] });
  const { objectId } = placed[0] as { objectId: string };
  const sent = {
    path: "1998.5 broken.pdf",
    bytes: 900,
    objectId,
    visibility: "public",
    dryRun: false,
  } as const;
  const missing = bytesOf(place("none.pdf"));
  await expect(door.call("media-add", sent, { content: missing })).rejects.toThrow(/no such file.*none\.pdf/);
  const stop = new AbortController();
  let pulled = 0;
  const content = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (pulled++ === 0) return controller.enqueue(Buffer.from(`%PDF-1.7\n${" ".repeat(MB)}`));
      stop.abort();
      return new Promise(() => undefined);
    },
  });
  await expect(door.call("media-add", sent, { content, signal: stop.signal })).rejects.toThrow(/abort/);
  // nor later
  await setTimeout(500);
  expect(await door.call("media-checksums", { objectId, bytes: MB + 9 })).toEqual([]);
  await door.close();
}

describe("commands for media while the service runs", () => {
  let museum: Furnished;
  beforeAll(async () => {
    museum = await furnished("1998.4", "1998.5");
  });
  afterAll(() => museum.office.close());
  beforeEach(() => rm(museum.place("pictures.rejects.csv"), { force: true }));

  const run = (...args: string[]) => museum.office.run(...args);

  it("import-media sends each file once, and those that are refused do not stop it", async () => {
    const { place } = museum;
    await write(place("pictures", "1998.4.pdf"), 20 * MB);
    await write(place("pictures", "1998.4_2.pdf"), 20 * MB);
    await write(place("pictures", "1998.5.pdf"), 101 * MB);
    await writeFile(place("pictures", "1998.5.html"), `<html>${" ".repeat(5 * MB)}`);
    await writeFile(place("pictures", "unknown.pdf"), "%PDF-1.7\n");
    const dry = await run("import-media", "pictures", "--dry-run");
    expect(dry.out.split("\n")).toEqual([
      "1998.4.pdf → 1998.4",
      "1998.4_2.pdf → 1998.4",
      expect.stringMatching(/^1998\.5\.html: refused: This is an HTML page/),
      "1998.5.pdf: refused: is larger than MEDIA_MAX_BYTES",
      "unknown.pdf: refused: no object has this name or number",
      "5 files: 2 would be added, 0 already there, 3 refused",
    ]);
    expect(await namesIn(museum.originals)).toEqual([]);
    const { code, out } = await run("import-media", "pictures", "--json");
    const { files, ...counts } = JSON.parse(out);
    const rejects = place("pictures.rejects.csv");
    // the second has the same content
    expect([code, counts]).toEqual([
      3,
      { added: 1, would_add: 0, there: 1, refused: 3, awaited: 0, rejects },
    ]);
    expect(files.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      ...["added", "there", "refused", "refused", "refused"],
    ]);
    expect(await readFile(rejects, "utf8")).toMatch(/larger.*,1998\.5\.pdf/);
    const [kept, ...more] = await namesIn(museum.originals);
    expect([more, (await stat(join(museum.originals, kept!))).size]).toEqual([[], 20 * MB]);
    expect(JSON.parse((await run("import-media", "pictures", "--json")).out)).toMatchObject({ there: 2 });
  });

  it("content that breaks off is no file, and the command says why", () => breakOff(museum));

  it("media-verify compares, and throws away what belongs to no medium", async () => {
    const key = "originals/0198c0de-0000-7000-8000-000000000001.jpg";
    await writeFile(join(museum.media, key), key);
    const old = new Date(Date.now() - 2 * 3_600_000);
    await utimes(join(museum.media, key), old, old);
    expect(await run("media-verify")).toMatchObject({ code: 3, out: expect.stringContaining(key) });
    const deleted = await run("media-verify", "--delete", "--yes", "--json");
    expect(JSON.parse(deleted.out)).toMatchObject({ media: 1, faults: [], thrown_away: 1 });
    expect(await namesIn(museum.originals)).toHaveLength(1);
  });

  it("media-move moves between the places of the service", async () => {
    Object.assign(museum.office.settings, {
      S3_BUCKET: "museum-media",
      S3_ACCESS_KEY: "a",
      S3_SECRET_KEY: "s",
    });
    const moved = await run("media-move", "--to", "local");
    for (const name of ["S3_BUCKET", "S3_ACCESS_KEY", "S3_SECRET_KEY"]) delete museum.office.settings[name];
    expect(moved).toMatchObject({ code: 1, err: expect.stringContaining("No bucket is configured") });
  });

  it("aggregator-check lists all objects", async () => {
    const { code, out } = await run("aggregator-check", "--json");
    expect([code, JSON.parse(out)]).toMatchObject([0, { checked: 0, total: 0, counts: {}, items: [] }]);
  });

  it("backup writes dump and archive wherever it is told, as this user", async () => {
    const root = join(museum.office.settings.SVC_DATA_DIR!, "backups");
    const extra = museum.place("extra");
    await mkdir(extra);
    for (const [directory, options] of [
      [root, []],
      [extra, ["--backup-dir", extra]],
    ] as const) {
      const { code, out } = await run("backup", "once", ...options, "--json");
      const { database, media, notes, removed } = JSON.parse(out);
      expect([code, notes, removed]).toEqual([0, [], []]);
      const names = [database.name, media.name].flatMap((name: string) => [name, `${name}.sha256`]);
      expect(await namesIn(directory)).toEqual(names.sort());
      expect(gunzipSync(await readFile(database.path)).toString()).toContain("1998.4");
      const verified = await run("backup", "verify", database.path, "--json");
      expect(JSON.parse(verified.out)).toMatchObject({ database: { tables: { object_media: 1 } } });
    }
    const { service, token } = museum;
    expect((await service.ask("/metrics", { token })).text).toMatch(/^svc_backup_age_seconds \d/m);
  });
});

it("content that breaks off is no file without a service either", async () => {
  const museum = await furnished("1998.5");
  await museum.service.stop();
  await breakOff(museum);
  await museum.office.close();
});

describe("when either side is killed", () => {
  let museum: Furnished;
  afterEach(() => museum.office.close());

  it("import-media keeps whole files only, and continues", async () => {
    museum = await furnished("1", "2");
    const { office, place, originals } = museum;
    await write(place("pictures", "1.pdf"), 90 * MB);
    const arriving = () => expect.poll(() => namesIn(originals), { timeout: 60_000 }).not.toEqual([]);

    const killed = office.begin("import-media", "pictures");
    await arriving();
    await killed.kill("SIGKILL");
    await expect.poll(() => namesIn(originals), { timeout: 60_000 }).toEqual([]);

    const orphaned = office.begin("import-media", "pictures");
    await arriving();
    await museum.service.kill("SIGKILL");
    const { code, err } = await endOf(orphaned);
    expect([code, err]).toEqual([1, expect.stringContaining("run this again")]);

    await museum.start();
    expect((await office.run("import-media", "pictures")).out).toMatch(/1 file: 1 added/);
    expect(await office.run("media-verify")).toMatchObject({ code: 0 });
  });

  it("backup leaves nothing that looks like one, and the next one tidies up", async () => {
    museum = await furnished();
    const { office } = museum;
    const root = join(office.settings.SVC_DATA_DIR!, "backups");
    await museum.service.stop();
    await office.look(({ sql }) => fill(sql, 20_000));
    const { service } = await museum.start();
    const begun = () =>
      expect
        .poll(async () => (await namesIn(root)).some((name) => name.endsWith(".part")), {
          timeout: 60_000,
          interval: 5,
        })
        .toBe(true);

    const killed = office.begin("backup");
    await begun();
    await killed.kill("SIGKILL");
    expect((await namesIn(root)).every((name) => name.endsWith(".part"))).toBe(true);
    // the service goes on
    expect((await office.run("jobs", "--json")).code).toBe(0);
    expect((await office.run("backup")).code).toBe(0);
    expect((await namesIn(root)).filter((name) => name.endsWith(".part"))).toEqual([]);

    const before = await namesIn(root);
    const orphaned = office.begin("backup");
    await begun();
    // what is on its way is not all of it
    orphaned.child.kill("SIGSTOP");
    await service.kill("SIGKILL");
    orphaned.child.kill("SIGCONT");
    const { code, err } = await endOf(orphaned);
    expect([code, err]).toEqual([1, expect.stringContaining("run this again")]);
    expect(await namesIn(root)).toEqual(before);
    expect((await office.run("backup")).code).toBe(0);
  });
});

describe.each(["Deno", "Bun"].flatMap(runtimesHere))("on %s", (_name, runtime) => {
  it("files are sent to the service, and dumps by it", async () => {
    const museum = await furnished("1998.4");
    const { office, place } = museum;
    await museum.service.stop();
    await write(place("pictures", "1998.4.pdf"), 20 * MB);
    await writeFile(place("pictures", "1998.4.html"), `<html>${" ".repeat(5 * MB)}`);
    const service: Started = await serve(runtime, office.settings);
    onTestFinished(() => office.close());
    onTestFinished(async () => void (await service.stop()));
    const sent = await svcManage(runtime, office.settings, "import-media", place("pictures"));
    expect([sent.code, sent.output]).toEqual([
      3,
      expect.stringContaining("1 added, 0 already there, 1 refused"),
    ]);
    const made = await svcManage(runtime, office.settings, "backup", "--json");
    expect(made.code).toBe(0);
  });
});
