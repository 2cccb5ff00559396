/**
 * The session of a user of the pages: a row, as for a program's session, and a cookie that the browser sends with every page. Its
 * secret is not replaced at each use, because pages load in parallel and a browser has one cookie.
 *
 * Another site can make a browser send the cookie. So every form contains a token that only our pages know (`pageForm`), and the
 * API accepts the cookie only with that token in a header, which another site cannot add.
 */

import { getCookie, setCookie } from "hono/cookie";
import { base64url } from "../../bytes.ts";
import type { Account, PageSession } from "../../caller.ts";
import type { Config } from "../../config/read.ts";
import { isApiPath } from "../../http/api-path.ts";
import { isOwnOrigin } from "../../http/request/origin.ts";
import type { Ctx } from "../../http/route.ts";
import type { Services } from "../../services.ts";
import { asCaller } from "../as-caller.ts";
import { hashesOf, logOut, type RefreshToken } from "./sessions.ts";
import { findSession, LONGEST_DAYS, touchSession } from "./store.ts";
import { type Signing, signingKey } from "./tokens.ts";

const CSRF_HEADER = "X-CSRF-Token";

/** `__Host-` makes browsers refuse the cookie from unencrypted pages and other hosts. It requires the path `/`. */
function cookieOf({ baseUrl }: Config): { name: string; path: string; secure: boolean } {
  const secure = baseUrl.startsWith("https:");
  const path = `${new URL(baseUrl).pathname.replace(/\/$/, "")}/`;
  const prefix = secure ? (path === "/" ? "__Host-" : "__Secure-") : "";
  return { name: `${prefix}svc_session`, path, secure };
}

/** Sets the cookie, or deletes it for null. Call it before the answer is made. */
export function keepPageSession(c: Ctx, config: Config, session: RefreshToken | null): void {
  const { name, path, secure } = cookieOf(config);
  const maxAge = session ? LONGEST_DAYS * 86_400 : 0;
  setCookie(c, name, session?.token ?? "", { path, httpOnly: true, sameSite: "Lax", secure, maxAge });
}

/** Ends the page session of the caller, if any, and deletes its cookie. */
export async function endPageSession(services: Services, c: Ctx): Promise<void> {
  const known = await accountOfPage(services, c);
  if (!known) return;
  await logOut(services.sql, { session: known.session.id, account: known.account.id }, c.get("client"));
  keepPageSession(c, services.config, null);
}

/**
 * The account of the cookie. Null without a cookie, after its session has ended, and on API routes without the form token or from
 * another origin.
 */
export async function accountOfPage(
  services: Services,
  c: Ctx,
): Promise<{ account: Account; session: PageSession } | null> {
  const token = getCookie(c, cookieOf(services.config).name);
  if (token === undefined) return null;
  const header = c.req.header(CSRF_HEADER);
  // browsers request the pictures of pages without that header; no other site can read them
  const isApi = isApiPath(c.req.path) && !(c.req.path.startsWith("/iiif/") && c.req.method === "GET");
  if (isApi && (header === undefined || !isOwnOrigin(c, services.config))) return null;
  const read = await hashesOf("page", token);
  const found = read && (await findSession(services.sql, read.familyHash, read.hash));
  if (!found?.alive || found.token !== "present") return null;
  const csrf = await csrfToken(services, found.session_id);
  if (isApi && header !== csrf) return null;
  if (found.is_due) await touchSession(services.sql, found.session_id);
  return { account: asCaller(found), session: { id: found.session_id, csrf } };
}

/** An HMAC of the session's id, so that nothing is stored and only our pages know it. */
async function csrfToken(services: Signing, session: string): Promise<string> {
  const text = new TextEncoder().encode(`page form ${session}`);
  const signed = await crypto.subtle.sign("HMAC", await signingKey(services), text);
  return base64url(new Uint8Array(signed));
}
