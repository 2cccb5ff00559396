/**
 * Pages that visitors have asked for lately, as they were answered. One is answered again as long as nothing has changed
 * in the database since, which one question tells (`settingsAndSign`): so a crowd that reads one page
 * costs one question each, and nobody reads anything old. A search index elsewhere may follow the database a moment later,
 * which no question to the database tells: nothing is kept for longer than caches keep it.
 */
import { isUnchanged } from "../http/answer/caching.ts";
import type { Ctx } from "../http/route.ts";
import { LruCache } from "../lru-cache.ts";
import { pageHeaders } from "./policy.ts";
import type { View } from "./view.ts";

type Headers = Readonly<Record<string, string>>;
/** `nonce`: of the scripts in it, in place of which each answer has its own. `sign`: of the database then. */
type CachedPage = {
  html: string;
  nonce: string;
  headers: Headers;
  etag: string;
  sign: string;
  until: number;
};

const MOST = 100;
/** As long as `Cache-Control` of `page.ts` says. */
const LONGEST_KEPT_MS = 60_000;
/** Characters of addresses. */
const LONGEST = 500;

export type PageCache = {
  /** Null when it must be made. */
  answer(c: Ctx, view: View): Response | null;
  keep(c: Ctx, view: View, html: string, headers: Headers & { ETag: string }): void;
};

export function createPageCache(): PageCache {
  const pages = new LruCache<string, CachedPage>(MOST);
  const keyOf = (c: Ctx, view: View) => `${view.t.language} ${c.req.url}`;
  return {
    answer(c, view) {
      if (view.sign === null || view.caller.kind !== "visitor" || view.flash !== null) return null;
      const kept = pages.get(keyOf(c, view));
      if (kept?.sign !== view.sign || performance.now() > kept.until) return null;
      const { html, nonce, headers, etag } = kept;
      if (isUnchanged(c, etag)) return c.body(null, 304, headers);
      return c.body(html.replaceAll(nonce, view.nonce), 200, { ...headers, ...pageHeaders(view.nonce) });
    },
    keep(c, view, html, headers) {
      if (view.sign === null || c.req.url.length > LONGEST) return;
      const { sign, nonce } = view;
      const until = performance.now() + LONGEST_KEPT_MS;
      pages.set(keyOf(c, view), { html, nonce, headers, etag: headers.ETag, sign, until });
    },
  };
}
