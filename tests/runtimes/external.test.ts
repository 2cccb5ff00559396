import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { notTried } from "../support/lane/skipped.ts";
import { begin } from "../support/programs/processes.ts";
import { createDatabase, isServerThere, SERVER_MISSING } from "../support/servers/server.ts";
import { askEverything, SETTINGS } from "./everything.ts";
import { differingRuntimes } from "./runtimes.ts";
import { environment, freePort, type Settings, type Started, serve, svcManage } from "./started.ts";

const isThere = await isServerThere();
if (!isThere) notTried(SERVER_MISSING);

describe.runIf(isThere).each(differingRuntimes())("on %s, with an external PostgreSQL", (_name, runtime) => {
  let directory: string;
  let database: { url: string; drop(): Promise<void> };
  let settings: Settings;
  let service: Started;
  const login = { email: "curator@example.org", password: "harbour-lights-1887" };

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "svc-runtime-"));
    database = await createDatabase();
    settings = {
      ...SETTINGS,
      SVC_DATA_DIR: directory,
      DATABASE_URL: database.url,
      PORT: await freePort(),
      DEFAULT_ADMIN_EMAIL: login.email,
      DEFAULT_ADMIN_PASSWORD: login.password,
    };
  });
  afterAll(async () => {
    await service?.kill("SIGKILL");
    await database?.drop();
    await rm(directory, { recursive: true, force: true });
  });

  test("waits on an empty database, and says what to do", async () => {
    const waiting = begin(runtime.svcManage("serve"), environment(settings));
    expect(await waiting.said(/waiting for the schema/)).toContain("svc-manage migrate");
    const answer = await fetch(`http://127.0.0.1:${settings.PORT}/health`);
    expect([answer.status, (await answer.json()).status]).toEqual([503, "degraded"]);
    process.kill(waiting.child.pid!, "SIGTERM");
    expect(await waiting.ended).toBe(0);
  });

  test("is migrated by one command, which may be repeated", async () => {
    const first = await svcManage(runtime, settings, "migrate");
    expect(first).toMatchObject({ code: 0, output: expect.stringMatching(/^applied 0001_records\.sql$/m) });
    const again = await svcManage(runtime, settings, "migrate");
    expect(again).toEqual({ code: 0, output: "The database is up to date" });
  });

  test("starts, lets the administrator sign in, and stores what it is given", async () => {
    service = await serve(runtime, settings);
    console.log(`${runtime.name}: started on PostgreSQL in ${service.seconds.toFixed(1)} s`);
    expect(await service.ask("/health")).toMatchObject({ status: 200, json: { status: "ok" } });
    const { json } = await service.ask("/v1/auth/login", { json: login });
    const token = json.access_token;
    const draft = { object_type: "print", idno: "PRINT-1", metadata_: { title: [{ value: "Lighthouse" }] } };
    const created = await service.ask("/v1/objects", { token, json: draft });
    expect(created).toMatchObject({ status: 201 });
    const path = `/v1/objects/${created.json.id}/publish`;
    expect(await service.ask(path, { token, method: "POST" })).toMatchObject({ status: 200 });
    expect(await service.ask("/v1/search?q=lighthouse")).toMatchObject({ status: 200, json: { total: 1 } });
  });

  test("answers every operation, page and form", async () => {
    const { ask } = service;
    const token = (await ask("/v1/auth/login", { json: login })).json.access_token;
    const { wrong, asked } = await askEverything({ ask, token, ...login });
    expect(wrong).toEqual([]);
    expect(asked).toBeGreaterThan(400);
  });

  /**
   * Waits until no rebuild of the search index is queued or running. Other jobs are: those of the timetable wait a
   * minute after a start.
   */
  async function isIndexed(): Promise<void> {
    const token = (await service.ask("/v1/auth/login", { json: login })).json.access_token;
    for (const state of ["queued", "running"])
      await expect
        .poll(async () => (await service.ask(`/v1/jobs?kind=reindex&state=${state}`, { token })).json.total, {
          timeout: 20_000,
        })
        .toBe(0);
  }

  test("exits cleanly, and starts again with all its data, also after a kill", async () => {
    const { code, seconds } = await service.stop();
    expect(code).toBe(0);
    expect(seconds).toBeLessThan(10);
    for (let round = 0; round < 2; round++) {
      service = await serve(runtime, settings);
      expect(await service.ask("/v1/search?q=lighthouse")).toMatchObject({ status: 200, json: { total: 1 } });
      // the next test requests its own rebuild, and a killed one is not taken over before its lease ends
      await isIndexed();
      await service.kill("SIGKILL");
    }
  });

  test("has its jobs done by a separate worker, which exits cleanly when it is told to stop", async () => {
    service = await serve(runtime, { ...settings, SVC_WORK: "outside" });
    const { json } = await service.ask("/v1/auth/login", { json: login });
    const token = json.access_token;
    const { job_id } = (await service.ask("/v1/search/reindex", { token, method: "POST" })).json;
    const state = async () => (await service.ask(`/v1/jobs/${job_id}`, { token })).json.state;
    await setTimeout(1_500);
    // the service itself does no jobs
    expect(await state()).toBe("queued");

    const worker = begin(runtime.svcManage("work"), environment(settings));
    await worker.said(/"message":"working"/);
    await expect.poll(state).toBe("done");
    await expect
      .poll(() => service.ask("/health"))
      .toMatchObject({ status: 200, json: { queue_backlog: 0 } });
    const asked = performance.now();
    process.kill(worker.child.pid!, "SIGTERM");
    expect(await worker.ended).toBe(0);
    expect(performance.now() - asked).toBeLessThan(10_000);
  });
});
