/** Refuses requests with a cookie that come from other sites (cross-site request forgery). */

import type { Config } from "../../config/read.ts";
import { said } from "../../messages/said.ts";
import { Problem } from "../../problem.ts";
import type { Ctx } from "../endpoint.ts";

type Known = Pick<Config, "baseUrl" | "adminUrl" | "corsOrigins">;

/**
 * 403 if the browser says that a page of another origin sent the request. Browsers say so with every POST (Fetch §3.2, Fetch
 * Metadata §2.3). Other programs have no cookies that another site could use.
 */
export function demandOwnOrigin(c: Ctx, config: Known): void {
  if (isOwnOrigin(c, config)) return;
  throw new Problem("forbidden", said("problem.origin.other"));
}

/** Whether the request does not come from a page of another origin. */
export function isOwnOrigin(c: Ctx, config: Known): boolean {
  const origin = c.req.header("Origin");
  const site = c.req.header("Sec-Fetch-Site");
  if (origin === undefined) return site === undefined || site === "same-origin" || site === "none";
  return site === "same-origin" || isKnownOrigin(origin, config) || isHostItself(origin, c.req.url);
}

/** @param origin as browsers send it, for example `https://www.museum.example`; `null` matches no origin. */
function isKnownOrigin(origin: string, { baseUrl, adminUrl, corsOrigins }: Known): boolean {
  return (
    origin === new URL(baseUrl).origin || origin === new URL(adminUrl).origin || corsOrigins.includes(origin)
  );
}

/**
 * Whether the page came from the host of this request, to which its cookies belong, even if that host is not configured. The
 * scheme is not compared, because a proxy may change it.
 */
function isHostItself(origin: string, url: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === new URL(url).host;
}
