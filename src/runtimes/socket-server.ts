/**
 * HTTP over a Unix socket. It uses Node's server on all runtimes, and no listener between: what breaks off must not look
 * whole, and Bun reads a body faster than it is used unless its server listens by itself.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout } from "node:timers/promises";
import { type App, GRACE_MS } from "./listening.ts";
import { hangUpUnlessComplete } from "./node-refusals.ts";

export type SocketServer = {
  /** Listens at a path of at most 100 bytes that does not exist. */
  listen(path: string): Promise<void>;
  /** Accepts nobody any more, lets requests under way finish for up to `GRACE_MS`, then closes every connection. */
  stop(): Promise<void>;
};

/** @param broken is called with the reason why an answer broke off, unless the client has gone */
export function answerOnSocket(app: App, broken: (error: unknown) => void): SocketServer {
  const underWay = new Set<Promise<void>>();
  const server = createServer((incoming, outgoing) => {
    const answered: Promise<void> = answer(app, incoming, outgoing)
      .catch((error) => {
        if (!GONE.has(error.code)) broken(error);
        incoming.socket.destroy();
      })
      .finally(() => underWay.delete(answered));
    underWay.add(answered);
  });
  return {
    listen: (path) =>
      new Promise((resolve, reject) => {
        server.once("error", reject);
        server.listen(path, () => {
          // too many open files: the client is not accepted
          server.off("error", reject).on("error", () => undefined);
          resolve();
        });
      }),
    async stop() {
      server.close();
      await Promise.race([Promise.all(underWay), setTimeout(GRACE_MS, undefined, { ref: false })]);
      server.closeAllConnections();
    },
  };
}

/** The client has gone. */
const GONE = new Set(["ERR_STREAM_PREMATURE_CLOSE", "ECONNRESET", "EPIPE"]);

async function answer(app: App, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const gone = new AbortController();
  outgoing.once("close", () => gone.abort());
  // before the server's own listener, which closes the connection
  outgoing.prependOnceListener("finish", () => hangUpUnlessComplete(incoming));
  const { method = "GET", url = "/", rawHeaders } = incoming;
  const hasBody = method !== "GET" && method !== "HEAD";
  const request = new Request(new URL(url, "http://localhost"), {
    method,
    headers: pairs(rawHeaders),
    body: hasBody ? bodyOf(incoming) : null,
    duplex: "half",
    signal: gone.signal,
  } as RequestInit);
  const { status, headers, body } = await app.fetch(request);
  outgoing.writeHead(status, [...headers].flat());
  if (body) await pipeline(Readable.fromWeb(body as never), outgoing);
  else outgoing.end();
}

/** Who wants no more of it still has an answer to give, so the connection stays. */
function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  const reader = (Readable.toWeb(incoming) as ReadableStream<Uint8Array>).getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Names and values in turn. */
function pairs(raw: readonly string[]): [string, string][] {
  return raw.flatMap((name, at): [string, string][] => (at % 2 === 0 ? [[name, raw[at + 1]!]] : []));
}
