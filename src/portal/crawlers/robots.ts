/** What crawlers may read (RFC 9309), and where the list of all pages is (https://www.sitemaps.org/protocol.html). */
import type { Config } from "../../config/read.ts";
import type { Ctx } from "../../http/endpoint.ts";

/** Ways to narrow and arrange a search, of which there are more than any crawler could walk. */
const ENDLESS = [
  "meta_",
  "range_",
  "rel_",
  "_type=",
  "collection_status=",
  "maker=",
  "clause=",
  "sort_by=",
  "view=",
  "more=",
]
  .map((name) => `/search?*${name}`)
  // a reader's choice, which leads back to the same page
  .concat("/*?*language=");

/** On the host of the admin interface everything is closed (contract §8.2). */
export function robots(c: Ctx, config: Config): string {
  if (isAdminHost(c, config)) return "User-agent: *\nDisallow: /\n";
  const closed = [...config.robotsDisallowPaths, ...ENDLESS].map((path) => `Disallow: ${path}\n`);
  return `User-agent: *\n${closed.join("")}\nSitemap: ${config.baseUrl}/sitemap.xml\n`;
}

/** Whether /robots.txt closes a path: the first characters count, `*` is any, `$` is the end (RFC 9309 §2.2.3). */
export function isClosed(path: string, closed: readonly string[]): boolean {
  return closed.some((rule) => {
    const pattern = rule.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*");
    return new RegExp(`^${pattern.replace(/\\\$$/, "$")}`).test(path);
  });
}

/** Whether the request came to the host that only the admin interface has. */
export function isAdminHost(c: Ctx, config: Config): boolean {
  const admin = new URL(config.adminUrl);
  const portal = new URL(config.baseUrl);
  if (admin.host === portal.host) return false;
  const asked = new URL(c.req.url);
  // behind a proxy the port of the request is seldom the one of the address: it counts only when nothing else differs
  return admin.hostname === portal.hostname ? asked.host === admin.host : asked.hostname === admin.hostname;
}
