/**
 * Both ends of HTTP over a Unix socket, on whichever runtime runs this. Arguments: what to do, and the path of the socket.
 * Cases print `ok` and their name, or why they failed.
 */
import assert from "node:assert/strict";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { bindPrivately, connectPrivately } from "../../../src/adapters/database/pglite/unix-socket.ts";
import { askThrough } from "../../../src/runtimes/socket-client.ts";
import { answerOnSocket } from "../../../src/runtimes/socket-server.ts";

const [task = "", path = "", size = "200"] = process.argv.slice(2);
const MB = 1024 * 1024;
const BYTES = Number(size) * MB;
/** Requests at once. */
const MANY = Number(size);
/** Bytes that may be under way at a moment when the reader is slow: buffers of both ends and of the kernel. */
const UNDER_WAY = 8 * MB;
/** Bytes by which the memory of a process may grow. */
const GROWTH = 250 * MB;

const PIECE = 64 * 1024;
let produced = 0;

/** A stream of so many bytes that are made when they are asked for. `over` is called when nobody wants the rest. */
function bytes(count: number, over: () => void = () => undefined): ReadableStream<Uint8Array> {
  produced = 0;
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (produced >= count) return controller.close();
        produced += PIECE;
        controller.enqueue(new Uint8Array(PIECE).fill(produced / PIECE));
      },
      cancel: over,
    },
    { highWaterMark: 0 },
  );
}

async function* piecesOf(stream: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  const reader = stream!.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

async function lengthOf(stream: ReadableStream<Uint8Array> | null): Promise<number> {
  let length = 0;
  for await (const piece of piecesOf(stream)) length += piece.length;
  return length;
}

/** Reads a quarter of the body slowly, and says after each piece how much has been read. */
async function* slowCounts(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  let read = 0;
  for await (const piece of piecesOf(body)) {
    read += piece.length;
    if (read < BYTES / 4) await setTimeout(1);
    yield new TextEncoder().encode(`${read}\n`);
  }
}

const streamOf = (pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> =>
  new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );

const peak = { base: 0, rss: 0 };
function watchMemory(): void {
  peak.base = process.memoryUsage().rss;
  setInterval(() => {
    peak.rss = Math.max(peak.rss, process.memoryUsage().rss);
  }, 20).unref();
}

const routes: Record<string, (request: Request) => Response | Promise<Response>> = {
  "/told": (request) =>
    Response.json(
      { method: request.method, url: request.url, header: request.headers.get("X-Told") },
      { status: 201, headers: { "X-Answer": "green, said" } },
    ),
  "/length": async ({ body }) => {
    const length = await lengthOf(body).catch((error) => {
      console.log(`broken upload: ${error.name}`);
      throw error;
    });
    return Response.json(length);
  },
  "/slow": ({ body }) => new Response(streamOf(slowCounts(body))),
  "/bytes": () => new Response(bytes(BYTES, () => console.log("nobody reads"))),
  "/produced": () => Response.json(produced),
  "/same": ({ body }) => new Response(body),
  "/memory": () => Response.json(peak.rss - peak.base),
  "/refused": () => new Response("too large", { status: 413 }),
  "/stops": async ({ body }) => {
    const reader = body!.getReader();
    await reader.read();
    await reader.cancel();
    return new Response("seen enough", { status: 408 });
  },
  "/nothing": () => new Response(null, { status: 204 }),
  "/breaks": () => {
    const pieces = async function* () {
      yield new Uint8Array(PIECE);
      throw new Error("cannot go on");
    };
    return new Response(streamOf(pieces()));
  },
  "/throws": () => {
    throw new Error("cannot begin");
  },
};

const ask = askThrough(() => connectPrivately(path));
const send = (route: string, body: ReadableStream<Uint8Array> | null = null, signal?: AbortSignal) =>
  ask(
    new Request(`http://localhost${route}`, {
      method: body ? "POST" : "GET",
      body,
      duplex: "half",
    } as RequestInit),
    signal,
  );

const cases: Record<string, () => Promise<void>> = {
  async "method, address, headers and status arrive"() {
    const headers = { "X-Told": "yes" };
    const answer = await ask(new Request("http://localhost/told?a=%20b", { method: "DELETE", headers }));
    assert.equal(answer.status, 201);
    assert.equal(answer.headers.get("X-Answer"), "green, said");
    assert.deepEqual(await answer.json(), {
      method: "DELETE",
      url: "http://localhost/told?a=%20b",
      header: "yes",
    });
    const nothing = await send("/nothing");
    assert.deepEqual([nothing.status, await nothing.text()], [204, ""]);
  },
  async "an upload waits for a slow reader"() {
    let text = "";
    let read = 0;
    for await (const piece of piecesOf((await send("/slow", bytes(BYTES))).body)) {
      text = (text + new TextDecoder().decode(piece)).slice(-40);
      read = Number(text.trimEnd().split("\n").at(-1));
      if (text.endsWith("\n"))
        assert.ok(produced - read <= UNDER_WAY, `${(produced - read) / MB} MB are under way`);
    }
    assert.equal(read, BYTES);
  },
  async "a download waits for a slow reader"() {
    const pieces = piecesOf((await send("/bytes")).body);
    let read = (await pieces.next()).value!.length;
    let far = -1;
    for (let now = 0; now !== far; now = await (await send("/produced")).json()) {
      far = now;
      await setTimeout(300);
    }
    assert.ok(far - read <= UNDER_WAY, `${far / MB} MB are under way`);
    for await (const piece of pieces) read += piece.length;
    assert.equal(read, BYTES);
  },
  async "both directions at once"() {
    const [same, up, down] = await Promise.all([
      send("/same", bytes(BYTES)).then(({ body }) => lengthOf(body)),
      send("/length", streamOf(piecesOf(new Blob([new Uint8Array(BYTES / 8)]).stream()))).then((answer) =>
        answer.json(),
      ),
      send("/bytes").then(({ body }) => lengthOf(body)),
    ]);
    assert.deepEqual([same, up, down], [BYTES, BYTES / 8, BYTES]);
  },
  async "memory stays small"() {
    const others = await (await send("/memory")).json();
    const own = peak.rss - peak.base;
    console.log(`memory: server ${Math.round(others / MB)} MB, client ${Math.round(own / MB)} MB`);
    assert.ok(others < GROWTH && own < GROWTH);
  },
  async "many requests at once"() {
    const each = async () => (await send("/length", bytesOf(10 * PIECE))).json();
    const lengths = await Promise.all(Array.from({ length: MANY }, each));
    assert.deepEqual(new Set(lengths), new Set([10 * PIECE]));
  },
  async "an abort is an error"() {
    const aborting = new AbortController();
    const { body } = await send("/bytes", null, aborting.signal);
    const read = lengthOf(body);
    aborting.abort();
    await assert.rejects(read);
    await assert.rejects(send("/told", null, aborting.signal));
  },
  async "who reads no more ends the answer"() {
    await (await send("/bytes")).body!.cancel();
  },
  async "an answer that breaks off is an error"() {
    const { status, body } = await send("/breaks");
    assert.equal(status, 200);
    await assert.rejects(lengthOf(body));
    await assert.rejects(send("/throws"));
  },
  async "an upload that breaks off is an error at both ends"() {
    const pieces = async function* () {
      yield new Uint8Array(PIECE);
      await setTimeout(50);
      throw new Error("cannot read the file");
    };
    await assert.rejects(send("/length", streamOf(pieces())), /cannot read the file/);
  },
  async "a refusal arrives although the upload is not over"() {
    for (const [route, told] of [
      ["/refused", [413, "too large"]],
      ["/stops", [408, "seen enough"]],
    ] as const) {
      const answer = await send(route, bytes(BYTES));
      assert.deepEqual([answer.status, await answer.text()], told);
      await setTimeout(100);
      const far = produced;
      await setTimeout(200);
      assert.ok(produced === far && far < BYTES, `${far / MB} MB were sent`);
    }
  },
};

/** As `bytes`, for several at once. */
const bytesOf = (count: number): ReadableStream<Uint8Array> => new Blob([new Uint8Array(count)]).stream();

const tasks: Record<string, () => Promise<unknown>> = {
  async serve() {
    const app = { fetch: (request: Request) => routes[new URL(request.url).pathname]!(request) };
    const server = answerOnSocket(app, (error) => console.log(`broke off: ${(error as Error).message}`));
    await bindPrivately(path, server.listen);
    watchMemory();
    console.log("listens");
    process.stdin.once("data", async () => {
      await server.stop();
      console.log("stopped");
      process.exit();
    });
  },
  async ask() {
    watchMemory();
    for (const [name, run] of Object.entries(cases)) {
      const begun = performance.now();
      await run().then(
        () => console.log(`ok ${name} (${Math.round(performance.now() - begun)} ms)`),
        (error) => console.log(`failed ${name}: ${error.stack}`),
      );
    }
    process.exit();
  },
  /** Downloads until the server is killed. */
  async download() {
    const pieces = piecesOf((await send("/bytes")).body);
    await pieces.next();
    console.log("half-way");
    await new Promise((resolve) => process.stdin.once("data", resolve));
    const end = await lengthOf(streamOf(pieces)).then(
      (length) => `an end after ${length}`,
      () => "an error",
    );
    console.log(end);
    process.exit();
  },
  /** Uploads until this process is killed. */
  async upload() {
    const pieces = async function* () {
      yield new Uint8Array(PIECE);
      console.log("half-way");
      await new Promise(() => setInterval(() => {}, 1000));
    };
    await send("/length", streamOf(pieces()));
  },
};
await tasks[task]!();
