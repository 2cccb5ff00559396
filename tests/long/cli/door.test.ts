/** Commands that ask the running service through the socket in its data directory. */
import { chown, lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { bindPrivately, connectTo } from "../../../src/adapters/database/pglite/unix-socket.ts";
import { VERSION } from "../../../src/config/version.ts";
import { newId } from "../../../src/ids.ts";
import { VERSION_HEADER } from "../../../src/operator.ts";
import { askThrough } from "../../../src/runtimes/socket-client.ts";
import { answerOnSocket } from "../../../src/runtimes/socket-server.ts";
import { enqueueReindex } from "../../../src/search/enqueue-reindex.ts";
import { runtimesHere } from "../../runtimes/runtimes.ts";
import { type Started, serve, svcManage } from "../../runtimes/started.ts";
import { endOf, type Office, officeHere, openOffice } from "../../support/programs/command.ts";

describe("svc-manage while the service runs", async () => {
  const office = await officeHere();
  let service: Started;
  const dataDir = office.settings.SVC_DATA_DIR!;
  const door = join(dataDir, ".door", "socket");
  beforeAll(async () => {
    ({ service } = await office.serve());
  });

  const send = async (path: string, body: string, version = VERSION) => {
    const headers = { [VERSION_HEADER]: version };
    const init = { method: "POST", headers, body, duplex: "half" } as RequestInit;
    const answer = await askThrough(() => connectTo(door))(new Request(`http://localhost${path}`, init));
    return answer.status === 200 ? Object.keys(await answer.json()) : answer.status;
  };

  it("asks through a socket that only this user can open", async () => {
    expect((await lstat(join(dataDir, ".door"))).mode & 0o777).toBe(0o700);
    expect((await lstat(door)).mode & 0o777).toBe(0o600);
    expect(await readdir(join(dataDir, ".door"))).toEqual(["socket"]);
    const listed = await office.run("jobs", "--state", "failed", "--json");
    expect(listed).toEqual({ code: 0, out: "[]", err: "" });
  });

  it("lets the service do the work, and follows it", async () => {
    const { code, out } = await office.run("reindex", "--type", "object", "--json");
    const job = JSON.parse(out);
    expect([code, job.kind, job.state, job.actor]).toEqual([0, "reindex", "done", null]);
    expect((await office.run("jobs", "show", job.job_id)).out).toMatch(/^state {5}done$/m);
  });

  it("passes on what the service refuses, in the language of the terminal", async () => {
    const id = newId();
    const unknown = await office.run("jobs", "retry", id);
    expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining("There is no job")]);
    office.settings.LC_ALL = "de_DE.UTF-8";
    const { err } = await office.run("jobs", "retry", id);
    delete office.settings.LC_ALL;
    expect(err).toMatch(/^Die Aufgabe/);
  });

  it("has these operations nowhere else, and no others there", async () => {
    expect((await service.ask("/reindex", { json: { type: null } })).status).toBe(404);
    expect(await send("/v1/objects", "{}")).toBe(404);
    expect(await send("/toString", "{}")).toBe(404);
    expect(await send("/jobs", "{}\n")).toEqual(["result"]);
    for (const body of ["", "{", '{"type": "spoon"}', '{"type": null, "more": 1}'])
      expect(await send("/reindex", body)).toEqual(["told", "exit", "problem"]);
  });

  it("does nothing for a command of another version", async () => {
    const jobs = async () => (await office.run("jobs", "--json")).out;
    const before = await jobs();
    expect(await send("/dump", "{}\n", "0.0.1")).toBe(409);
    expect(await jobs()).toBe(before);
  });

  it.skipIf(process.getuid?.() !== 0)("sends nothing to a socket of another user", async () => {
    await chown(door, 65534, 65534);
    const refused = await office.run("jobs");
    await chown(door, 0, 0);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("may belong to another user")]);
  });
});

it("a command asks nothing of a service of another version", async () => {
  const office = await openOffice();
  const asked: string[] = [];
  const other = answerOnSocket(
    {
      async fetch(request) {
        asked.push(`${new URL(request.url).pathname} ${request.headers.get(VERSION_HEADER)}`);
        return new Response(null, { status: 409, headers: { [VERSION_HEADER]: "99.0.0" } });
      },
    },
    () => undefined,
  );
  await bindPrivately(join(office.settings.SVC_DATA_DIR!, ".door", "socket"), other.listen);
  expect(await office.run("jobs")).toEqual({
    code: 1,
    out: "",
    err: `The running service is version 99.0.0, but this command is version ${VERSION}: restart the service after an update`,
  });
  const { findings } = JSON.parse((await office.run("doctor", "--json")).out);
  expect(JSON.stringify(findings)).toContain("is version 99.0.0");
  expect(asked).toEqual([`/jobs ${VERSION}`, `/database ${VERSION}`]);
  await other.stop();
  await office.close();
});

describe("svc-manage when the service ends", () => {
  let office: Office;
  afterEach(() => office.close());

  it("says so when it is killed, and then works itself", async () => {
    office = await openOffice();
    // the job that the command gets, and that does not begin
    await office.look(async ({ sql }) => {
      const { id } = await enqueueReindex(sql, null, null);
      await sql`update jobs set run_after = now() + interval '1 hour' where id = ${id}`;
    });
    const { service } = await office.serve();
    const command = office.begin("reindex");
    await command.said(/waiting/);
    await service.kill("SIGKILL");
    const { code, err } = await endOf(command);
    expect([code, err]).toEqual([1, expect.stringContaining("run this again")]);
    expect((await office.run("jobs", "--state", "queued")).out).toMatch(/queued {5}reindex/);
  });

  it("finds no door after a clean end", async () => {
    office = await openOffice();
    const { service } = await office.serve();
    await service.stop();
    expect(await readdir(join(office.settings.SVC_DATA_DIR!, ".door"))).toEqual([]);
    expect((await office.run("jobs")).code).toBe(0);
  });
});

describe.each(["Deno", "Bun"].flatMap(runtimesHere))("svc-manage on %s", (_name, runtime) => {
  let office: Office;
  let service: Started;
  beforeAll(async () => {
    office = await openOffice();
    service = await serve(runtime, office.settings);
  });
  afterAll(async () => {
    await service.stop();
    await office.close();
  });

  it("asks the running service", async () => {
    const { code, output } = await svcManage(runtime, office.settings, "reindex");
    expect([code, output]).toEqual([0, expect.stringContaining("are in the search index")]);
    const unknown = await svcManage(runtime, office.settings, "jobs", "retry", newId());
    expect([unknown.code, unknown.output]).toEqual([1, expect.stringContaining("There is no job")]);
  });
});
