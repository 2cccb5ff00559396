/** The middleware that identifies the caller. For visitors it reads a few headers and makes no query. */
import type { MiddlewareHandler } from "hono";
import { type Account, VISITOR } from "../caller.ts";
import type { Env } from "../http/endpoint.ts";
import { said } from "../messages/said.ts";
import { Problem } from "../problem.ts";
import type { Services } from "../services.ts";
import { wordSet } from "../text.ts";
import { asCaller } from "./as-caller.ts";
import { accountOfKey } from "./keys/caller.ts";
import { accountOfPage } from "./sessions/page-session.ts";
import { findAccountInSession } from "./sessions/store.ts";
import { type AccessClaims, refusedToken, type Signing, verifyToken } from "./sessions/tokens.ts";

/** RFC 6750 §2.1 */
const BEARER = /^Bearer +([\w~+/.-]+=*)$/i;

/**
 * Routes that ignore credentials in headers. Signing in, refreshing and signing out use credentials of their own, and must work
 * despite an expired token or the Basic credentials that many OAuth 2 libraries add. The others answer everybody alike, and
 * /health must answer even if accounts cannot be read.
 */
const SAME_FOR_ALL = wordSet(
  "/v1/auth/token /v1/auth/login /v1/auth/refresh /v1/auth/logout /v1/auth/password-reset",
  "/v1/auth/password-reset/confirm /admin/forgotten /admin/reset /health /robots.txt /llms.txt",
);

export function identifyCaller(services: Services): MiddlewareHandler<Env> {
  return async (c, next) => {
    const authorization = c.req.header("Authorization");
    const key = c.req.header("X-API-Key");
    // set only after success, because `limitRefused` counts requests whose credentials were refused
    if (SAME_FOR_ALL.has(c.req.path)) c.set("caller", VISITOR);
    else if (authorization !== undefined || key !== undefined) {
      c.set("caller", await identified(services, authorization, key, c.req.path));
    } else {
      const known = c.req.header("Cookie") === undefined ? null : await accountOfPage(services, c);
      c.set("caller", known?.account ?? VISITOR);
      if (known) c.set("pageSession", known.session);
    }
    return next();
  };
}

/** The account of these credentials. Throws 401 or 403 if they are not valid. */
export async function identified(
  services: Services,
  authorization: string | undefined,
  key: string | undefined,
  path: string,
): Promise<Account> {
  if (authorization !== undefined && key !== undefined) {
    throw new Problem("malformed", said("problem.credentials.both"));
  }
  if (authorization !== undefined) return accountOfToken(services, authorization);
  return accountOfKey(services, key ?? "", path);
}

async function accountOfToken(services: Services, authorization: string): Promise<Account> {
  const claims = await claimsOf(services, authorization);
  const account = await findAccountInSession(services.sql, claims);
  if (!account) throw refusedToken("problem.token.ended");
  return { ...asCaller(account), sessionId: claims.session };
}

/** The claims of the access token in this header. Throws 401 if there is none or it is not valid. */
export async function claimsOf(services: Signing, authorization: string): Promise<AccessClaims> {
  const token = BEARER.exec(authorization)?.[1];
  if (token === undefined) {
    throw new Problem("unauthenticated", said("problem.credentials.form"), {
      headers: { "WWW-Authenticate": "Bearer" },
    });
  }
  return verifyToken(services, token);
}
