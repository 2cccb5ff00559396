/**
 * Compresses long texts (lists, descriptions, exports) with gzip if the client accepts that.
 *
 * Not pages: they contain a form token beside words from the address, and their compressed sizes would give it away bit by bit
 * (BREACH). API answers contain no such secret, and other sites cannot request them on a user's behalf. Not answers with a strong
 * ETag (single records, files), which stands for the exact bytes (RFC 9110 §8.8.1). Not events, which must not be delayed.
 */
import type { MiddlewareHandler } from "hono";
import type { Ctx, Env } from "../route.ts";

/** Bytes. Compressing a shorter text costs more than it saves. */
const LEAST = 8 * 1024;

const TEXTS =
  /^(?:application\/(?:[\w.+-]*\+)?(?:json|xml|n-quads|n-triples|sparql-results\+\w+)|text\/(?!html|event-stream)[\w.+-]+)\s*(?:;|$)/;

/** gzip in Accept-Encoding with a weight above 0 (RFC 9110 §12.5.3). */
const GZIP = /(?:^|[\s,])(?:x-)?gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[\d.]+\s*)?(?:,|$)/i;

export function takesGzip(c: Ctx): boolean {
  return GZIP.test(c.req.header("Accept-Encoding") ?? "");
}

export function packed(
  text: ReadableStream<Uint8Array<ArrayBuffer>>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return text.pipeThrough(new CompressionStream("gzip"));
}

/** Must be the outermost middleware, because it compresses the complete answer. */
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
