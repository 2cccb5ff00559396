/**
 * What Node refuses before the app is asked, answered with problems (RFC 9457) as everything else: requests that are no
 * HTTP/1.1 or have no host, headers that are too long, and requests that never become complete.
 */

import {
  type IncomingMessage,
  maxHeaderSize,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { Duplex } from "node:stream";
import { setTimeout } from "node:timers";
import { said } from "../messages/said.ts";
import { ENGLISH } from "../messages/translate.ts";
import { Problem } from "../problem.ts";
import type { Head } from "./listening.ts";

/** Milliseconds in which a client may read the answer: closed at once, it would lose it with what it still sends. */
const FAREWELL_MS = 1_000;

type ClientError = Error & { code?: string; reason?: string };

export function answerClientErrors(server: Server, head: Head): void {
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
    socket.end(messageOf(head, problemOf(error)));
    setTimeout(() => socket.destroy(), FAREWELL_MS).unref();
  });
}

/**
 * The refusal of a request without a host, or with several, which HTTP/1.1 demands (RFC 9112 §3.2); null when it has one.
 * Node's own, `requireHostHeader`, says nothing.
 */
export function refuseHost({ httpVersion, rawHeaders, url }: IncomingMessage, head: Head): Response | null {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === "host") hosts++;
  }
  if (hosts === 1 || (hosts === 0 && httpVersion === "1.0")) return null;
  const told =
    hosts === 0 ? said("problem.request.no_host") : said("problem.request.several_hosts", { count: hosts });
  const problem = new Problem("malformed", told);
  return answerOf(head, problem, url?.startsWith("/") ? url.replace(/\?.*/, "") : "/");
}

/** For an address or a Host header of which no `Request` can be made; what else is thrown here is a bug of ours. */
export function answerUnreadable(error: unknown, head: Head): Response {
  const problem =
    error instanceof Error && error.name === "RequestError"
      ? new Problem("malformed", said("problem.request.unreadable", { reason: error.message }))
      : new Problem("internal", said("problem.request.failed"));
  return answerOf(head, problem, "/");
}

/**
 * A client that has its answer but never sends the rest of its request would keep the connection for an hour. If the
 * connection were closed at once, a client that is still sending would lose the answer: at first, only our half is closed.
 */
export function hangUpUnlessComplete(request: IncomingMessage): void {
  const { complete, socket } = request;
  // a request that was destroyed has none
  if (complete || !socket) return;
  socket.destroySoon = () => void socket.end();
  setTimeout(() => socket.destroy(), FAREWELL_MS).unref();
}

function answerOf(head: Head, problem: Problem, path: string): Response {
  const headers = { ...HEADERS, ...head };
  return new Response(JSON.stringify(problem.toJson(path, ENGLISH)), { status: problem.status, headers });
}

const HEADERS = { "Content-Type": "application/problem+json", "Cache-Control": "no-store" };

function messageOf(head: Head, problem: Problem): string {
  const body = JSON.stringify(problem.toJson("/", ENGLISH));
  const headers = {
    ...HEADERS,
    ...head,
    "Content-Length": body.length,
    Connection: "close",
    Date: new Date().toUTCString(),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join("")}\r\n${body}`;
}

function problemOf({ code, reason }: ClientError): Problem {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return new Problem(
        "headers_too_large",
        said("problem.request.headers_too_large", { most: maxHeaderSize }),
      );
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return new Problem("too_large", said("problem.request.chunk_extensions"));
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new Problem("too_slow", said("problem.request.too_slow"));
  }
  return new Problem(
    "malformed",
    reason ? said("problem.request.not_http_because", { reason }) : said("problem.request.not_http"),
  );
}
