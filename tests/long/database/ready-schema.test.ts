/** The answers of a service before its database is ready: while it starts, and before an external database is migrated. */
import { cpSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { readySchema } from "../../../cli/catalogue/ready-schema.ts";
import { migrate } from "../../../src/adapters/database/migrate/migrate.ts";
import { readMigrationFiles } from "../../../src/adapters/database/migrate/migration-files.ts";
import { openPostgres } from "../../../src/adapters/database/server/postgres.ts";
import { createLog } from "../../../src/log.ts";
import { environment, freePort, type Settings } from "../../runtimes/started.ts";
import { begin, type Program } from "../../support/programs/processes.ts";
import { openScratch } from "../../support/servers/databases.ts";
import { createDatabase } from "../../support/servers/server.ts";

const MAIN = fileURLToPath(new URL("../../../cli/svc-manage.mjs", import.meta.url));
const NAMES = ["database", "elasticsearch", "redis", "beat_heartbeat", "cantaloupe"];
const WAITS = Object.fromEntries(NAMES.slice(1).map((name) => [name, "is waiting for the database"]));
const PATIENCE = { timeout: 20_000, interval: 200 };

let directory: string;
let settings: Settings;
let base: string;
const programs: Program[] = [];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "svc-unready-"));
  const port = await freePort();
  base = `http://127.0.0.1:${port}`;
  settings = { SVC_DATA_DIR: join(directory, "data"), PORT: port, LOG_FORMAT: "json" };
});
afterEach(async () => {
  await Promise.all(programs.splice(0).map((program) => program.kill("SIGKILL")));
  await rm(directory, { recursive: true, force: true });
});

function run(command: string, more: Settings = {}): Program {
  const program = begin([process.execPath, MAIN, command], environment({ ...settings, ...more }));
  programs.push(program);
  return program;
}

/** Null while nothing listens. */
const health = () =>
  fetch(`${base}/health`).then(
    async (answer) => ({ status: answer.status, body: await answer.json() }),
    () => null,
  );

it("a service reports its health in the same form at its start as later", async () => {
  cpSync(inject("embeddedTemplate"), join(directory, "data"), { recursive: true });
  const service = run("serve");
  const reports = [];
  while (service.child.exitCode === null) {
    const report = await health();
    if (report) reports.push(report);
    if (report?.status === 200) break;
  }
  expect(reports[0]).toEqual({
    status: 503,
    body: {
      status: "degraded",
      checks: { database: "The service is starting", ...WAITS },
      queue_backlog: 0,
      backup_age_hours: null,
    },
  });
  for (const { body } of reports) expect(Object.keys(body.checks)).toEqual(NAMES);
}, 60_000);

describe.runIf(inject("external"))("a service on an external database without its schema", () => {
  let database: { url: string; drop(): Promise<void> };
  beforeEach(async () => {
    database = await createDatabase();
  });
  afterEach(() => database.drop());

  it("says which command to run, and serves without a restart once it was run, as the worker does", async () => {
    const service = run("serve", { DATABASE_URL: database.url, SVC_WORK: "outside" });
    const worker = run("work", { DATABASE_URL: database.url });
    const reportWith = (detail: string) => ({
      status: 503,
      body: expect.objectContaining({ status: "degraded", checks: { database: detail, ...WAITS } }),
    });
    const empty = "The database has no schema yet; run svc-manage migrate";
    await expect.poll(health, PATIENCE).toEqual(reportWith(empty));
    for (const [method, path] of [
      ["GET", "/v1/objects"],
      ["POST", "/v1/auth/login"],
      ["GET", "/api/docs"],
      ["GET", "/metrics"],
    ]) {
      const answer = await fetch(base + path, { method });
      expect(answer.headers.get("Content-Type"), path).toBe("application/problem+json");
      expect(await answer.json()).toMatchObject({ status: 503, detail: empty, instance: path });
    }
    const page = await fetch(`${base}/admin`, {
      headers: { Accept: "text/html", "Accept-Language": "de" },
    });
    expect([page.status, page.headers.get("Content-Type")]).toEqual([503, "text/html; charset=utf-8"]);
    expect(page.headers.get("Retry-After")).toBe("2");
    expect(page.headers.get("Content-Security-Policy")).toContain("style-src 'self'");
    const text = await page.text();
    expect(text).toContain("Im Moment nicht verfügbar");
    expect(text).toContain("Die Datenbank hat noch kein Schema; führen Sie svc-manage migrate aus");
    const style = await fetch(base + /href="(\/assets\/style[^"]+)"/.exec(text)![1]!);
    expect([style.status, style.headers.get("Content-Type")]).toEqual([200, "text/css; charset=utf-8"]);
    await worker.said(/waiting for the schema/);

    const sql = await openPostgres(database.url, { max: 1 });
    const files = await readMigrationFiles();
    await migrate(sql, { files: files.slice(0, -1) });
    const old = `The database lacks 1 of ${files.length} schema files; run svc-manage migrate`;
    await expect.poll(health, PATIENCE).toEqual(reportWith(old));
    expect(service.lines.join("\n")).not.toContain("FIRST RUN");

    await migrate(sql);
    await sql.end();
    await expect
      .poll(health, PATIENCE)
      .toMatchObject({ status: 200, body: { checks: { beat_heartbeat: "ok" } } });
    await worker.said(/"message":"working"/);
    expect(service.lines).toContain("FIRST RUN");
    expect((await fetch(`${base}/v1/objects`)).status).toBe(200);
  }, 120_000);

  it("ends on request while it waits, as the worker does", async () => {
    const waiting = ["serve", "work"].map((command) => run(command, { DATABASE_URL: database.url }));
    for (const program of waiting) {
      await program.said(/waiting for the schema/);
      program.child.kill("SIGTERM");
      expect(await program.ended).toBe(0);
    }
  }, 60_000);

  it("refuses a schema newer than the program", async () => {
    const { sql, close } = await openScratch("external");
    const silent = createLog({ level: "error", format: "json", write: () => undefined });
    const newer = /which this version of the program does not know; start a newer version/;
    await migrate(sql);
    await sql`insert into schema_migrations (version, name, checksum) values (9999, '9999_later.sql', '')`;
    await expect(readySchema({ sql, kind: "external" }, silent)).rejects.toThrow(newer);
    await close();
  });
});
