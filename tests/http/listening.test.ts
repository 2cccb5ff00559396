import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { setTimeout } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { cannotListen, LINGER_MS } from "../../src/runtimes/listening.ts";
import { type Listening, listen } from "../../src/runtimes/serve.ts";
import { inLong } from "../support/lane/lane.ts";
import { withResolvers } from "../support/with-resolvers.ts";

const HOST = "127.0.0.1";
let open: Listening | null = null;
afterEach(async () => {
  await open?.stop();
  open = null;
});

describe("the service", () => {
  it("says in one sentence that its port is in use", async () => {
    const other = createServer().listen(0, HOST);
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const failed = listen({ fetch: () => new Response() }, { host: HOST, port });
    await expect(failed).rejects.toThrow(
      `Cannot listen on ${HOST}:${port}: another program listens there already`,
    );
    other.close();
  });

  it("says the same on every runtime", () => {
    const bun = Object.assign(new Error("Failed to start server"), { code: "EADDRINUSE" });
    const deno = Object.assign(new Error("Address already in use (os error 98)"), { name: "AddrInUse" });
    const sentences = [bun, deno].map((error) => cannotListen(error, { host: "::1", port: 80 }).message);
    expect(new Set(sentences).size).toBe(1);
    expect(sentences[0]).toMatch(/^Cannot listen on \[::1\]:80: another program/);
  });

  it("finishes its requests when it is stopped, and accepts no new ones", async () => {
    const { promise: begun, resolve: finish } = withResolvers();
    const { promise: arrived, resolve: arrive } = withResolvers();
    const service = await listen(
      {
        async fetch() {
          arrive();
          await begun;
          return new Response("done".repeat(100_000));
        },
      },
      { host: HOST, port: 0 },
    );
    const answer = fetch(`http://${HOST}:${service.port}/`);
    await arrived;
    const stopped = service.stop();
    // until then, it accepts requests that are on their way
    await setTimeout(2 * LINGER_MS);
    await expect(fetch(`http://${HOST}:${service.port}/`)).rejects.toThrow();
    finish();
    expect((await (await answer).text()).length).toBe(400_000);
    await stopped;
  });

  it("stops soon even if clients always send a next request, and answers those under way", async () => {
    let taken = 0;
    const app = {
      fetch: async () => {
        taken += 1;
        await setTimeout(100);
        return new Response("done");
      },
    };
    const service = await listen(app, { host: HOST, port: 0 });
    open = service;
    let stopping = false;
    const client = async (): Promise<string[]> => {
      const answers: string[] = [];
      for (;;) {
        try {
          answers.push(await (await fetch(`http://${HOST}:${service.port}/`)).text());
        } catch (error) {
          if (!stopping) throw error;
          return [...answers, String((error as { cause?: { code?: string } }).cause?.code)];
        }
      }
    };
    // started one after the other, so that there is always a request under way
    const clients: Promise<string[]>[] = [];
    for (let n = 0; n < 4; n++) {
      clients.push(client());
      await setTimeout(25);
    }
    stopping = true;
    const began = performance.now();
    await service.stop();
    expect(performance.now() - began).toBeLessThan(3_000);
    let answered = 0;
    for (const answers of await Promise.all(clients)) {
      // the next request is refused, or its connection was closed between two requests
      expect(["ECONNREFUSED", "ECONNRESET", "UND_ERR_SOCKET"]).toContain(answers.at(-1));
      expect(new Set(answers.slice(0, -1))).toEqual(new Set(["done"]));
      answered += answers.length - 1;
    }
    expect(answered).toBe(taken);
  }, 20_000);

  it("answers a request on an open connection just when it is stopped, and closes the connection", async () => {
    const service = await listen({ fetch: () => new Response("x") }, { host: HOST, port: 0 });
    const answers: string[] = [];
    for (const stop of [() => undefined, () => service.stop()]) {
      const kept = connect(service.port, HOST).setEncoding("utf8");
      await once(kept, "connect");
      await setTimeout(20);
      const stopped = stop();
      await setTimeout(50);
      kept.write(`GET / HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`);
      answers.push(String(await once(kept, "data")));
      await stopped;
      kept.destroy();
    }
    expect(answers.map((answer) => /^HTTP\/1.1 200 /.test(answer))).toEqual([true, true]);
    expect(answers.map((answer) => /^connection: close/im.test(answer))).toEqual([false, true]);
  });

  it("does not wait for connections without a request", async () => {
    const service = await listen({ fetch: () => new Response("x") }, { host: HOST, port: 0 });
    const silent = connect(service.port, HOST);
    await once(silent, "connect");
    await (await fetch(`http://${HOST}:${service.port}/`)).text();
    const started = performance.now();
    const closed = once(silent, "close");
    await service.stop();
    await closed;
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  inLong(it)("lets a client read why its upload is refused while it is still sending", async () => {
    open = await listen(
      { fetch: () => Response.json({ title: "Too large" }, { status: 413 }) },
      { host: HOST, port: 0 },
    );
    const answer = await fetch(`http://${HOST}:${open.port}/`, {
      method: "PUT",
      body: new Uint8Array(100_000_000),
    });
    expect([answer.status, await answer.json()]).toEqual([413, { title: "Too large" }]);
  });
  it("lets a client read its answer that closes the connection and is still sending", async () => {
    open = await listen({ fetch: () => new Response("refused") }, { host: HOST, port: 0 });
    const socket = connect(open.port, HOST);
    const failed: Error[] = [];
    socket.on("error", (error) => failed.push(error));
    const length = 16 * 1024 * 1024;
    socket.write(
      `POST / HTTP/1.1\r\nHost: museum.example\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`,
    );
    const piece = Buffer.alloc(64 * 1024);
    // the answer comes with the first of it, and is read afterwards
    for (let sent = 0; sent < length / 2; sent += piece.length)
      await new Promise<void>((resolve) => {
        socket.write(piece, () => resolve());
      });
    let answer = "";
    socket.on("data", (bytes) => {
      answer += bytes;
    });
    await once(socket, "close");
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*refused$/);
    expect(failed).toEqual([]);
  });
});
