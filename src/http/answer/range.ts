/** Parts of files (RFC 9110 §14). */
import { said } from "../../messages/said.ts";
import { Problem } from "../../problem.ts";
import type { Ctx } from "../route.ts";

/** First and last byte, both counted from 0. */
export type ByteRange = { first: number; last: number };

/**
 * The range that `Range` asks for in a file of so many bytes; null for the whole file. Several ranges, other units and invalid
 * values get the whole file (§14.2). 416 for a range that begins after the end.
 */
export function rangeOf(header: string | undefined, bytes: number): ByteRange | null {
  const [, from, to] = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i.exec(header ?? "") ?? [];
  if (from === undefined || to === undefined || (from === "" && to === "")) return null;
  const last = from === "" || to === "" ? bytes - 1 : Math.min(Number(to), bytes - 1);
  const first = from === "" ? Math.max(0, bytes - Number(to)) : Number(from);
  if (from !== "" && to !== "" && Number(to) < first) return null;
  if (first >= bytes || (from === "" && Number(to) === 0)) {
    throw new Problem("no_such_range", said("problem.range.after_end", { count: bytes }), {
      headers: { "Content-Range": `bytes */${bytes}`, "Accept-Ranges": "bytes" },
    });
  }
  return { first, last };
}

/** Whether the caller's part is of the current file (`If-Range`, §13.1.5: a strong ETag, or the exact date). */
export function mayContinue(c: Ctx, etag: string, lastModified: string): boolean {
  const header = c.req.header("If-Range")?.trim();
  return header === undefined || header === etag || header === lastModified;
}
