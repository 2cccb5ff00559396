/**
 * Long texts leave packed (gzip) when the client takes that: lists, descriptions, exports.
 *
 * Not pages: they hold a token for their forms beside words of the address, which packing would give away bit by bit
 * (BREACH). Answers of the API hold no such secret, and no page of others can ask for them on somebody's behalf. Not what
 * has a strong ETag, which speaks of these bytes (RFC 9110 §8.8.1): single records, files. Not events, which must not wait.
 */
import type { MiddlewareHandler } from "hono";
import type { Ctx, Env } from "./route.ts";

/** Bytes of a text that is known to be shorter: packing it would cost more than it spares. */
const LEAST = 8 * 1024;

const TEXTS =
  /^(?:application\/(?:[\w.+-]*\+)?(?:json|xml|n-quads|n-triples|sparql-results\+\w+)|text\/(?!html|event-stream)[\w.+-]+)\s*(?:;|$)/;

/** Asked for, and not with a weight of nothing (RFC 9110 §12.5.3). */
const GZIP = /(?:^|[\s,])(?:x-)?gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[\d.]+\s*)?(?:,|$)/i;

export function takesGzip(c: Ctx): boolean {
  return GZIP.test(c.req.header("Accept-Encoding") ?? "");
}

export function packed(
  text: ReadableStream<Uint8Array<ArrayBuffer>>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return text.pipeThrough(new CompressionStream("gzip"));
}

/** Outermost: what it packs is complete. */
export function packTexts(): MiddlewareHandler<Env> {
  return async (c, next) => {
    await next();
    if (c.req.method !== "GET" || !takesGzip(c)) return;
    const { res } = c;
    const size = c.get("size") ?? Number(res.headers.get("Content-Length") ?? LEAST);
    if (size < LEAST || !mayBePacked(res)) return;
    c.res = new Response(packed(res.body!), { status: 200, headers: res.headers });
    c.res.headers.delete("Content-Length");
    c.res.headers.set("Content-Encoding", "gzip");
    if (!/\bAccept-Encoding\b/i.test(res.headers.get("Vary") ?? ""))
      c.res.headers.append("Vary", "Accept-Encoding");
  };
}

function mayBePacked({ status, headers, body }: Response): boolean {
  return (
    status === 200 &&
    body !== null &&
    TEXTS.test(headers.get("Content-Type") ?? "") &&
    !headers.has("Content-Encoding") &&
    !headers.has("Accept-Ranges") &&
    (headers.get("ETag") ?? "W/").startsWith("W/")
  );
}
