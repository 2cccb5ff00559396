/** Parts of files (RFC 9110 §14). */
import { Problem } from "../problem.ts";
import type { Ctx } from "./route.ts";

/** First and last byte, both counted from 0. */
export type ByteRange = { first: number; last: number };

/**
 * What `Range` asks for of so many bytes; null for the whole. Several ranges at once, other units and what cannot be read
 * get the whole, as they may (§14.2). 416 for a range that begins beyond the end.
 */
export function rangeOf(header: string | undefined, bytes: number): ByteRange | null {
  const [, from, to] = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i.exec(header ?? "") ?? [];
  if (from === undefined || to === undefined || (from === "" && to === "")) return null;
  const last = from === "" || to === "" ? bytes - 1 : Math.min(Number(to), bytes - 1);
  const first = from === "" ? Math.max(0, bytes - Number(to)) : Number(from);
  if (from !== "" && to !== "" && Number(to) < first) return null;
  if (first >= bytes || (from === "" && Number(to) === 0)) {
    throw new Problem("no_such_range", `The file has ${bytes} bytes; the range begins beyond its end`, {
      headers: { "Content-Range": `bytes */${bytes}`, "Accept-Ranges": "bytes" },
    });
  }
  return { first, last };
}

/** Whether what the caller has a part of is still what there is (`If-Range`, §13.1.5: a strong ETag, or the very date). */
export function mayContinue(c: Ctx, etag: string, lastModified: string): boolean {
  const header = c.req.header("If-Range")?.trim();
  return header === undefined || header === etag || header === lastModified;
}
