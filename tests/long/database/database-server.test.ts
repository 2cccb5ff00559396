/** The database server is killed under traffic, as by a power failure, and started again. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openPostgres } from "../../../src/adapters/database/server/postgres.ts";
import { runtimeName } from "../../../src/runtimes/serve.ts";
import { environment, type Started, started } from "../../runtimes/started.ts";
import { type OwnServer, openOwnServer, PROGRAMS_MISSING, serverPrograms } from "../../servers/postgresql.ts";
import { notTried } from "../../support/lane/skipped.ts";
import { MIXED_MAPPING, mixedList } from "../../support/museum/mixed-list.ts";
import { begin } from "../../support/programs/processes.ts";

const MAIN = fileURLToPath(new URL("../../../cli/svc-manage.mjs", import.meta.url));
const PASSWORD = "a list as long as the pier";
const ROWS = 3_000;

const programs = serverPrograms();
if (programs === null) notTried(PROGRAMS_MISSING);

describe.runIf(programs !== null)("a service whose database server is killed and restarted", () => {
  let directory: string;
  let server: OwnServer;
  let service: Started;
  let token: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "svc-crash-"));
    server = await openOwnServer(programs!);
    const settings = {
      SVC_DATA_DIR: directory,
      DATABASE_URL: server.url,
      DEFAULT_ADMIN_EMAIL: "admin@example.org",
      DEFAULT_ADMIN_PASSWORD: PASSWORD,
    };
    const migrated = begin([process.execPath, MAIN, "migrate"], environment(settings));
    expect(await migrated.ended, migrated.lines.join("\n")).toBe(0);
    service = await started([process.execPath, MAIN, "serve"], settings, runtimeName());
    const json = { email: "admin@example.org", password: PASSWORD };
    token = (await service.ask("/v1/auth/login", { json })).json.access_token;
  });
  afterAll(async () => {
    await service?.kill("SIGKILL");
    await server?.close();
    await rm(directory, { recursive: true, force: true });
  });

  const health = async () => (await service.ask("/health")).json;

  /** The ids of records that were answered with 201, and all statuses. */
  function writers(many: number) {
    let open = true;
    const kept: string[] = [];
    const statuses = new Set<number>();
    const one = async () => {
      while (open) {
        const metadata_ = { title: [{ value: `Print ${kept.length}` }] };
        const answer = await service.ask("/v1/objects", { token, json: { object_type: "print", metadata_ } });
        statuses.add(answer.status);
        if (answer.status === 201) kept.push(answer.json.id);
        else await setTimeout(50);
      }
    };
    const all = Array.from({ length: many }, one);
    return {
      kept,
      statuses,
      async stop() {
        open = false;
        await Promise.all(all);
      },
    };
  }

  async function sendImport(): Promise<string> {
    const body = new FormData();
    body.append("type", "object");
    body.append("mapping", JSON.stringify(MIXED_MAPPING));
    body.append("file", new Blob([mixedList(ROWS)]), "list.csv");
    const headers = { Authorization: `Bearer ${token}` };
    const sent = await fetch(`${service.url}/v1/imports`, { method: "POST", headers, body });
    expect(sent.status).toBe(202);
    return ((await sent.json()) as { job_id: string }).job_id;
  }

  test("loses nothing that it had confirmed, reports it in its health, and continues by itself, as its jobs do", async () => {
    const work = writers(4);
    onTestFinished(work.stop);
    const job = await sendImport();
    const read = async () => (await service.ask(`/v1/jobs/${job}`, { token })).json;
    for (let outage = 0; outage < 2; outage++) {
      const before = work.kept.length;
      await expect.poll(() => work.kept.length).toBeGreaterThan(before + 20);
      if (outage === 0) await expect.poll(async () => (await read())?.done).toBeGreaterThan(0);
      await server.crash();
      await expect.poll(async () => (await health()).checks.database, { timeout: 10_000 }).not.toBe("ok");
      expect((await service.ask("/health")).status).toBe(503);
      expect((await service.ask("/v1/objects", { token })).status).toBe(503);
      await server.start();
      await expect.poll(async () => (await health()).status, { timeout: 30_000 }).toBe("ok");
    }
    const again = work.kept.length;
    await expect.poll(() => work.kept.length).toBeGreaterThan(again + 20);
    await work.stop();
    expect([...work.statuses].sort()).toEqual([201, 503]);

    await expect.poll(async () => (await read()).state).toBe("done");
    const { result, attempts } = await read();
    // the server was killed at least once while it ran
    expect(attempts).toBeGreaterThan(1);
    expect(result).toMatchObject({ rows_done: ROWS, rejected: ROWS / 100 });
    const sql = await openPostgres(server.url, { max: 1 });
    const [row] = await sql`
      select count(*) filter (where id = any(${work.kept}))::int as kept,
        count(*) filter (where idno like 'M-%')::int as imported,
        count(distinct idno) filter (where idno like 'M-%')::int as numbers from records`;
    await sql.end();
    expect(row).toEqual({ kept: work.kept.length, imported: ROWS * 0.99, numbers: ROWS * 0.99 });
    expect(service.child.exitCode).toBeNull();
    expect((await service.stop()).code).toBe(0);
  });
});
