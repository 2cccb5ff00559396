/** Many clients that connect and send nothing: what is left for everybody else. */

import { once } from "node:events";
import { cpSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, type IncomingMessage, request } from "node:http";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { ownShares, sharesOf } from "../../src/adapters/descriptors.ts";
import { readBytes } from "../../src/http/request/body.ts";
import { ENGLISH } from "../../src/messages/translate.ts";
import { type Listening, listen, runtimeName } from "../../src/runtimes/serve.ts";
import { beat } from "../../workers/heartbeat.ts";
import { type Started, started } from "../runtimes/started.ts";
import { inLong } from "../support/lane/lane.ts";
import { openMuseum } from "../support/museum/museum.ts";
import { begin } from "../support/programs/processes.ts";

const HOST = "127.0.0.1";
const fileAt = (path: string) => fileURLToPath(new URL(path, import.meta.url));
/** So few descriptors that a test can use them all up. */
const FEW = 256;
const withFew = (...args: string[]) => [
  "sh",
  "-c",
  `ulimit -n ${FEW}; exec "$0" "$@"`,
  process.execPath,
  ...args,
];

inLong(describe)("a service with few descriptors", () => {
  let directory: string;
  let service: Started | null = null;
  const strangers: Socket[] = [];
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "svc-few-"));
    cpSync(inject("embeddedTemplate"), directory, { recursive: true });
  });
  afterEach(async () => {
    for (const stranger of strangers.splice(0)) stranger.destroy();
    await service?.stop();
    service = null;
    await rm(directory, { recursive: true, force: true });
  });

  it("saves records while strangers hold more connections than it can have, and afterwards", async () => {
    const [email, password] = ["admin@example.org", "a list as long as the pier"];
    const settings = {
      SVC_DATA_DIR: directory,
      DEFAULT_ADMIN_EMAIL: email,
      DEFAULT_ADMIN_PASSWORD: password,
    };
    service = await started(withFew(fileAt("../../cli/svc-manage.mjs"), "serve"), settings, runtimeName());
    const { ask, url } = service;
    const { json } = await ask("/v1/auth/login", { json: { email, password } });
    // so much that the database needs files that it has not opened yet
    const title = "x".repeat(1_500);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const keep = async (count: number) => {
      for (let n = 0; n < count; n++) {
        const headers = {
          Authorization: `Bearer ${json.access_token}`,
          "Content-Type": "application/json",
        };
        const sent = request(`${url}/v1/objects`, { method: "POST", agent, headers });
        sent.end(JSON.stringify({ metadata_: { title: [{ value: `${n} ${title}` }] } }));
        const [answer] = (await once(sent, "response")) as [IncomingMessage];
        answer.resume();
        await once(answer, "end");
        expect(answer.statusCode).toBe(201);
      }
    };
    // this client has its connection before the strangers come
    await keep(1);
    for (let n = 0; n < FEW + 50; n++) {
      const stranger = connect(Number(new URL(url).port), HOST);
      stranger.on("error", () => undefined);
      stranger.write("POST /v1/objects HTTP/1.1\r\nHost: museum.example\r\nContent-Le");
      strangers.push(stranger);
    }
    await keep(30);
    for (const stranger of strangers) stranger.destroy();
    await keep(10);
    agent.destroy();
    expect((await ask("/health")).json.checks.database).toBe("ok");
  }, 120_000);

  it("can open a file of the database for which there was no descriptor before", async () => {
    const program = fileAt("../support/programs/descriptors-program.ts");
    const office = begin(withFew("--import", "tsx", program, directory), { PATH: process.env.PATH });
    await office.ended;
    expect(office.out.at(-1)).toBe("with: kept");
  }, 120_000);
});

it("the descriptors of a process are shared among database files, connections and the rest", () => {
  expect(sharesOf(1024)).toEqual({ files: 409, connections: 409, connectionsEach: 103 });
  expect(sharesOf(1_048_576)).toEqual({ files: 1_000, connections: 10_000, connectionsEach: 2_500 });
  expect(sharesOf(100).files).toBe(64);
  expect(ownShares().connections).toBeGreaterThan(0);
});

describe("a request that never becomes complete", () => {
  let open: Listening;
  afterEach(() => open.stop());

  /** The whole answer, read until the service closes the connection. */
  async function answerTo(sent: string): Promise<string> {
    const client = connect(open.port, HOST);
    let answer = "";
    client.setEncoding("latin1").on("data", (text) => {
      answer += text;
    });
    client.write(sent);
    await once(client, "close");
    return answer;
  }

  it("is refused when its body takes too long, and its connection is closed", async () => {
    const fetch = (request: Request) =>
      readBytes(request, 1_000, 100).then(
        () => new Response("read"),
        (problem) => Response.json(problem.toJson("/", ENGLISH), problem),
      );
    open = await listen({ fetch }, { host: HOST, port: 0 });
    for (const half of ["Content-Length: 100\r\n\r\n{", "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"]) {
      const answer = await answerTo(`POST / HTTP/1.1\r\nHost: x\r\n${half}`);
      expect(answer).toMatch(/^HTTP\/1\.1 408 [\s\S]*The request body did not arrive within 1 seconds?/);
    }
  });

  inLong(it)("is not waited for once it has its answer", async () => {
    open = await listen({ fetch: () => new Response("well") }, { host: HOST, port: 0 });
    for (const method of ["GET", "POST"]) {
      const answer = await answerTo(`${method} / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{`);
      expect(answer).toContain("well");
    }
  });

  it("keeps others out when there are as many connections as allowed, until it ends", async () => {
    open = await listen({ fetch: () => new Response("well") }, { host: HOST, port: 0, connections: 1 });
    const first = connect(open.port, HOST);
    await once(first, "connect");
    const second = connect(open.port, HOST).on("error", () => undefined);
    await once(second, "close");
    first.destroy();
    await once(first, "close");
    await expect.poll(async () => (await fetch(`http://${HOST}:${open.port}/`)).status).toBe(200);
  });
});

it("a museum whose database cannot write is unhealthy, and refuses changes with the reason", async () => {
  const museum = await openMuseum();
  const { services, ask } = museum;
  await beat(services);
  const cataloger = await museum.as("cataloger");
  for (const [state, sentence] of [
    ["58P02", "The log of the service says why"],
    ["53100", "Its disk is full"],
  ]) {
    await services.sql.unsafe(`
      create or replace function refuse() returns trigger language plpgsql as
        $$ begin raise 'could not extend file "base/5/16396"' using errcode = '${state}'; end $$;
      create or replace trigger refuse before insert on records execute function refuse()`);
    const refused = await cataloger("/v1/objects", { json: {} });
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([503, "30"]);
    expect((await refused.json()).detail).toBe(`The database cannot work at the moment. ${sentence}`);
  }
  const answer = await ask("/health");
  expect([answer.status, (await answer.json()).checks.database]).toEqual([503, "no space is left"]);
  await museum.close();
});
