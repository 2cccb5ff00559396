/**
 * The session of somebody who uses the pages: a row like that of a program's session, and a cookie that the browser sends
 * to every page. Its secret is not replaced at each use, as pages load side by side and a browser keeps one cookie.
 *
 * Another site can make a browser send the cookie along. So every form carries a token that only our own pages know
 * (`pageForm`), and the API takes the cookie only together with that token in a header, which a foreign page cannot add.
 */
import { getCookie, setCookie } from "hono/cookie";
import type { Account, PageSession } from "../caller.ts";
import type { Config } from "../config/read.ts";
import { isApiPath } from "../http/api-path.ts";
import { isOwnOrigin } from "../http/origin.ts";
import type { Ctx } from "../http/route.ts";
import type { Services } from "../services.ts";
import { asCaller } from "./as-caller.ts";
import { findSession, LONGEST_DAYS, touchSession } from "./session-store.ts";
import { hashesOf, logOut, type RefreshToken } from "./sessions.ts";
import { type Signing, signingKey } from "./tokens.ts";

export const CSRF_HEADER = "X-CSRF-Token";

/** `__Host-` makes browsers refuse the cookie from unencrypted pages and other hosts; it wants the path `/`. */
function cookieOf({ baseUrl }: Config): { name: string; path: string; secure: boolean } {
  const secure = baseUrl.startsWith("https:");
  const path = `${new URL(baseUrl).pathname.replace(/\/$/, "")}/`;
  const prefix = secure ? (path === "/" ? "__Host-" : "__Secure-") : "";
  return { name: `${prefix}svc_session`, path, secure };
}

/** Null takes the cookie away. To be called before the answer is made. */
export function keepPageSession(c: Ctx, config: Config, session: RefreshToken | null): void {
  const { name, path, secure } = cookieOf(config);
  const maxAge = session ? LONGEST_DAYS * 86_400 : 0;
  setCookie(c, name, session?.token ?? "", { path, httpOnly: true, sameSite: "Lax", secure, maxAge });
}

/** Ends the session of the pages by which the caller is known, if it is by one, and takes its cookie away. */
export async function endPageSession(services: Services, c: Ctx): Promise<void> {
  const known = await accountOfPage(services, c);
  if (!known) return;
  await logOut(services.sql, { session: known.session.id, account: known.account.id }, c.get("client"));
  keepPageSession(c, services.config, null);
}

/** Whose cookie it is; null without one, when its session has ended, and on API routes without the token of its forms or from another origin. */
export async function accountOfPage(
  services: Services,
  c: Ctx,
): Promise<{ account: Account; session: PageSession } | null> {
  const token = getCookie(c, cookieOf(services.config).name);
  if (token === undefined) return null;
  const header = c.req.header(CSRF_HEADER);
  // pictures of pages are asked for without a header; who sees them is decided as everywhere, and no other site reads them
  const isApi = isApiPath(c.req.path) && !(c.req.path.startsWith("/iiif/") && c.req.method === "GET");
  if (isApi && (header === undefined || !isOwnOrigin(c, services.config))) return null;
  const read = await hashesOf("page", token);
  const found = read && (await findSession(services.sql, read.familyHash, read.hash));
  if (!found?.alive || found.token !== "present") return null;
  const csrf = await csrfToken(services, found.session_id);
  if (isApi && header !== csrf) return null;
  await touchSession(services.sql, found.session_id);
  return { account: asCaller(found), session: { id: found.session_id, csrf } };
}

/** HMAC of the session's id: nothing has to be kept, and no page but ours can know it. */
async function csrfToken(services: Signing, session: string): Promise<string> {
  const text = new TextEncoder().encode(`page form ${session}`);
  const signed = await crypto.subtle.sign("HMAC", await signingKey(services), text);
  return btoa(String.fromCharCode(...new Uint8Array(signed)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}
