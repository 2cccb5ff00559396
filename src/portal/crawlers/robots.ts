/** /robots.txt: what crawlers may read (RFC 9309), and the address of the sitemap (https://www.sitemaps.org/protocol.html). */
import type { Config } from "../../config/read.ts";
import type { Ctx } from "../../http/endpoint.ts";

/** Filtered and sorted searches: there are too many for any crawler. */
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
  // the choice of a language leads back to the same page
  .concat("/*?*language=");

/** On the host of the admin interface everything is closed (contract §8.2). */
export function robots(c: Ctx, config: Config): string {
  if (isAdminHost(c, config)) return "User-agent: *\nDisallow: /\n";
  const closed = [...config.robotsDisallowPaths, ...ENDLESS].map((path) => `Disallow: ${path}\n`);
  return `User-agent: *\n${closed.join("")}\nSitemap: ${config.baseUrl}/sitemap.xml\n`;
}

/** Whether /robots.txt closes a path. Rules are prefixes; `*` stands for any characters, `$` for the end (RFC 9309 §2.2.3). */
export function isClosed(path: string, closed: readonly string[]): boolean {
  return closed.some((rule) => {
    const pattern = rule.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*");
    return new RegExp(`^${pattern.replace(/\\\$$/, "$")}`).test(path);
  });
}

/** Whether the request came to the separate host of the admin interface. */
export function isAdminHost(c: Ctx, config: Config): boolean {
  const admin = new URL(config.adminUrl);
  const portal = new URL(config.baseUrl);
  if (admin.host === portal.host) return false;
  const asked = new URL(c.req.url);
  // behind a proxy, the port often differs from the public one, so ports are compared only if they alone tell the hosts apart
  return admin.hostname === portal.hostname ? asked.host === admin.host : asked.hostname === admin.hostname;
}
