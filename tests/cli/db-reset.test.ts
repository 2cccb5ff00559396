/** svc-manage db-reset: what is deleted, what stays, and that it is all or nothing. */
import { spawnSync } from "node:child_process";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { resetCatalogue } from "../../src/adapters/database/dump/reset.ts";
import { TABLE_KINDS } from "../../src/adapters/database/dump/table-kinds.ts";
import { openDatabase } from "../../src/adapters/database/open.ts";
import { enqueueJob } from "../../src/jobs/enqueue.ts";
import type { Sql } from "../../src/services.ts";
import { environment } from "../runtimes/started.ts";
import { inLong } from "../support/lane/lane.ts";
import { notTried } from "../support/lane/skipped.ts";
import { everyTable, fill, namesIn, textOf } from "../support/museum/backups.ts";
import { createObject, type Page, read } from "../support/museum/catalogue.ts";
import {
  type DatabaseKind,
  databases,
  museumHere,
  onceFor,
  openMuseum,
  quickest,
} from "../support/museum/museum.ts";
import { officeHere } from "../support/programs/command.ts";
import { begin } from "../support/programs/processes.ts";

const MAIN = fileURLToPath(new URL("../../cli/svc-manage.mjs", import.meta.url));
/** Gives a process its own terminal: util-linux's `script`. */
const hasTerminal = spawnSync("script", ["--version"]).stdout?.toString().includes("util-linux") ?? false;
if (!hasTerminal) notTried("db-reset at a terminal (script of util-linux)");

const named = (reset: "always" | "all") =>
  Object.entries(TABLE_KINDS)
    .filter(([, kind]) => kind.reset === reset)
    .map(([name]) => name);

async function rowsOf(sql: Sql, table: string): Promise<number> {
  const [row] = await sql<{ n: number }[]>`select count(*)::int as n from ${sql(table)}`;
  return row!.n;
}

inLong(describe.each(databases))("a reset of the %s catalogue", async (database: DatabaseKind) => {
  const museum = await museumHere({ database, demo: true });
  const sql = museum.services.sql;

  it("empties the collection and keeps everything else, while the service runs", async () => {
    const editor = await museum.as("editor");
    const admin = await museum.as("admin");
    await read(admin("/v1/vocabularies", { json: { name: "harbour_words", label: { en: "Words" } } }), 201);
    const before = await everyTable(sql);
    expect((await read<Page>(museum.ask("/v1/search"))).total).toBeGreaterThan(0);

    await resetCatalogue(sql, { all: false });
    for (const table of named("always")) expect([table, await rowsOf(sql, table)]).toEqual([table, 0]);
    const after = await everyTable(sql);
    const kept = Object.keys(after).filter(
      (name) => TABLE_KINDS[name]!.reset !== "always" && !["configuration", "idno_patterns"].includes(name),
    );
    for (const name of kept) expect([name, after[name]]).toEqual([name, before[name]]);

    expect((await read<Page>(museum.ask("/v1/search"))).total).toBe(0);
    const created = await createObject(editor, "The first again");
    expect(created.idno).toBe("OBJ-000001");
    await read(editor(`/v1/objects/${created.id}/publish`, { method: "POST" }));
    const found = await read<Page>(museum.ask("/v1/search?q=first"));
    expect(found.items.map(({ id }) => id)).toEqual([created.id]);
  });

  it("with --all restores what a fresh installation has, and leaves no account", async () => {
    const fresh = await openMuseum({ database });
    const names = (
      from: Sql,
      table: string,
    ) => from`select to_jsonb(t) - 'id' - 'broader_id' as row from ${from(table)} t
      order by (to_jsonb(t) - 'id' - 'broader_id')::text collate "C"`;
    onTestFinished(() => fresh.close());
    await resetCatalogue(sql, { all: true });
    for (const [table, { preset }] of Object.entries(TABLE_KINDS)) {
      if (preset)
        expect([table, ...(await names(sql, table))]).toEqual([
          table,
          ...(await names(fresh.services.sql, table)),
        ]);
    }
    for (const table of ["accounts", "api_keys", "sessions", "records"])
      expect(await rowsOf(sql, table)).toBe(0);
    const [schemas] = await sql`select count(*)::int as n from pg_namespace where nspname = 'svc_fresh'`;
    expect(schemas!.n).toBe(0);
    expect((await read<{ items: unknown[] }>(museum.ask("/v1/search"))).items).toEqual([]);
    const editor = await museum.as("editor");
    expect((await createObject(editor, "Begun anew")).idno).toBe("OBJ-000001");
  });

  it("changes nothing if it fails at the end", async () => {
    await fill(sql, 10);
    const before = await everyTable(sql);
    const failing = async () => {
      throw new Error("the lights went out");
    };
    for (const all of [false, true]) {
      await expect(resetCatalogue(sql, { all, also: failing })).rejects.toThrow("the lights went out");
    }
    expect(await everyTable(sql)).toEqual(before);
  });
});

describe.each(databases)("svc-manage db-reset in the %s database", async (kind) => {
  const once = onceFor(kind);
  const office = await officeHere(kind);
  const data = office.settings.SVC_DATA_DIR!;
  beforeAll(async () => {
    await office.look(({ sql }) => fill(sql, 2_000));
  });

  const now = () => office.look(({ sql }) => everyTable(sql));
  const records = () => office.look(({ sql }) => rowsOf(sql, "records"));

  once("does nothing if nobody can confirm it, and says what it would delete", async () => {
    expect(await office.run("db-reset")).toMatchObject({
      code: 1,
      out: "",
      err: "This deletes 2,000 records, 2,000 entries in the history, 0 relations and 0 imports. There is no terminal to confirm this: add --yes if you are sure. Nothing was changed",
    });
    expect((await office.run("db-reset", "--no-backup", "--backup-dir", "there")).code).toBe(2);
    expect((await office.run("db-reset", "--yess")).code).toBe(2);
    expect(await records()).toBe(2_000);
  });

  const onceAtTerminal = kind === quickest ? it.runIf(hasTerminal) : () => undefined;
  inLong(onceAtTerminal)("asks at a terminal, and deletes nothing unless the word is typed", async () => {
    const words = `'${process.execPath}' '${MAIN}' db-reset --no-backup`;
    for (const [answer, code] of [
      ["yes\r", 1],
      ["\u0003", 130],
    ] as const) {
      const command = begin(["script", "-qefc", words, "/dev/null"], environment(office.settings));
      let output = "";
      let answered = false;
      command.child.stdout!.on("data", (bytes: Buffer) => {
        output += bytes.toString();
        if (answered || !output.includes('Type "delete" to continue: ')) return;
        answered = true;
        command.child.stdin!.write(answer);
      });
      expect([await command.ended, output]).toEqual([code, expect.stringContaining("Nothing was changed")]);
      expect(output).toContain("NO backup is made.");
    }
    expect(await records()).toBe(2_000);
  });

  once("deletes nothing if the backup cannot be made", async () => {
    await writeFile(join(data, "occupied"), "");
    const before = await now();
    expect(await office.run("db-reset", "--yes", "--backup-dir", join(data, "occupied"))).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^--backup-dir not writable .* No backup was made$/),
    });
    expect(await now()).toEqual(before);
  });

  inLong(it)("deletes nothing if it is killed during its backup, or before its end", async () => {
    const before = await now();
    const isBackingUp = async () =>
      (await namesIn(join(data, "backups"))).some((name) => name.endsWith(".part"));
    if (!office.url) {
      const backing = office.begin("db-reset", "--yes", "--all");
      await office.until(backing, isBackingUp);
      await backing.kill("SIGKILL");
      expect(await now()).toEqual(before);
      return;
    }
    const holder = await openDatabase({ databaseUrl: office.url, dataDir: "", role: "client", max: 1 });
    const waiting = await openDatabase({ databaseUrl: office.url, dataDir: "", role: "client", max: 1 });
    await holder.sql.begin(async (tx) => {
      // the backup waits for this lock
      await tx`lock table arks in access exclusive mode`;
      const backing = office.begin("db-reset", "--yes", "--all");
      await office.until(backing, isBackingUp);
      await backing.kill("SIGKILL");
    });
    expect(await now()).toEqual(before);
    await holder.sql.begin(async (tx) => {
      // a reader: the reset waits for it, with everything before that done
      await tx`select 1 from search_texts_a limit 1`;
      const command = office.begin("db-reset", "--yes", "--no-backup");
      for (let waits = false; !waits; await setTimeout(20)) {
        const [row] = await waiting.sql`
          select exists (select 1 from pg_locks l join pg_database d on d.oid = l.database
            where d.datname = current_database() and not l.granted) as waits`;
        waits = row!.waits;
      }
      await command.kill("SIGKILL");
    });
    await holder.close();
    await waiting.close();
    expect(await now()).toEqual(before);
  });

  once("is refused while a job runs, but not for a job whose process was killed", async () => {
    const id = await office.look(async ({ sql }) => {
      const { job } = await enqueueJob(sql, { kind: "import", createdBy: null });
      await sql`
        update jobs set state = 'running', attempts = 1, lease = gen_random_uuid(), leased_until = now() + interval '1 minute'`;
      return job.id;
    });
    const before = await now();
    expect(await office.run("db-reset", "--yes", "--no-backup")).toMatchObject({
      code: 1,
      out: "",
      err: `A job is running: import ${id}. Wait until it ends, or stop it with svc-manage jobs cancel ${id}. Nothing was deleted`,
    });
    expect(await now()).toEqual(before);
    await office.look(({ sql }) => sql`update jobs set leased_until = now() - interval '1 second'`);
    // it gets as far as the question
    expect((await office.run("db-reset")).err).toMatch(/^This deletes 2,000 records/);
    await office.look(({ sql }) => sql`delete from jobs`);
  });

  it("makes a backup in the given directory, deletes, and logs it permanently", async () => {
    const there = join(data, "before the move");
    await mkdir(join(data, "dumps", "one"), { recursive: true });
    await writeFile(join(data, "dumps", "current.json"), '{"folder":"one","made_at":"","files":[]}');
    await writeFile(join(data, "dumps", "one", "objects.ndjson.gz"), "");
    const done = await office.run("db-reset", "--yes", "--backup-dir", there);
    expect(done.code).toBe(0);
    expect(done.out).toContain(
      "Deleted: 2,000 records, 2,000 entries in the history, 0 relations and 0 imports",
    );
    const [dump] = await namesIn(there);
    expect(dump).toMatch(/^db_.*\.sql\.gz$/);
    expect((await textOf(join(there, dump!))).match(/^copy "records"/m)).not.toBeNull();
    expect(await records()).toBe(0);
    expect(await readdir(join(data, "dumps"), { recursive: true })).toEqual([]);
    const events = await office.look(({ sql }) => sql`select event, detail from security_events`);
    expect(events.map((row) => ({ ...row }))).toEqual([
      { event: "catalogue_reset", detail: { all: false, records: 2_000 } },
    ]);
  });

  inLong(it)("with --all, the next start of the service creates the first administrator", async () => {
    const { service } = await office.serve();
    // the start may index these records
    const running = async () => (await office.run("jobs", "--state", "running", "--json")).out;
    await expect.poll(running, { timeout: 30_000, interval: 200 }).toBe("[]");
    // an embedded database has no room for two
    if (kind === "embedded") await service.kill("SIGTERM");
    const done = await office.run("db-reset", "--yes", "--all", "--no-backup");
    expect([done.code, done.err]).toEqual([0, ""]);
    expect(done.out).toContain("The next start of the service creates the first administrator");
    if (kind === "external") {
      expect((await service.ask("/health")).status).toBe(200);
      await service.kill("SIGTERM");
    }
    const { service: next } = await office.serve();
    expect(await next.said(/FIRST RUN/)).toBe("FIRST RUN");
    await next.kill("SIGTERM");
  });
});
