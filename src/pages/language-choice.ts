/**
 * A reader chooses a language in the menu of any page. It leads to the same address with `language`, which a cookie keeps
 * and which is left out again. So the address with `lang`, which search engines are given, needs no cookie, and caches keep it.
 */
import type { MiddlewareHandler } from "hono";
import { setCookie } from "hono/cookie";
import type { Config } from "../config/read.ts";
import { isApiPath } from "../http/api-path.ts";
import type { Env } from "../http/route.ts";
import { type Language, languages } from "../messages/translate.ts";

export const LANGUAGE_COOKIE = "svc_language";
const PARAMETER = "language";
const A_YEAR = 31_536_000;

/** The address of the page that was asked for, relative to it, with this language chosen. */
export function choosing(search: string, language: Language): string {
  const query = new URLSearchParams(search);
  query.delete("lang");
  query.set(PARAMETER, language);
  return `?${query}`;
}

export function languageChoice({ baseUrl }: Pick<Config, "baseUrl">): MiddlewareHandler<Env> {
  const below = new URL(baseUrl).pathname.replace(/\/$/, "");
  return (c, next) => {
    if (c.req.method !== "GET" || !c.req.url.includes(`${PARAMETER}=`)) return next();
    const { pathname, searchParams } = new URL(c.req.url);
    const language = languages().find((each) => each === searchParams.get(PARAMETER));
    if (language === undefined || isApiPath(pathname)) return next();
    searchParams.delete(PARAMETER);
    setCookie(c, LANGUAGE_COOKIE, language, { path: `${below}/`, sameSite: "Lax", maxAge: A_YEAR });
    // two slashes would begin the name of another host
    const path = below + pathname.replace(/^\/+/, "/");
    const Location = searchParams.size === 0 ? path : `${path}?${searchParams}`;
    return Promise.resolve(c.body(null, 303, { Location, "Cache-Control": "no-store" }));
  };
}
