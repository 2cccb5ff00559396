/** Conditional requests and cache headers (RFC 9110 §13, RFC 9111; interface §1). */

import type { Context } from "hono";
import { base64url, sha256 } from "../../bytes.ts";
import type { Caller } from "../../caller.ts";
import { said } from "../../messages/said.ts";
import { invalidAt } from "../../problem.ts";
import type { Ctx } from "../endpoint.ts";
import { wholeAnswer } from "./answer.ts";

const VARY = "Accept, Accept-Encoding, Accept-Language, Authorization, X-API-Key, Cookie";

/** For data that visitors see: caches may use it for a minute. */
export const FOR_A_MINUTE = "public, max-age=60";
/** For searches of visitors: a word that is hidden finds nothing from that moment on, so caches must ask each time. */
export const NEVER_UNASKED = "public, max-age=0, must-revalidate";

/** `Vary` for an answer that depends on the caller. */
export function audienceHeaders(caller: Caller): Record<string, string> {
  return {
    Vary: VARY,
    "Cache-Control": caller.kind === "visitor" ? FOR_A_MINUTE : "private, no-store",
  };
}

/** Headers of an answer that depends on the caller. */
export function cacheHeaders(caller: Caller, etag: string, updatedAt?: string): Record<string, string> {
  return {
    ETag: etag,
    ...audienceHeaders(caller),
    ...(updatedAt ? { "Last-Modified": new Date(`${updatedAt.slice(0, 23)}Z`).toUTCString() } : {}),
  };
}

/** Whether the caller already has this version (`If-None-Match`, weak comparison). */
export function isUnchanged(c: Context, etag: string): boolean {
  const header = c.req.header("If-None-Match");
  if (header === undefined) return false;
  if (header.trim() === "*") return true;
  const wanted = etag.replace(/^W\//, "");
  return header
    .slice(0, 4_000)
    .split(",")
    .some((tag) => tag.trim().replace(/^W\//, "") === wanted);
}

/** By `If-Modified-Since`, which counts only without `If-None-Match` (RFC 9110 §13.1.3). */
export function isNotNewer(c: Context, lastModified: string): boolean {
  const since = Date.parse(c.req.header("If-Modified-Since") ?? "");
  return c.req.header("If-None-Match") === undefined && Date.parse(lastModified) <= since;
}

/** JSON with its ETag, or 304 if the caller has it already. `link`: the neighbouring pages (RFC 8288). */
export function cachedJson(
  c: Ctx,
  caller: Caller,
  body: unknown,
  etag: string,
  { updatedAt, link }: { updatedAt?: string; link?: string } = {},
): Response {
  const headers = cacheHeaders(caller, etag, updatedAt);
  if (link !== undefined) headers.Link = link;
  return isUnchanged(c, etag) ? wholeAnswer(c, null, 304, headers) : wholeAnswer(c, body, 200, headers);
}

/** A weak ETag made from the content, for answers without a version. */
export const contentTag = (body: unknown, prefix = ""): Promise<string> =>
  textTag(JSON.stringify(body), prefix);

/** The same for a body that is already text. */
export async function textTag(text: string, prefix = ""): Promise<string> {
  return `W/"${prefix}${base64url((await sha256(text)).subarray(0, 9))}"`;
}

/** One element of `If-Match`: an entity-tag (RFC 9110 §8.8.3), a bare word, or nothing, which lists allow (§5.6.1). */
const ELEMENT = /[ \t]*((?:W\/)?"[!#-~\x80-\xff]*"|[\w-]*)[ \t]*(?:,|$)/y;

/**
 * The tags of `If-Match`, as sent; null without the header. Unquoted tags are accepted if they look like ours. 422 if
 * it is not a list of entity-tags. The caller compares the tags (412).
 */
export function expectedTags(c: Context, ours: RegExp): string[] | "any" | null {
  const header = c.req.header("If-Match")?.trim();
  if (header === undefined) return null;
  if (header === "*") return "any";
  const refused = () => invalidAt("header:If-Match", said("fault.format.etag"));
  // a client whose tag is empty by mistake must not overwrite what others have changed
  if (header === "") throw refused();
  const tags: string[] = [];
  for (let at = 0; at < header.length; at = ELEMENT.lastIndex) {
    ELEMENT.lastIndex = at;
    const tag = ELEMENT.exec(header)?.[1];
    if (tag === undefined || (/^[^"]+$/.test(tag) && !ours.test(tag))) throw refused();
    if (tag !== "") tags.push(tag);
  }
  return tags;
}

/** The ETag of a record: its version, and what else the answer depends on. */
const RECORD_TAG = /^(?:W\/)?"?(\d{1,15})(?:-[\w-]+)?"?$/;

/**
 * `If-Match: "7"`, or bare `7` (interface §1), or several: the versions that the caller expects. Empty if no record can have
 * these tags; they never match (RFC 9110 §13.1.1).
 */
export function expectedVersion(c: Context): number[] | "any" | null {
  const tags = expectedTags(c, RECORD_TAG);
  if (tags === null || tags === "any") return tags;
  return tags.flatMap((tag) => RECORD_TAG.exec(tag)?.[1] ?? []).map(Number);
}
