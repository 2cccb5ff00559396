/**
 * The language menu of a page links to the same address with the parameter `language`, which sets a cookie and redirects to the
 * address without it. The parameter `lang`, for search engines, sets no cookie, so that caches may keep its pages.
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

/** The relative address that chooses this language for the current page. */
export function choosing(search: string, language: Language): string {
  const query = new URLSearchParams(search);
  query.delete("lang");
  query.set(PARAMETER, language);
  return `?${query}`;
}

export function languageChoice({ baseUrl }: Pick<Config, "baseUrl">): MiddlewareHandler<Env> {
  const basePath = new URL(baseUrl).pathname.replace(/\/$/, "");
  return (c, next) => {
    if (c.req.method !== "GET" || !c.req.url.includes(`${PARAMETER}=`)) return next();
    const { pathname, searchParams } = new URL(c.req.url);
    const language = languages().find((each) => each === searchParams.get(PARAMETER));
    if (language === undefined || isApiPath(pathname)) return next();
    searchParams.delete(PARAMETER);
    setCookie(c, LANGUAGE_COOKIE, language, { path: `${basePath}/`, sameSite: "Lax", maxAge: A_YEAR });
    // a path that begins with two slashes would lead to another host
    const path = basePath + pathname.replace(/^\/+/, "/");
    const Location = searchParams.size === 0 ? path : `${path}?${searchParams}`;
    return Promise.resolve(c.body(null, 303, { Location, "Cache-Control": "no-store" }));
  };
}
