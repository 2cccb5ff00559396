/** Backups: what they contain, that they show one moment, and what is left when one is not finished. */

import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import {
  chmod,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { dumpThrough } from "../../cli/backups/backup.ts";
import { backupFiles } from "../../src/adapters/backups/backup-files.ts";
import { checkArchive, unpackMedia } from "../../src/adapters/backups/media-restore.ts";
import { databaseDump } from "../../src/adapters/database/dump/dump.ts";
import { TABLE_KINDS } from "../../src/adapters/database/dump/table-kinds.ts";
import { schemaState } from "../../src/adapters/database/migrate/migrate.ts";
import { openPostgres } from "../../src/adapters/database/server/postgres.ts";
import { openBackups } from "../../src/compose.ts";
import { readConfig } from "../../src/config/read.ts";
import { announceFile } from "../../src/media/care/orphans.ts";
import { recentRestore } from "../../src/media/care/trash.ts";
import { said } from "../../src/messages/said.ts";
import { callThrough, createOperator } from "../../src/operator.ts";
import { NoRoom, Refusal } from "../../src/refusal.ts";
import type { Dump, Files, Services, Sql } from "../../src/services.ts";
import { backUp, makeBackup } from "../../workers/back-up.ts";
import { backupDue } from "../../workers/backup-times.ts";
import { at, enqueueDueJobs } from "../../workers/due-jobs.ts";
import { KIND_WORK } from "../../workers/job-kinds.ts";
import { startJobLoop } from "../../workers/job-loop.ts";
import { TIMING } from "../../workers/timing.ts";
import { inLong, isShort } from "../support/lane/lane.ts";
import { notTried } from "../support/lane/skipped.ts";
import { everyTable, fill, namesIn, restored, textOf } from "../support/museum/backups.ts";
import { type DatabaseKind, databases, museumHere, onceFor } from "../support/museum/museum.ts";
import { officeHere } from "../support/programs/command.ts";
import { createDatabase } from "../support/servers/server.ts";

const run = promisify(execFile);
const DUMP = /^db_\d{8}T\d{6}Z\.sql\.gz$/;
const DAY = 86_400_000;
/** In the long lane there are so many rows that a backup can be killed midway. */
const ROWS = isShort ? 300 : 6_000;

const stampOf = (days: number) =>
  new Date(Date.now() - days * DAY).toISOString().replaceAll(/[-:]|\.\d+/g, "");

/** Leaves not a byte free. */
async function fillUp(directory: string): Promise<void> {
  const file = await open(join(directory, "filling"), "w");
  const piece = new Uint8Array(4096);
  while (await file.write(piece).catch(() => null));
  await file.close();
}

/** The files that this process has open, where the system tells. */
async function openNames(): Promise<string[]> {
  const numbers = await readdir("/proc/self/fd").catch(() => []);
  return Promise.all(numbers.map((fd) => readlink(join("/proc/self/fd", fd)).catch(() => "")));
}

/** A file system of so many megabytes; null if this user may not mount one. */
async function smallDisk(megabytes: number): Promise<{ path: string; close(): Promise<void> } | null> {
  const path = await mkdtemp(join(tmpdir(), "svc-small-disk-"));
  const mounted = await run("mount", ["-t", "tmpfs", "-o", `size=${megabytes * 1024}k`, "tmpfs", path]).catch(
    () => null,
  );
  if (mounted === null) {
    await rm(path, { recursive: true });
    return null;
  }
  return {
    path,
    async close() {
      await run("umount", [path]);
      await rm(path, { recursive: true });
    },
  };
}

it("a dump has the same pieces when it comes through the door, and ends where it breaks off", async () => {
  const step = fc.oneof(fc.string(), fc.record({ drop: fc.nat() }), fc.constant(null));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const dump: Dump = async (sink) => {
        const pieces: number[] = [];
        for (const each of [...steps, "the last"]) {
          if (each === null) throw new Refusal("broken");
          if (typeof each === "string") pieces.push(await sink.put(each));
          else if (pieces.length > 0) sink.drop(pieces.splice(each.drop % pieces.length, 1)[0]!);
        }
      };
      const thrown = (error: unknown) => {
        throw error;
      };
      const services = { backups: { dump } } as unknown as Services;
      const door = { call: callThrough(createOperator(services, thrown), thrown) };
      const outcomes = [dump, dumpThrough(door)].map(async (each) => {
        // numbers that are not counted from 0
        const kept = new Map<number, string>();
        let next = 100;
        const put = async (text: string) => {
          next += 3;
          kept.set(next, text);
          return next;
        };
        const end = await each({ put, drop: (piece) => kept.delete(piece) }).then(
          () => "whole",
          (error: Error) => error.message,
        );
        return end === "whole" ? [...kept.values()] : end;
      });
      const [direct, through] = await Promise.all(outcomes);
      expect(through).toEqual(direct);
    }),
  );
});

describe.each(databases)("a backup of the %s catalogue", async (database: DatabaseKind) => {
  const museum = await museumHere({ database, demo: true });
  const services = museum.services;
  const sql = services.sql;
  const root = services.config.backupRoot;
  beforeAll(async () => {
    await fill(sql, 2_500);
  });

  const places = () => ({
    backupRoot: root,
    mediaRoot: services.config.mediaRoot,
    bucket: null,
    trash: "trash/",
    dump: databaseDump(sql, services.database),
    databaseUrl: null,
  });

  it("contains every table unchanged, has a checksum beside it, and only its owner may read it", async () => {
    const before = await everyTable(sql);
    const { database: made, media } = await makeBackup(services);
    expect(made.name).toMatch(DUMP);
    expect(await namesIn(root)).toEqual(
      [made.name, `${made.name}.sha256`, media!.name, `${media!.name}.sha256`].sort(),
    );
    expect(media!.name.slice(6, 22)).toBe(made.name.slice(3, 19));
    expect(((await stat(root)).mode & 0o777).toString(8)).toBe("700");
    for (const name of await namesIn(root)) {
      expect(((await stat(join(root, name))).mode & 0o777).toString(8)).toBe("600");
    }
    const sum = createHash("sha256")
      .update(await readFile(made.path))
      .digest("hex");
    expect(await readFile(`${made.path}.sha256`, "utf8")).toBe(`${sum}  ${made.name}\n`);
    const end = JSON.parse(/^-- end of backup (.*)$/m.exec(await textOf(made.path))![1]!);
    const tables = Object.entries<{ rows: number; digest: string }>(end.tables);
    expect(
      Object.fromEntries(tables.map(([name, { rows, digest }]) => [name, `${rows} rows, ${digest}`])),
    ).toEqual(before);
  });

  it("leaves out sessions, mails, tokens and the search index, and contains accounts and keys", async () => {
    const admin = await museum.as("admin");
    await admin("/v1/auth/me");
    const text = await textOf((await makeBackup(services, { media: false })).database.path);
    const copied = [...text.matchAll(/^copy "(\w+)"/gm)].map(([, name]) => name!);
    expect(new Set(copied)).toContain("accounts");
    for (const [name, { backup }] of Object.entries(TABLE_KINDS)) {
      if (!backup) expect(copied).not.toContain(name);
    }
  });

  it("covers a known list of tables, so that a new table needs a decision", async () => {
    const rows = await sql<{ name: string }[]>`
      select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`;
    expect(rows.map(({ name }) => name).sort()).toEqual(Object.keys(TABLE_KINDS).sort());
  });

  it("shows one moment, even if records are changed, added and deleted meanwhile", async () => {
    await sql`update idno_patterns set next_number = 1 where record_type = 'place'`;
    const written = { going: true, count: 0 };
    // each transaction makes the same change in rows far apart, moves one row, and keeps numbers that must agree
    const writing = (async () => {
      for (let n = 1; written.going; n++) {
        await sql.begin(async (tx) => {
          await tx`update records set reference_number = ${String(n)} where idno in ('F-1', 'F-1250', 'F-2400')`;
          await tx`delete from revisions where record_id = (select id from records where idno = ${`F-${(n % 2000) + 100}`})`;
          await tx`
            insert into records (id, record_type, idno, subtype, status, collection_status, title, sort_title)
            values (gen_random_uuid(), 'object', ${`W-${n}`}, 'painting', 'draft', 'active', 'w', 'w')`;
          await tx`update idno_patterns set next_number = ${n} where record_type = 'place'`;
        });
        written.count = n;
        await setTimeout(1);
      }
    })();
    while (written.count < 3) await setTimeout(5);
    const before = written.count;
    const made = await makeBackup(services, { media: false });
    const meanwhile = written.count - before;
    written.going = false;
    await writing;
    const copy = await restored(made.database.path, database);
    onTestFinished(() => copy.close());
    const [row] = await copy.sql`
      select (select count(distinct reference_number)::int from records where idno in ('F-1', 'F-1250', 'F-2400')) as different,
        (select max(reference_number::int) from records where idno = 'F-1') as last,
        (select count(*)::int from records where idno like 'W-%') as added,
        (select next_number::int from idno_patterns where record_type = 'place') as ledger,
        (select count(*)::int from records r where idno like 'F-%'
          and not exists (select 1 from revisions where record_id = r.id)) as forgotten`;
    expect(meanwhile).toBeGreaterThan(0);
    expect(row!.different).toBe(1);
    expect(row!.last).toBeGreaterThan(0);
    expect([row!.added, row!.ledger, row!.forgotten]).toEqual([row!.last, row!.last, row!.last]);
  });

  it("does not block readers while it is made", async () => {
    let answered = 0;
    let done = false;
    const reading = (async () => {
      for (; !done; answered++) await sql`select 1 from records where idno = 'F-7'`;
    })();
    const parts: number[] = [];
    await makeBackup(services, { media: false, report: (_, part) => parts.push(part) });
    done = true;
    await reading;
    expect(parts.length).toBeGreaterThan(3);
    expect(answered).toBeGreaterThan(parts.length);
    expect(parts.every((part) => part >= 0 && part <= 1)).toBe(true);
  });

  it("leaves nothing behind and does not count if it is stopped", async () => {
    const before = await namesIn(root);
    const stop = new AbortController();
    const report = () => stop.abort();
    await expect(makeBackup(services, { signal: stop.signal, report })).rejects.toThrow(/abort/);
    expect(await namesIn(root)).toEqual(before);
    const [last] = await sql`select finished_at, last_error from backups order by started_at desc limit 1`;
    expect({ ...last }).toEqual({ finished_at: null, last_error: "it was stopped" });
  });

  it("deletes backups that are too old, but never the newest of a kind", async () => {
    const put = (name: string) => writeFile(join(root, name), "");
    const gone = [`db_${stampOf(15)}.sql.gz`, `db_${stampOf(40)}.sql.gz`];
    for (const name of gone) {
      await put(name);
      await put(`${name}.sha256`);
    }
    const young = `db_${stampOf(13)}.sql.gz`;
    await put(young);
    await put("notes about the move.txt");
    const { removed } = await makeBackup(services, { media: false });
    expect(removed).toEqual(gone);
    expect(await namesIn(root)).toEqual(expect.arrayContaining([young, "notes about the move.txt"]));
    expect((await namesIn(root)).filter((name) => gone.some((each) => name.startsWith(each)))).toEqual([]);
  });

  it("that is stopped at its start fails once, and no other promise rejects unheard", async () => {
    const stopped = async () => {
      throw new Error("stopped");
    };
    const input = { services: { ...services, sql: stopped }, signal: AbortSignal.abort(), report: stopped };
    await expect(backUp(input as never)).rejects.toThrow("stopped");
    // Vitest fails a run with a rejection that nobody handles
    await setTimeout(20);
  });

  it("is made once when it is due, even by several instances", async () => {
    await sql`delete from jobs`;
    const config = {
      ...services.config,
      backup: { ...services.config.backup, schedule: { everySeconds: 3600 } },
    };
    const instances = [1, 2, 3].map(() => ({ ...services, config }));
    const due = [{ kind: "backup" as const, ...backupDue }];
    await Promise.all(instances.map((each) => enqueueDueJobs(each, due)));
    const jobs = () => sql<{ id: string; state: string }[]>`select id, state from jobs where kind = 'backup'`;
    expect(await jobs()).toHaveLength(1);

    const loop = startJobLoop(services, KIND_WORK, { ...TIMING, roundMs: 20 }, async () => undefined);
    await expect.poll(async () => (await jobs())[0]!.state).toBe("done");
    await loop.stop();
    const [{ result, done, total }] = await sql<
      [{ result: { database: { file: string } }; done: number; total: number }]
    >`select result, done::int, total::int from jobs`;
    expect(await namesIn(root)).toContain(result.database.file);
    expect([done, total]).toEqual([100, 100]);

    // instances some minutes out of step need no backup of their own, unless this one failed
    const now = new Date(Date.now() + 3_300_000 + 600_000);
    await sql`update jobs set due_at = due_at + interval '50 minutes'`;
    await enqueueDueJobs(instances[0]!, due, now);
    expect(await jobs()).toHaveLength(1);
    await sql`update jobs set state = 'failed'`;
    await enqueueDueJobs(instances[1]!, due, now);
    expect(await jobs()).toHaveLength(2);
  });

  inLong(it)("reports its age to the health check, which reports none before the first backup", async () => {
    const age = async () => {
      await setTimeout(1_050); // health reports are cached for a second
      return ((await (await museum.ask("/health")).json()) as { backup_age_hours: unknown }).backup_age_hours;
    };
    await sql`delete from backups`;
    expect(await age()).toBeNull();
    await makeBackup(services, { media: false });
    expect(await age()).toBe(0);
    await sql`update backups set finished_at = finished_at - interval '90 minutes'`;
    await sql`insert into backups (id, last_error) values (gen_random_uuid(), 'the disk is full')`;
    expect(await age()).toBe(1.5);
  });

  it("explains why a directory cannot be used, and leaves nothing there", async () => {
    await writeFile(join(museum.dataDir, "occupied"), "");
    const directory = join(museum.dataDir, "occupied", "backups");
    await expect(makeBackup(services, { directory })).rejects.toThrow(
      /^--backup-dir not writable for UID \d+: \S+ \(there is a file where one of its directories should be\)\. No backup was made$/,
    );
  });

  it("says that the disk became full, and leaves nothing there", async ({ skip }) => {
    const disk = await smallDisk(0.125);
    skip(disk === null, "only root may mount a small disk");
    onTestFinished(() => disk!.close());
    await expect(makeBackup(services, { directory: disk!.path })).rejects.toThrow(
      `The backup cannot be written to ${disk!.path}: the disk is full. No incomplete file is left there`,
    );
    expect(await namesIn(disk!.path)).toEqual([]);
  });

  it("removes the whole set when its archive cannot be written, whatever the reason", async ({ skip }) => {
    const disk = await smallDisk(6);
    skip(disk === null, "only root may mount a small disk");
    const { mediaRoot } = services.config;
    const film = join(mediaRoot, "film.bin");
    await mkdir(mediaRoot, { recursive: true });
    await writeFile(film, randomBytes(8 * 1024 * 1024));
    try {
      for (let attempt = 0; attempt < 3; attempt++) {
        await expect(makeBackup(services, { directory: disk!.path })).rejects.toThrow("the disk is full");
        expect(await namesIn(disk!.path)).toEqual([]);
      }
      await expect.poll(() => openNames()).not.toContain(film);
      const broken = backupFiles({
        ...places(),
        bucket: {
          files: { ...services.files, list: () => Readable.from([Promise.reject(new Error("no answer"))]) },
          folders: ["originals/"],
          holds: () => true,
        },
      });
      const known = await namesIn(root);
      await expect(broken.make()).rejects.toThrow("no answer");
      expect(await namesIn(root)).toEqual(known);
    } finally {
      await rm(film);
      await disk!.close();
    }
  });

  it("gives a set its names only when both files are complete, the dump last", async () => {
    const before = await namesIn(root);
    const seen: string[] = [];
    const files: Files = {
      ...services.files,
      async *list() {
        seen.push(...(await namesIn(root)).filter((name) => !before.includes(name)));
      },
    };
    const bucket = { files, folders: ["originals/"], holds: () => false };
    const { database: dump, media } = await backupFiles({ ...places(), bucket }).make();
    expect(seen).toHaveLength(2);
    for (const name of seen) expect(name).toMatch(/^\.(db|media)_.*\.part$/);
    const [late, early] = await Promise.all(
      [dump, media!].map(async ({ path }) => (await stat(path)).ctimeMs),
    );
    expect(late).toBeGreaterThanOrEqual(early!);
    expect(await namesIn(root)).toEqual(
      [...before, ...[dump, media!].flatMap(({ name }) => [name, `${name}.sha256`])].sort(),
    );
  });

  it("makes room by deleting old backups first when the disk is full, but no newer ones", async ({
    skip,
  }) => {
    const disk = await smallDisk(12);
    skip(disk === null, "only root may mount a small disk");
    const config = { ...services.config, backupRoot: disk!.path };
    const backups = await openBackups(config, databaseDump(sql, services.database));
    const nightly = { ...services, config, backups };
    onTestFinished(() => disk!.close());
    const put = async (days: number, kind: "db" | "media", megabytes: number, intact = true) => {
      const name = kind === "db" ? `db_${stampOf(days)}.sql.gz` : `media_${stampOf(days)}.tar.gz`;
      const content = randomBytes(megabytes * 1024 * 1024);
      await writeFile(join(disk!.path, name), content);
      const sum = createHash("sha256")
        .update(intact ? content : "other")
        .digest("hex");
      await writeFile(join(disk!.path, `${name}.sha256`), `${sum}  ${name}\n`);
      return name;
    };
    const kept = [await put(40, "db", 1), await put(30, "media", 1)];
    const gone = [await put(20, "db", 4, false), await put(60, "db", 1), await put(60, "media", 4)];
    await fillUp(disk!.path);
    const { removed } = await makeBackup(nightly);
    expect(removed.sort()).toEqual([...gone, ...kept].sort());
    expect((await namesIn(disk!.path)).filter((name) => /gz$/.test(name))).toHaveLength(2);

    // what may not be deleted leaves no room: the newest that verify, and those that are young
    for (const name of await namesIn(disk!.path)) await rm(join(disk!.path, name));
    const stay = [await put(40, "db", 4), await put(30, "media", 4), await put(13, "media", 3, false)];
    await put(20, "db", 0, false);
    await put(60, "media", 0);
    await fillUp(disk!.path);
    await expect(makeBackup(nightly)).rejects.toThrow("the disk is full");
    expect((await namesIn(disk!.path)).filter((name) => /gz$/.test(name))).toEqual(stay.sort());

    // a set that was killed is removed before anything else
    for (const name of await namesIn(disk!.path)) await rm(join(disk!.path, name));
    const left = join(disk!.path, ".media_20260101T000000Z.tar.gz.another-machine.1.part");
    await writeFile(left, new Uint8Array(11 * 1024 * 1024));
    await utimes(left, new Date(Date.now() - 2 * DAY), new Date(Date.now() - 2 * DAY));
    await fillUp(disk!.path);
    expect((await makeBackup(nightly)).removed).toEqual([]);
  });

  it("tries once more when there was no room, only after it deleted something, and not for an extra one", async () => {
    const { backups } = services;
    const tried = { makes: 0, prunes: 0 };
    const failing = (gone: string[], error: Error): Services => ({
      ...services,
      backups: {
        ...backups,
        make: async (options) => {
          if (tried.makes++ === 0) throw error;
          return backups.make({ ...options, media: false });
        },
        prune: async () => (tried.prunes++ === 0 ? gone : []),
      },
    });
    const attempt = async (made: Services, options = {}) => {
      Object.assign(tried, { makes: 0, prunes: 0 });
      const result = await makeBackup(made, options).catch((error: Error) => error.message);
      return [typeof result === "string" ? result : result.removed, tried.makes, tried.prunes];
    };
    const full = new NoRoom("full");
    expect(await attempt(failing(["db_old"], full))).toEqual([["db_old"], 2, 2]);
    expect(await attempt(failing([], full))).toEqual(["full", 1, 1]);
    expect(await attempt(failing(["db_old"], full), { directory: root })).toEqual(["full", 1, 0]);
    expect(await attempt(failing(["db_old"], new Refusal("read-only")))).toEqual(["read-only", 1, 0]);
  });

  inLong(it)(
    "at night on a full disk fails with that sentence, and the next one is made when there is room",
    async ({ skip }) => {
      const small = await smallDisk(4);
      skip(small === null, "only root may mount a small disk");
      const disk = small!.path;
      const config = { ...services.config, backupRoot: disk };
      const backups = await openBackups(config, databaseDump(sql, services.database));
      const nightly = { ...services, config, backups };
      onTestFinished(() => small!.close());
      await writeFile(join(disk, "somebody else's"), new Uint8Array(4 * 1024 * 1024 - 40_000));
      await sql`delete from jobs`;
      const due = [{ kind: "backup" as const, lastDue: at("0 3 * * *") }];
      const night = (day: number) => enqueueDueJobs(nightly, due, new Date(Date.UTC(2026, 10, day, 4)));
      await night(20);
      await sql`update jobs set run_after = now()`;
      const loop = startJobLoop(nightly, KIND_WORK, { ...TIMING, roundMs: 20 }, async () => undefined);
      const states = async () =>
        (await sql<{ state: string }[]>`select state from jobs order by due_at`).map(({ state }) => state);
      await expect.poll(states).toEqual(["failed"]);
      const [job] = await sql`select reason, attempts from jobs`;
      expect(job).toMatchObject({ reason: expect.stringContaining("cli.disk.full"), attempts: 1 });
      expect(await namesIn(disk)).toEqual(["somebody else's"]);
      await rm(join(disk, "somebody else's"));
      await night(21);
      await sql`update jobs set run_after = now() where state = 'queued'`;
      await expect.poll(states).toEqual(["failed", "done"]);
      await loop.stop();
      expect((await namesIn(disk)).filter((name) => DUMP.test(name))).toHaveLength(1);
    },
  );

  inLong(it)("can be restored with psql alone, and the schema is then up to date", async ({ skip }) => {
    if (!databases.includes("external") || !(await run("psql", ["--version"]).catch(() => null))) {
      notTried("psql with a server");
      skip();
    }
    await announceFile(sql, "originals/arriving.jpg");
    const { database: made } = await makeBackup(services, { media: false });
    const { url, drop } = await createDatabase();
    onTestFinished(() => drop());
    await run("sh", ["-c", `gunzip -c "${made.path}" | psql -q "${url}"`]);
    const copy = await openPostgres(url, { max: 1 });
    expect(await copy`select key from stray_files`).toEqual([]);
    expect(await recentRestore(copy)).not.toBeNull();
    await sql`delete from stray_files`;
    expect(await everyTable(copy)).toEqual(await everyTable(sql));
    expect((await schemaState(copy)).state).toBe("current");
    expect(await structures(copy)).toEqual(await structures(sql));
    const marked = await copy`select target, count(*)::int as n from outbox group by target order by target`;
    const [living] = await sql`
      select count(*)::int as n, count(*) filter (where published_at is not null)::int as published
      from records where deleted_at is null`;
    expect(marked).toMatchObject([
      { target: "public-dates", n: living!.published },
      { target: "search", n: living!.n },
    ]);
    // a second run meets existing tables and changes nothing
    const again = run("sh", ["-c", `gunzip -c "${made.path}" | psql -q "${url}"`]);
    await expect(again).rejects.toThrow(/already exists/);
    expect(await everyTable(copy)).toEqual(await everyTable(sql));
    await copy.end();
  });
});

/** Indexes, constraints and triggers in force. */
async function structures(sql: Sql): Promise<string[]> {
  const rows = await sql<{ line: string }[]>`
    select pg_get_indexdef(indexrelid) as line from pg_index where indrelid in
      (select oid from pg_class where relnamespace = 'public'::regnamespace)
    union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
      where connamespace = 'public'::regnamespace and contype <> 'n'
    union all select tgrelid::regclass || ' ' || tgname || ' ' || tgenabled::text from pg_trigger where not tgisinternal`;
  return rows.map(({ line }) => line).sort();
}

/** From the version before `modern-tar`: a directory with a file that has a long name, and another file. */
const FORMER_ARCHIVE =
  "H4sIAAAAAAACA+2WQQ6CMBBFZ+0pegL8LS2s3BqXXKERUmKIkIoJJ/MCXsxo3JAmuCqYdN6is+xi8v78yk6nxtaNp3gAQAF8JsIJKJA0OSSMAkoC" +
  "ysJIEhOtwP02Wk8ApYksxGDH9nB8Pnzd7HfEJMV371H/eCteLvmPwH+daxKG/Y9O9Qf5r5QK899w/q+S/3p+ALr+6sRWT3YZHF+gLfI/6mJ/9j+Yuf" +
  "85NDQJsP/RObfWj6xBsnS967Ph6mL3v2X/ddD/lGH/19o/W8AwDJMeL69epSoAFgAA";

/** This archive with another type and size in its first header. */
function withHeader(archive: Uint8Array, type: string, size: number): Buffer {
  const changed = Buffer.from(archive);
  changed.write(size.toString(8).padStart(11, "0"), 124);
  changed.write(type, 156);
  changed.fill(" ", 148, 156);
  const sum = changed.subarray(0, 512).reduce((all, byte) => all + byte, 0);
  changed.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return changed;
}

describe("the archive of the media directory", async () => {
  const museum = await museumHere();

  inLong(it)("can be read by tar, with long and foreign names, and restores the same files", async () => {
    const root = museum.services.config.mediaRoot;
    const long = `${"a very long name ".repeat(9)}.jpg`;
    const files: Record<string, Buffer> = {
      "logo.png": Buffer.from("logo"),
      [`themes/Förde/${long}`]: Buffer.from("long"),
      "empty.txt": Buffer.alloc(0),
      "block.bin": Buffer.alloc(512, 7),
      "large.bin": Buffer.alloc(2_500_000, "tide "),
      "航海図.tif": Buffer.from("chart"),
    };
    await mkdir(join(root, "themes", "Förde"), { recursive: true });
    await mkdir(join(root, "nothing yet"));
    await writeFile(join(root, ".writable"), "probe");
    await symlink("/etc/passwd", join(root, "link"));
    for (const [name, content] of Object.entries(files)) await writeFile(join(root, name), content);

    const { media, notes } = await makeBackup(museum.services);
    expect(notes).toEqual([said("cli.archive.left_out", { path: "link" })]);
    const { stdout } = await run("tar", ["tzf", media!.path], {
      env: { ...process.env, LC_ALL: "C.UTF-8" },
    });
    expect(stdout.split("\n").filter((line) => line.endsWith("/"))).toHaveLength(3);
    expect(stdout).toContain("logo.png\n");
    expect(await checkArchive(media!.path)).toEqual({ files: 6, bytes: 2_500_525 });

    const other = await mkdtemp(join(tmpdir(), "svc-media-"));
    await (await unpackMedia(media!.path, other)).place();
    for (const [name, content] of Object.entries(files)) {
      expect((await readFile(join(other, name))).equals(content)).toBe(true);
    }
    expect(await namesIn(other)).toEqual(
      ["block.bin", "empty.txt", "large.bin", "logo.png", "nothing yet", "themes", "航海図.tif"].sort(),
    );
    await rm(other, { recursive: true });
  });

  it("can be made by tar itself, and never writes outside the media directory", async () => {
    const folder = await mkdtemp(join(tmpdir(), "svc-tar-"));
    await mkdir(join(folder, "in"));
    await writeFile(join(folder, "in", "a.txt"), "a");
    await writeFile(join(folder, "b.txt"), "b");
    await run("tar", ["czf", "gnu.tar.gz", "in"], { cwd: folder });
    await run("tar", ["czPf", "outside.tar.gz", "../b.txt"], { cwd: join(folder, "in") });
    await run("tar", ["czf", "cut.tar.gz", "in"], { cwd: folder });
    expect(await checkArchive(join(folder, "gnu.tar.gz"))).toEqual({ files: 1, bytes: 1 });
    await expect(checkArchive(join(folder, "in", "outside.tar.gz"))).rejects.toThrow(
      "outside the media directory",
    );
    await truncate(join(folder, "b.txt"), 3_000_000);
    await run("tar", ["czSf", "sparse.tar.gz", "--format=posix", "b.txt"], { cwd: folder });
    await expect(checkArchive(join(folder, "sparse.tar.gz"))).rejects.toThrow(/b\.txt" as a sparse file/);
    const whole = await readFile(join(folder, "gnu.tar.gz"));
    await writeFile(join(folder, "cut.tar.gz"), whole.subarray(0, whole.length - 40));
    await expect(checkArchive(join(folder, "cut.tar.gz"))).rejects.toThrow("incomplete or damaged");
    await rm(folder, { recursive: true });
  });

  it("can be read if a former version made it", async () => {
    const folder = await mkdtemp(join(tmpdir(), "svc-tar-"));
    const path = join(folder, "media_20261101T030000Z.tar.gz");
    await writeFile(path, Buffer.from(FORMER_ARCHIVE, "base64"));
    expect(await checkArchive(path)).toEqual({ files: 2, bytes: 9 });
    await (await unpackMedia(path, folder)).place();
    expect(await readFile(join(folder, "Förde", `${"long ".repeat(25)}.jpg`), "utf8")).toBe("chart");
    expect(await readFile(join(folder, "logo.png"), "utf8")).toBe("logo");
    await rm(folder, { recursive: true });
  });

  it("is refused if it lacks its end, contains a link, or claims to have endless names", async () => {
    const folder = await mkdtemp(join(tmpdir(), "svc-tar-"));
    const path = join(folder, "bad.tar.gz");
    const whole = gunzipSync(Buffer.from(FORMER_ARCHIVE, "base64"));
    const faultOf = async (bytes: Uint8Array) => {
      await writeFile(path, gzipSync(bytes));
      return checkArchive(path).catch((error: Error) => error.message);
    };
    for (const length of [0, 700, 1024, whole.length - 1024]) {
      expect(await faultOf(whole.subarray(0, length))).toMatch(
        /bad\.tar\.gz is incomplete or damaged .* nothing was changed$/,
      );
    }
    const altered = Buffer.from(whole);
    altered[3]! ^= 1;
    expect(await faultOf(altered)).toContain("incomplete or damaged");
    expect(await faultOf(withHeader(whole, "2", 0))).toMatch(
      /contains "PaxHeader", which is neither a file nor a directory$/,
    );
    expect(await faultOf(withHeader(whole, "x", 8 ** 11 - 1))).toContain("exceeds maximum size");
    await rm(folder, { recursive: true });
  });
});

describe("the backup schedule", () => {
  const config = (env: Record<string, string>) => {
    const read = readConfig(env);
    if (!read.ok) throw new Error(JSON.stringify(read.faults));
    return read.config;
  };
  const due = (env: Record<string, string>, now: Date) => backupDue.lastDue(config(env), now);

  it("is daily, at the configured time", () => {
    const noon = new Date("2026-11-21T12:00:00Z");
    expect(due({}, noon)).toEqual(new Date("2026-11-21T03:00:00Z"));
    expect(due({ BACKUP_AT: "23:45" }, noon)).toEqual(new Date("2026-11-20T23:45:00Z"));
    expect(due({ TZ: "Europe/Berlin" }, noon)).toEqual(new Date("2026-11-21T02:00:00Z"));
  });

  it("is every so many seconds from the start if no time is set", () => {
    const often = { BACKUP_AT: "", BACKUP_INTERVAL_SECONDS: "600" };
    const now = new Date();
    const first = due(often, now)!;
    expect(now.getTime() - first.getTime()).toBeLessThan(600_000);
    const next = due(often, new Date(first.getTime() + 700_000))!;
    expect(next.getTime() - first.getTime()).toBe(600_000);
    // two processes out of step make one backup in each interval
    expect(backupDue.apart!(config(often), next)).toBe(300);
  });

  it("is empty if backups are turned off", () => {
    expect(due({ BACKUP_ENABLED: "false" }, new Date())).toBeNull();
  });
});

describe.each(databases)("svc-manage backup in the %s database", async (kind) => {
  const once = onceFor(kind);
  const office = await officeHere(kind);
  const root = join(office.settings.SVC_DATA_DIR!, "backups");
  beforeAll(async () => {
    await office.look(({ sql }) => fill(sql, ROWS));
    await mkdir(root, { recursive: true });
  });

  inLong(it)(
    "makes more backups beside the first one, which a service with an interval makes at its start",
    async () => {
      office.settings.BACKUP_AT = "";
      const { service } = await office.serve();
      await service.said(/backup made/);
      expect((await namesIn(root)).filter((name) => DUMP.test(name))).toHaveLength(1);
      const once = await office.run("backup", "once", "--json");
      expect(once.code).toBe(0);
      expect(JSON.parse(once.out).database.name).toMatch(DUMP);
      const listed = await office.run("backup", "list", "--json");
      expect(JSON.parse(listed.out)).toHaveLength(4);
      await service.kill("SIGTERM");
      delete office.settings.BACKUP_AT;
    },
  );

  inLong(it)("verifies that the newest can be restored, and detects an altered one", async () => {
    const verified = await office.run("backup", "verify", "--json");
    expect(verified.code).toBe(0);
    expect(JSON.parse(verified.out)).toMatchObject({
      database: {
        on: kind === "external" ? "an external" : "an embedded",
        tables: { records: ROWS, revisions: ROWS },
      },
      media: { files: 0 },
    });
    const path = JSON.parse(verified.out).file as string;
    const bytes = await readFile(path);
    // more than the header of a piece, whose time says nothing of the content
    bytes.fill(0, bytes.length >> 1, (bytes.length >> 1) + 64);
    await writeFile(path, bytes);
    expect(await office.run("backup", "verify")).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringMatching(/is incomplete or was changed: its SHA-256 does not match/),
    });
    await rm(`${path}.sha256`);
    expect(await office.run("backup", "verify")).toMatchObject({
      code: 1,
      err: expect.stringMatching(/incomplete or damaged/),
    });
    await rm(path);
  });

  inLong(once)(
    "leaves no file that looks like a backup when it is killed, and the next one tidies up",
    async () => {
      const media = join(office.settings.SVC_DATA_DIR!, "media");
      await mkdir(media, { recursive: true });
      await writeFile(join(media, "film.bin"), randomBytes(64 * 1024 * 1024));
      for (const kind of ["db", "media"]) {
        await rm(root, { recursive: true, force: true });
        const command = office.begin("backup");
        const draft = new RegExp(`^\\.${kind}_.*\\.part$`);
        const begun = async () => {
          for (const name of await namesIn(root)) {
            if (draft.test(name) && (await stat(join(root, name))).size > 100_000) return true;
          }
          return false;
        };
        await office.until(command, begun);
        await command.kill("SIGKILL");
        const left = await namesIn(root);
        expect(left.every((name) => /^\.(db|media)_.*\.part$/.test(name))).toBe(true);
        expect(left).toHaveLength(kind === "db" ? 1 : 2);
        expect(await office.run("backup", "list")).toMatchObject({ out: `There are no backups in ${root}` });
        expect((await office.run("backup")).code).toBe(0);
        expect((await namesIn(root)).filter((name) => name.endsWith(".part"))).toEqual([]);
      }
      await rm(join(media, "film.bin"));
    },
  );

  inLong(once)("says that no backup was made when it is interrupted", async () => {
    const before = await namesIn(root);
    const command = office.begin("backup");
    await office.until(command, async () => (await namesIn(root)).some((name) => name.endsWith(".part")));
    command.child.kill("SIGINT");
    expect(await command.ended).toBe(130);
    expect(command.err.at(-1)).toBe("Interrupted: no backup was made");
    expect(await namesIn(root)).toEqual(before);
  });

  once("leaves the unfinished files of other processes alone while they may still be working", async () => {
    const own = ".db_20260101T000000Z.sql.gz.another-machine.1.part";
    await writeFile(join(root, own), "");
    expect((await office.run("backup")).code).toBe(0);
    expect(await namesIn(root)).toContain(own);
    const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000);
    await utimes(join(root, own), ago(48), ago(48));
    // its archive is still being written
    const archive = ".media_20260101T000000Z.tar.gz.another-machine.1.part";
    await writeFile(join(root, archive), "");
    expect((await office.run("backup")).code).toBe(0);
    expect(await namesIn(root)).toEqual(expect.arrayContaining([own, archive]));
    await utimes(join(root, archive), ago(48), ago(48));
    expect((await office.run("backup")).code).toBe(0);
    expect((await namesIn(root)).filter((name) => name === own || name === archive)).toEqual([]);
  });

  once("removes what a killed container left that had the same name and process number", async () => {
    const machine = hostname().replaceAll(/[^\w-]/g, "-");
    const draft = `.db_20260101T000000Z.sql.gz.${machine}.${process.pid}.part`;
    await writeFile(join(root, draft), "");
    expect((await office.run("backup")).code).toBe(0);
    expect(await namesIn(root)).toContain(draft);
    const old = new Date(Date.now() - 2 * 3_600_000);
    await utimes(join(root, draft), old, old);
    expect((await office.run("backup")).code).toBe(0);
    expect(await namesIn(root)).not.toContain(draft);
  });

  once("refuses arguments that it does not understand", async () => {
    for (const [wrong, sentence] of [
      [["everything"], "once, list, verify"],
      [["verfy"], 'did you mean "verify"?'],
      [["--json=5"], "--json takes no value"],
    ] as const) {
      const err = expect.stringContaining(sentence);
      expect(await office.run("backup", ...wrong)).toMatchObject({ code: 2, err });
    }
    expect(await office.run("backup", "verify", "db_2020.sql.gz")).toMatchObject({
      code: 1,
      err: expect.stringContaining("svc-manage backup list"),
    });
    await chmod(root, 0o700);
  });
});
