/**
 * A cache of the pages that visitors requested last. One query (`settingsAndDatabaseVersion`) tells whether anything has changed
 * in the database since then, so a cached page costs one query and is never old. The query cannot tell whether an external
 * search index has followed the database, so no page is cached for longer than a minute.
 */
import { isUnchanged } from "../http/answer/caching.ts";
import { LruCache } from "../lru-cache.ts";
import type { PageView, SharedHeaders } from "./view.ts";

/** `nonce`: each answer gets a new one. `databaseVersion`: the state of the database that the page was built from. */
type CachedPage = {
  html: string;
  nonce: string;
  headers: SharedHeaders;
  databaseVersion: string;
  until: number;
};

const MOST = 100;
const LONGEST_MS = 60_000;
/** Pages with longer addresses (in characters) are not cached. */
const LONGEST_ADDRESS = 500;

export type PageCache = {
  /** Null if the page is not cached. */
  answer(view: PageView): Response | null;
  save(view: PageView, html: string, headers: SharedHeaders): void;
};

export function createPageCache(): PageCache {
  const pages = new LruCache<string, CachedPage>(MOST);
  const keyOf = ({ c, t }: PageView) => `${t.language} ${c.req.url}`;
  return {
    answer(view) {
      const { c } = view;
      if (view.databaseVersion === null || view.caller.kind !== "visitor" || view.flash !== null) return null;
      const cached = pages.get(keyOf(view));
      if (cached?.databaseVersion !== view.databaseVersion || performance.now() > cached.until) return null;
      const { html, nonce, headers } = cached;
      const { "Content-Type": type, "Content-Security-Policy": policy, ...unchanged } = headers;
      if (isUnchanged(c, headers.ETag)) return c.body(null, 304, unchanged);
      const renewed = (text: string) => text.replaceAll(nonce, view.nonce);
      return c.body(renewed(html), 200, { ...headers, "Content-Security-Policy": renewed(policy) });
    },
    save(view, html, headers) {
      const { c, databaseVersion, nonce } = view;
      if (databaseVersion === null || c.req.url.length > LONGEST_ADDRESS) return;
      const until = performance.now() + LONGEST_MS;
      pages.set(keyOf(view), { html, nonce, headers, databaseVersion, until });
    },
  };
}
