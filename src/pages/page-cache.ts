/**
 * A cache of the pages that visitors requested last. A cached page is used as long as nothing has changed in the database,
 * which one query tells (`settingsAndDatabaseVersion`). So many visitors of one page cost one query each, and none gets an old page. An
 * external search index may follow the database a moment later, which the query cannot tell. So no page is cached for longer
 * than a minute.
 */
import { isUnchanged } from "../http/answer/caching.ts";
import type { Ctx } from "../http/route.ts";
import { LruCache } from "../lru-cache.ts";
import type { SharedHeaders, View } from "./view.ts";

/** `nonce`: replaced by a new one in each answer. `databaseVersion`: the state of the database that the page was built from. */
type CachedPage = {
  html: string;
  nonce: string;
  headers: SharedHeaders;
  databaseVersion: string;
  until: number;
};

const MOST = 100;
const LONGEST_KEPT_MS = 60_000;
/** Pages with longer addresses (in characters) are not cached. */
const LONGEST = 500;

export type PageCache = {
  /** Null if the page is not cached. */
  answer(c: Ctx, view: View): Response | null;
  keep(c: Ctx, view: View, html: string, headers: SharedHeaders): void;
};

export function createPageCache(): PageCache {
  const pages = new LruCache<string, CachedPage>(MOST);
  const keyOf = (c: Ctx, view: View) => `${view.t.language} ${c.req.url}`;
  return {
    answer(c, view) {
      if (view.databaseVersion === null || view.caller.kind !== "visitor" || view.flash !== null) return null;
      const kept = pages.get(keyOf(c, view));
      if (kept?.databaseVersion !== view.databaseVersion || performance.now() > kept.until) return null;
      const { html, nonce, headers } = kept;
      const { "Content-Type": type, "Content-Security-Policy": policy, ...unchanged } = headers;
      if (isUnchanged(c, headers.ETag)) return c.body(null, 304, unchanged);
      const renewed = (text: string) => text.replaceAll(nonce, view.nonce);
      return c.body(renewed(html), 200, { ...headers, "Content-Security-Policy": renewed(policy) });
    },
    keep(c, view, html, headers) {
      if (view.databaseVersion === null || c.req.url.length > LONGEST) return;
      const { databaseVersion, nonce } = view;
      const until = performance.now() + LONGEST_KEPT_MS;
      pages.set(keyOf(c, view), { html, nonce, headers, databaseVersion, until });
    },
  };
}
