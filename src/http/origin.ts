/** Requests that carry a cookie must not come from pages of others (cross-site request forgery). */
import type { Config } from "../config/read.ts";
import { Problem } from "../problem.ts";
import type { Ctx } from "./endpoint.ts";

type Known = Pick<Config, "baseUrl" | "adminUrl" | "corsOrigins">;

/**
 * 403 when a browser says that a page of another origin sends this. Browsers say so with every POST (Fetch §3.2, Fetch
 * Metadata §2.3); programs that say nothing have no cookies that somebody else could use.
 */
export function demandOwnOrigin(c: Ctx, config: Known): void {
  if (isOwnOrigin(c, config)) return;
  throw new Problem(
    "forbidden",
    "This was sent by a page of another origin; only those of SVC_BASE_URL, SVC_ADMIN_URL and CORS_ORIGINS may",
  );
}

/** Whether no browser says that a page of another origin sends this. */
export function isOwnOrigin(c: Ctx, config: Known): boolean {
  const origin = c.req.header("Origin");
  const site = c.req.header("Sec-Fetch-Site");
  if (origin === undefined) return site === undefined || site === "same-origin" || site === "none";
  return site === "same-origin" || isKnownOrigin(origin, config) || isHostItself(origin, c.req.url);
}

/** @param origin as browsers send it, for example `https://www.museum.example`; `null` is nobody's. */
export function isKnownOrigin(origin: string, { baseUrl, adminUrl, corsOrigins }: Known): boolean {
  return (
    origin === new URL(baseUrl).origin || origin === new URL(adminUrl).origin || corsOrigins.includes(origin)
  );
}

/**
 * Whether the page came from the host that is asked: cookies belong to a host, whatever name the service knows itself by.
 * Not compared is the scheme, which a proxy in front may change.
 */
function isHostItself(origin: string, url: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === new URL(url).host;
}
