/** One address that holds as many connections and requests as it can: what is left for everybody at another one. */
import { once } from "node:events";
import { cpSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, type IncomingMessage, request } from "node:http";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Hono } from "hono";
import { afterEach, describe, expect, inject, it } from "vitest";
import { parseNetwork } from "../../src/config/networks.ts";
import type { Env } from "../../src/http/endpoint.ts";
import { chunksOf } from "../../src/http/request/body.ts";
import { clientAddress } from "../../src/http/request/client.ts";
import { limitUnderWay } from "../../src/http/under-way.ts";
import { Problem } from "../../src/problem.ts";
import { type Listening, listen, runtimeName } from "../../src/runtimes/serve.ts";
import { type Started, started } from "../runtimes/started.ts";
import { inLong } from "../support/lane/lane.ts";
import { withResolvers } from "../support/with-resolvers.ts";

const [STRANGER, BYSTANDER] = ["127.0.0.1", "127.0.0.2"];
const undone: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of undone.splice(0).reverse()) await undo();
});

/** A connection from this address, and whether it was closed. */
function connection(port: number, from: string, sent = ""): Socket {
  const socket = connect({ port, host: STRANGER, localAddress: from });
  socket.on("error", () => undefined).resume();
  undone.push(() => socket.destroy());
  if (sent !== "") socket.write(sent);
  return socket;
}

/** The status of an answer to this address, or why there is none. */
async function statusOf(port: number, from: string, path = "/", agent = new Agent()): Promise<unknown> {
  const sent = request({ port, host: STRANGER, localAddress: from, path, agent });
  sent.end();
  const answer = await once(sent, "response").then(
    ([message]) => message as IncomingMessage,
    (error: NodeJS.ErrnoException) => error.code,
  );
  if (typeof answer !== "object") return answer;
  answer.resume();
  await once(answer, "end");
  return answer.statusCode;
}

const isClosed = (socket: Socket) => (socket.closed ? true : once(socket, "close").then(() => true));

describe("an address that has all the connections that one may have", () => {
  const serve = async (proxies: string[] = []) => {
    const warnings: string[] = [];
    const each = {
      connections: 3,
      proxies: proxies.map((proxy) => parseNetwork(proxy)!),
      warn: (sentence: string) => void warnings.push(sentence),
    };
    const open: Listening = await listen(
      { fetch: () => new Response("well") },
      { host: STRANGER, port: 0, each },
    );
    undone.push(() => open.stop());
    return { port: open.port, warnings };
  };

  it("gets no more until it closes one, while others get theirs, and the log says so once", async () => {
    const { port, warnings } = await serve();
    const own = Array.from({ length: 3 }, () => connection(port, STRANGER));
    for (const each of own) if (each.connecting) await once(each, "connect");
    for (let n = 0; n < 5; n++) expect(await isClosed(connection(port, STRANGER))).toBe(true);
    expect(await statusOf(port, STRANGER)).toBe("ECONNRESET");
    expect(await statusOf(port, BYSTANDER)).toBe(200);
    expect(warnings).toEqual([
      "127.0.0.1 has 3 connections, more are cut off; if this is your proxy, name it in TRUSTED_PROXIES",
    ]);
    expect(own.map(({ closed }) => closed)).toEqual([false, false, false]);
    own[0]!.destroy();
    await expect.poll(() => statusOf(port, STRANGER)).toBe(200);
  });

  it("gets more if it is a trusted proxy", async () => {
    const { port } = await serve(["127.0.0.0/31"]);
    for (let n = 0; n < 10; n++) await once(connection(port, STRANGER), "connect");
    expect(await statusOf(port, STRANGER)).toBe(200);
  });
});

describe("a body", () => {
  const problemOf = async (
    body: ReadableStream<Uint8Array>,
    use: (chunk: Uint8Array) => unknown = () => {},
  ) => {
    try {
      for await (const chunk of chunksOf(body, { bytes: 1_000, ms: 200 })) await use(chunk);
    } catch (error) {
      if (error instanceof Problem) return [error.status, error.headers.Connection, error.message];
      throw error;
    }
    return null;
  };
  const dripping = (bytes: number, ms: number, count: number) => {
    let left = count;
    return new ReadableStream<Uint8Array>({
      async pull(controller) {
        await setTimeout(ms);
        if (left-- > 0) controller.enqueue(new Uint8Array(bytes));
        else controller.close();
      },
    });
  };

  it("that comes a byte at a time is not waited for, even if a byte always comes", async () => {
    expect(await problemOf(dripping(1, 10, 1_000))).toEqual([
      408,
      "close",
      expect.stringMatching(
        /^The request body is too slow: \d+ bytes arrived in 1 seconds; at least 1,000 are needed$/,
      ),
    ]);
  });

  it("that comes steadily may be as long as it likes, and so may the work on it", async () => {
    expect(await problemOf(dripping(500, 10, 60))).toBeNull();
    expect(await problemOf(dripping(10, 0, 5), () => setTimeout(100))).toBeNull();
  });
});

it("requests of one visitor under way are limited, those of others are not", async () => {
  const app = new Hono<Env>();
  app.onError((error) => new Response(error.message, { status: (error as Problem).status }));
  app.use(clientAddress([parseNetwork("10.0.0.1")!]), limitUnderWay());
  const { promise: finished, resolve: finish } = withResolvers();
  app.get("/slow", async (c) => finished.then(() => c.text("slow")));
  app.get("/", (c) => c.text("well"));
  const ask = async (path: string, client: string) =>
    (await app.request(path, { headers: { "X-Forwarded-For": client } }, { remote: "10.0.0.1" })).status;
  const slow = Array.from({ length: 200 }, (_, n) => ask("/slow", `2001:db8::${n.toString(16)}`));
  expect(await ask("/", "2001:db8::ffff")).toBe(429);
  expect(await ask("/", "2001:db8:0:1::1")).toBe(200);
  finish();
  expect(new Set(await Promise.all(slow))).toEqual(new Set([200]));
  expect(await ask("/", "2001:db8::ffff")).toBe(200);
});

describe("an upload that is answered before all of it has come", () => {
  it("is told that its connection closes; one that has come keeps it", async () => {
    const open = await listen(
      {
        async fetch(sent) {
          if (new URL(sent.url).pathname === "/read") await sent.text();
          return new Response("no", { status: 413 });
        },
      },
      { host: STRANGER, port: 0 },
    );
    undone.push(() => open.stop());
    const headersTo = async (path: string, body: string, length: number) => {
      const socket = connect(open.port, STRANGER);
      undone.push(() => socket.destroy());
      socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n${body}`);
      return String(await once(socket, "data"));
    };
    expect(await headersTo("/", "a", 100)).toMatch(/^HTTP\/1\.1 413 [\s\S]*\r\nConnection: close\r\n/i);
    for (const path of ["/", "/read"])
      expect(await headersTo(path, "a", 1)).toMatch(/^HTTP\/1\.1 413 [\s\S]*\r\nConnection: keep-alive\r\n/i);
  });
});

inLong(describe)("a service with 1,024 descriptors", () => {
  let service: Started;
  let port: number;

  /** The 95th percentile of a bystander's waits for an answer, in milliseconds. */
  async function waits(count: number): Promise<number> {
    const times: number[] = [];
    for (let n = 0; n < count; n++) {
      const begun = performance.now();
      expect(await statusOf(port, BYSTANDER, "/health")).toBe(200);
      times.push(performance.now() - begun);
    }
    return times.sort((a, b) => a - b)[Math.floor(count * 0.95)]!;
  }

  it.each([
    ["half a head", "GET /v1/objects HTTP/1.1\r\nHost: museum.exa"],
    [
      "the beginning of a body",
      "POST /v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{",
    ],
  ])(
    "answers others while one address opens 600 connections and sends %s",
    async (_, sent) => {
      const directory = await mkdtemp(join(tmpdir(), "svc-each-"));
      undone.push(() => rm(directory, { recursive: true, force: true }));
      cpSync(inject("embeddedTemplate"), directory, { recursive: true });
      const main = fileURLToPath(new URL("../../cli/svc-manage.mjs", import.meta.url));
      const command = ["sh", "-c", 'ulimit -n 1024; exec "$0" "$@"', process.execPath, main, "serve"];
      service = await started(command, { SVC_DATA_DIR: directory }, runtimeName());
      undone.push(() => service.stop());
      port = Number(new URL(service.url).port);
      await waits(20);
      const idle = await waits(100);
      const strangers = Array.from({ length: 600 }, () => connection(port, STRANGER, sent));
      await expect.poll(() => strangers.filter(({ closed }) => !closed).length).toBeLessThan(110);
      const crowded = await waits(100);
      console.log(`the bystander's p95 is ${(crowded / idle).toFixed(2)} times that of an idle service`);
      if (sent.startsWith("POST")) return;
      // their places are free when they have not sent their heads in time
      await expect.poll(() => strangers.every(({ closed }) => closed), { timeout: 60_000 }).toBe(true);
      expect(await statusOf(port, STRANGER, "/health")).toBe(200);
    },
    120_000,
  );
});
