/**
 * What Node refuses before the app is asked, answered with problems (RFC 9457) as everything else: requests that are no
 * HTTP/1.1, methods that its parser does not know, headers that are too long, requests that never become complete.
 */
import type { Buffer } from "node:buffer";
import { maxHeaderSize, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { setTimeout } from "node:timers";
import { Problem } from "../problem.ts";

/** Milliseconds in which a client may read the answer: closed at once, it would lose it with what it still sends. */
const FAREWELL_MS = 1_000;

type ClientError = Error & { code?: string; reason?: string; rawPacket?: Buffer };

export function answerClientErrors(server: Server): void {
  const answering = new WeakMap<Duplex, ServerResponse>();
  server.on("request", ({ socket }, response) => {
    answering.set(socket, response);
    response.once("close", () => answering.get(socket) === response && answering.delete(socket));
  });
  server.on("clientError", (error: ClientError, socket) => {
    // an answer that is half written must not have another one in its middle
    if (!socket.writable || error.code === "ECONNRESET" || answering.get(socket)?.headersSent) {
      socket.destroy(error);
      return;
    }
    socket.end(messageOf(error));
    setTimeout(() => socket.destroy(), FAREWELL_MS).unref();
  });
}

/** For an address or a Host header of which no `Request` can be made; what else is thrown here is a bug of ours. */
export function answerUnreadable(error: unknown): Response {
  const problem =
    error instanceof Error && error.name === "RequestError"
      ? new Problem("malformed", `The request cannot be read: ${error.message}`)
      : new Problem("internal", "Something went wrong here");
  return new Response(JSON.stringify(problem.toJson("/")), { status: problem.status, headers: HEADERS });
}

/** Nothing of the app has a hand in these answers, so what browsers are told with every other one is said here too. */
const HEADERS = {
  "Content-Type": "application/problem+json",
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
};

function messageOf(error: ClientError): string {
  const [, method, path] =
    /^([!#$%&'*+.^`|~\w-]{1,40}) (\/[!-~]{0,2000}) HTTP\/1\.[01]\r?\n/.exec(
      error.rawPacket?.toString("latin1", 0, 4096) ?? "",
    ) ?? [];
  const problem = problemOf(error, method);
  const body = JSON.stringify(problem.toJson(path?.replace(/\?.*/, "") ?? "/"));
  const headers = {
    ...HEADERS,
    "Content-Length": body.length,
    Connection: "close",
    Date: new Date().toUTCString(),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join("")}\r\n${body}`;
}

function problemOf({ code, reason }: ClientError, method: string | undefined): Problem {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return new Problem("headers_too_large", `Address and headers together exceed ${maxHeaderSize} bytes`);
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return new Problem("too_large", "The extensions of a chunk are too long");
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new Problem("too_slow", "The request did not arrive in time");
    case "HPE_INVALID_METHOD":
      if (method) return new Problem("not_implemented", `${method} is no method that this service knows`);
  }
  return new Problem("malformed", `The request is not HTTP/1.1${reason ? `: ${reason}` : ""}`);
}
