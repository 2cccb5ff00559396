/** Restoring: nothing is lost between the two databases, and a backup that cannot be restored changes nothing. */

import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { unpacked } from "../../src/adapters/backups/backup-source.ts";
import { databaseDump } from "../../src/adapters/database/dump/dump.ts";
import { checkDump, contentsOf, restoreDump } from "../../src/adapters/database/dump/restore.ts";
import { migrate, schemaState } from "../../src/adapters/database/migrate/migrate.ts";
import { migrationFile, readMigrationFiles } from "../../src/adapters/database/migrate/migration-files.ts";
import { say } from "../../src/messages/said.ts";
import { ENGLISH } from "../../src/messages/translate.ts";
import { makeSortKeys } from "../../src/records/write/sort-keys.ts";
import type { Services, Sql } from "../../src/services.ts";
import { makeBackup } from "../../workers/back-up.ts";
import { inLong, isShort } from "../support/lane/lane.ts";
import { everyTable, everythingEntered, fill, restored, textOf } from "../support/museum/backups.ts";
import { type DatabaseKind, databases, museumHere, onceFor, openMuseum } from "../support/museum/museum.ts";
import { type Office, officeHere } from "../support/programs/command.ts";
import type { Program } from "../support/programs/processes.ts";
import { openScratch, scratchKinds } from "../support/servers/databases.ts";
import { onServer } from "../support/servers/server.ts";

/** In the long lane there are enough rows to kill a restore half-way. */
const ROWS = isShort ? 300 : 5_000;

const pack = promisify(gzip);
const run = promisify(execFile);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "svc-restore-"));
});
afterEach(() => rm(folder, { recursive: true }));

/** A dump of this database as a file. */
async function dumpInto(path: string, sql: Sql, kind: "embedded" | "external"): Promise<string> {
  const pieces: (string | null)[] = [];
  await databaseDump(
    sql,
    kind,
  )({
    put: async (text) => pieces.push(text) - 1,
    drop: (piece) => {
      pieces[piece] = null;
    },
  });
  await writeFile(path, await pack(pieces.join("")));
  return path;
}

inLong(describe.each(databases))("a backup of the %s catalogue", async (database: DatabaseKind) => {
  const museum = await museumHere({ database, demo: true });
  let path: string;
  beforeAll(async () => {
    const admin = await museum.as("admin");
    await admin("/v1/vocabularies", {
      json: { name: "harbour_words", label: { en: "Words\tof \\ harbourmasters" } },
    });
    await fill(museum.services.sql, 300);
    path = (await makeBackup(museum.services, { media: false })).database.path;
  });

  const others = scratchKinds.filter((kind) => kind !== database || scratchKinds.length === 1);
  inLong(it.each(others))("loses nothing on its way to the %s database and back", async (kind) => {
    const there = await restored(path, kind);
    onTestFinished(() => there.close());
    const second = await dumpInto(join(folder, "there.sql.gz"), there.sql, kind);
    const back = await restored(second, database);
    onTestFinished(() => back.close());
    const whole = await everythingEntered(museum.services.sql);
    expect(await everythingEntered(there.sql)).toEqual(whole);
    expect(await everythingEntered(back.sql)).toEqual(whole);
    expect((await schemaState(back.sql)).state).toBe("current");
    const numbers = (sql: Sql) => sql`select record_type, next_number from idno_patterns order by 1`;
    expect([...(await numbers(back.sql))]).toEqual([...(await numbers(museum.services.sql))]);
  });

  inLong(it)(
    "gets a later version and epoch than the original, so that no cache mistakes one for the other",
    async () => {
      const copy = await restored(path, database);
      const epoch = async (sql: Sql) =>
        (
          await sql<
            { version: number; visibility_epoch: number }[]
          >`select version, visibility_epoch from configuration`
        )[0]!;
      const [then, now] = [await epoch(museum.services.sql), await epoch(copy.sql)];
      expect(now.version).toBeGreaterThan(then.version);
      expect(now.visibility_epoch).toBeGreaterThan(then.visibility_epoch);
      await copy.close();
    },
  );

  inLong(it)("restores constraints and triggers: history cannot be changed, keys are unique", async () => {
    const copy = await restored(path, database);
    await expect(copy.sql`update revisions set action = 'updated'`).rejects.toThrow(/never changed/);
    await expect(copy.sql`insert into records select * from records limit 1`).rejects.toThrow(/unique/);
    await expect(copy.sql`update relations set to_id = gen_random_uuid()`).rejects.toThrow(/foreign key/);
    await copy.close();
  });

  inLong(it)("of an older version is migrated, one of a newer version is refused", async () => {
    const source = () => unpacked(path);
    const files = await readMigrationFiles();
    const next = `${String(files.length + 1).padStart(4, "0")}_loans.sql`;
    const newer = [...files, migrationFile(next, "-- Why: loans.\ncreate table loans (id int);\n")];
    const checked = await checkDump(source, { files: newer });
    const scratch = await openScratch(database);
    await restoreDump(scratch.sql, source, checked);
    expect((await schemaState(scratch.sql, { files: newer })).state).toBe("older");
    await migrate(scratch.sql, { files: newer });
    expect(await scratch.sql`select * from loans`).toEqual([]);
    await scratch.close();

    await expect(checkDump(source, { files: files.slice(0, -1) })).rejects.toThrow(
      /^It was made by version \S+\. The backup has \S+, which this version of the program does not know; restore it with a newer version$/,
    );
  });

  inLong(it)("with wrong content is rolled back completely", async () => {
    const scratch = await openScratch(database);
    await migrate(scratch.sql);
    await fill(scratch.sql, 3);
    const before = await everyTable(scratch.sql);
    const text = await textOf(path);
    const forged = text.replace("harbourmasters", "harbour masters");
    expect(forged).not.toBe(text);
    const source = async function* () {
      yield Buffer.from(forged);
    };
    const checked = await checkDump(source);
    await expect(restoreDump(scratch.sql, source, checked)).rejects.toThrow(
      "The rows of vocabularies differ from the backup's checksum. Use another backup; nothing was changed",
    );
    expect(await everyTable(scratch.sql)).toEqual(before);
    expect(say(ENGLISH, (await contentsOf(scratch.sql))!)).toBe("3 records and 0 accounts");
    await scratch.close();
  });

  inLong(it)(
    "is refused, before anything is changed, when it is incomplete, lacks rows or is another kind of file",
    async () => {
      const text = await textOf(path);
      const check = (content: string) =>
        checkDump(async function* () {
          // in pieces that match no boundary
          for (let at = 0; at < content.length; at += 9_999) yield Buffer.from(content.slice(at, at + 9_999));
        });
      await expect(check(text)).resolves.toMatchObject({ about: { format: 1 } });
      for (const part of [0.2, 0.5, 0.8]) {
        await expect(check(text.slice(0, text.length * part))).rejects.toThrow(
          "The backup is incomplete: its end is missing",
        );
      }
      await expect(
        check(text.replace(/^copy "relations".*\n.*\n/m, (found) => found.replace(/\n.*\n$/, "\n"))),
      ).rejects.toThrow(/The backup is damaged: relations has \d+ of \d+ rows/);
      await expect(check("hello\n")).rejects.toThrow("This file is not a backup of a catalogue");
      await expect(check(text.replace('"format":1', '"format":9'))).rejects.toThrow(/which is newer/);
    },
  );
});

describe.each(databases)("svc-manage restore, %s", async (kind) => {
  const once = onceFor(kind);
  const office = await officeHere(kind);
  const data = office.settings.SVC_DATA_DIR!;
  let dump: string;
  beforeAll(async () => {
    const large = await openMuseum({ database: kind, demo: true });
    await fill(large.services.sql, ROWS);
    const made = await makeBackup(large.services, { directory: join(data, "backups") });
    dump = made.database.name;
    await large.close();
    await office.look(({ sql }) => fill(sql, 20));
  });

  /** Reads something, then waits until the server has closed the connection: a restore must be alone. */
  const look = async <T>(at: (services: Services) => Promise<T>): Promise<T> => {
    const seen = await office.look(at);
    while (office.url && (await usersOf(office.url)) > 0) await setTimeout(5);
    return seen;
  };
  const now = () => look(({ sql }) => everyTable(sql));

  once("refuses a catalogue that is not empty, unless --force is given", async () => {
    const before = await now();
    expect(await office.run("restore", dump)).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringMatching(
        /^The catalogue contains 20 records and 0 accounts, which would be replaced\. Add --force/,
      ),
    });
    expect(await now()).toEqual(before);
  });

  inLong(it)("refuses while the service runs, which is not disturbed", async () => {
    // the service makes the keys of records that have none
    await look(({ sql }) => makeSortKeys(sql));
    const before = await now();
    const { service } = await office.serve();
    expect(await office.run("restore", dump, "--force")).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringMatching(
        kind === "external"
          ? /^The catalogue is in use: \d+ connections by the service or by commands\. Stop them first/
          : /already in use by process \d+, the service or a command\. Stop it/,
      ),
    });
    expect((await service.ask("/health")).status).toBe(200);
    await service.kill("SIGTERM");
    // a service records which projections it keeps
    const { accounts: _, security_events: __, projections: ___, ...rest } = before;
    expect(await now()).toMatchObject(rest);
  });

  once("refuses an incomplete or altered file before it changes anything", async () => {
    const before = await now();
    const whole = await readFile(join(data, "backups", dump));
    const bad = join(data, "backups", "db_20200101T000000Z.sql.gz");
    const altered = Buffer.from(whole);
    altered.fill(0, whole.length >> 1, (whole.length >> 1) + 64);
    for (const content of [whole.subarray(0, whole.length >> 1), altered, Buffer.from("no archive")]) {
      await writeFile(bad, content);
      const { code, out, err } = await office.run("restore", bad, "--force");
      expect([code, out]).toEqual([1, ""]);
      expect(err).toMatch(/^db_20200101T000000Z\.sql\.gz is incomplete or damaged .*nothing was changed$/);
    }
    for (const none of ["nothing.sql.gz", data]) {
      const { code, err } = await office.run("restore", none, "--force");
      expect([code, err]).toEqual([
        1,
        expect.stringMatching(/^There is no file \S+.*; svc-manage backup list/),
      ]);
    }
    expect(await now()).toEqual(before);
  });

  inLong(once)("leaves the catalogue as it was when it is killed half-way", async () => {
    const before = await now();
    for (const share of [0.2, 0.8]) {
      const command = office.begin("restore", dump, "--force");
      await loaded(command, office, share);
      await command.kill("SIGKILL");
      expect(await now()).toEqual(before);
    }
  });

  it("restores everything, which visitors can find, and warns if the checksum file is missing", async () => {
    const sum = join(data, "backups", `${dump}.sha256`);
    await rename(sum, `${sum}.away`);
    const done = await office.run("restore", dump, "--force", "--json");
    await rename(`${sum}.away`, sum);
    expect(done.code).toBe(0);
    expect(done.err).toContain(`Warning: ${dump}.sha256 is missing`);
    const { tables, indexed, without_checksum } = JSON.parse(done.out);
    expect(without_checksum).toEqual([dump]);
    expect(indexed).toBe(tables.records);
    const { service } = await office.serve();
    const { json } = await service.ask("/v1/search?q=harbour");
    expect(json.total).toBeGreaterThan(0);
    const all = await service.ask("/v1/search?page_size=1");
    expect(all.json.total).toBeGreaterThan(ROWS);
    await service.kill("SIGTERM");
  });

  inLong(once)("restores media files, and replaces others only with --force", async () => {
    const media = join(data, "media");
    await run("mkdir", ["-p", join(media, "a")]);
    await writeFile(join(media, "a", "one.jpg"), "one");
    const made = JSON.parse((await office.run("backup", "--json")).out);
    await writeFile(join(media, "a", "one.jpg"), "changed");
    await writeFile(join(media, "two.jpg"), "two");
    await look(({ sql }) => sql`truncate records, accounts cascade`);
    const files = ["restore", made.database.name, "--media", made.media.name];
    expect(await office.run(...files)).toMatchObject({
      code: 1,
      err: expect.stringContaining("already contains files"),
    });
    expect(await readFile(join(media, "a", "one.jpg"), "utf8")).toBe("changed");
    const done = await office.run(...files, "--force");
    expect(done.code).toBe(0);
    expect(done.out).toMatch(/with 1 media file \(3 bytes\)/);
    expect(await readFile(join(media, "a", "one.jpg"), "utf8")).toBe("one");
    expect(await readdir(media)).toEqual(["a", "two.jpg"]);
  });
});

/** Waits until the command has written about this share of the rows: uncommitted rows show as growing files. */
async function loaded(command: Program, office: Office, share: number): Promise<void> {
  const size = office.url
    ? () => databaseSize(office.url!)
    : () => bytesIn(join(office.settings.SVC_DATA_DIR!, "database", "base"));
  const before = await size();
  while ((await size()) < before + share * 8_000_000) {
    if (command.child.exitCode !== null) throw new Error(`ended too early:\n${command.lines.join("\n")}`);
    await setTimeout(5);
  }
}

/** Asks from another database, because a connection to the same one counts as a user of the catalogue. */
async function figureOf(url: string, figure: "pg_database_size(datname)" | "numbackends"): Promise<number> {
  let answer = 0;
  await onServer(async (sql) => {
    const name = new URL(url).pathname.slice(1);
    const [row] = await sql.unsafe<{ answer: number }[]>(
      `select (${figure})::float8 as answer from pg_stat_database where datname = $1`,
      [name],
    );
    answer = row!.answer;
  });
  return answer;
}
const databaseSize = (url: string) => figureOf(url, "pg_database_size(datname)");
const usersOf = (url: string) => figureOf(url, "numbackends");

async function bytesIn(directory: string): Promise<number> {
  const names = await readdir(directory, { recursive: true });
  const sizes = await Promise.all(names.map((name) => stat(join(directory, name)).catch(() => null)));
  return sizes.reduce((sum, about) => sum + (about?.isFile() ? about.size : 0), 0);
}
