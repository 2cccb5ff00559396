/** A file over HTTP: whole, in part, or 304 if the caller already has it (RFC 9110 §§13, 14). */

import type { Ctx } from "../route.ts";
import { isNotNewer, isUnchanged } from "./caching.ts";
import { type ByteRange, mayContinue, rangeOf } from "./range.ts";

export type Served = {
  bytes: number;
  /** Also sent with a 304; contains `ETag` and `Last-Modified`. */
  head: Readonly<Record<string, string>>;
  headers: Readonly<Record<string, string>>;
  /** The requested range; null: the whole file. */
  content(range: ByteRange | null): Promise<ReadableStream<Uint8Array>>;
};

export async function fileAnswer(c: Ctx, { bytes, head, headers, content }: Served): Promise<Response> {
  const { ETag: etag = "", "Last-Modified": lastModified = "" } = head;
  if (isUnchanged(c, etag) || isNotNewer(c, lastModified))
    return new Response(null, { status: 304, headers: head });
  const asked = mayContinue(c, etag, lastModified) ? c.req.header("Range") : undefined;
  const range = rangeOf(asked, bytes);
  const { first, last } = range ?? { first: 0, last: bytes - 1 };
  const answer = {
    status: range ? 206 : 200,
    headers: {
      ...head,
      ...headers,
      "Accept-Ranges": "bytes",
      "Content-Length": String(last - first + 1),
      ...(range ? { "Content-Range": `bytes ${first}-${last}/${bytes}` } : {}),
    },
  };
  if (c.req.method === "HEAD") return new Response(null, answer);
  return new Response((await content(range)) as ReadableStream<Uint8Array<ArrayBuffer>>, answer);
}
