/**
 * The cookie with the refresh token. Scripts cannot read it, and browsers send it only from our own pages, and only to /v1/auth.
 * It is set twice, because /v1/auth has two addresses and a cookie has one path.
 */
import { getCookie, setCookie } from "hono/cookie";
import type { Config } from "../../config/read.ts";
import type { Ctx } from "../../http/endpoint.ts";
import type { RefreshToken } from "./sessions.ts";

const NAME = "svc_refresh";

/** `__Secure-` makes browsers refuse the cookie from unencrypted pages. `__Host-` would send it to every path. */
function nameOf({ baseUrl }: Config): string {
  return baseUrl.startsWith("https:") ? `__Secure-${NAME}` : NAME;
}

export function refreshTokenOf(c: Ctx, config: Config): string | undefined {
  return getCookie(c, nameOf(config));
}

/** Sets the cookie, or deletes it for null. Call it before the answer is made. */
export function keepRefreshToken(c: Ctx, config: Config, refresh: RefreshToken | null): void {
  const below = new URL(config.baseUrl).pathname.replace(/\/$/, "");
  for (const path of ["/v1/auth", "/api/v1/auth"]) {
    setCookie(c, nameOf(config), refresh?.token ?? "", {
      path: below + path,
      httpOnly: true,
      sameSite: "Strict",
      secure: config.baseUrl.startsWith("https:"),
      maxAge: refresh?.seconds ?? 0,
    });
  }
}
