/**
 * What browsers are told: which pages of other origins may use the service (CORS, https://fetch.spec.whatwg.org/#http-cors-protocol;
 * interface §1), and what they must not do with an answer (CSP 3, RFC 6797).
 *
 * Our own instead of hono's `cors()` and `secureHeaders()`, which rebuild every answer: here a visitor's answer gets a
 * handful of headers that were made once, and nothing else is done without an `Origin`.
 */
import type { MiddlewareHandler } from "hono";
import { TrieRouter } from "hono/router/trie-router";
import type { Config } from "../config.ts";
import type { Api, Env } from "./endpoint.ts";

/** What is no page loads nothing, runs nothing and stands in no frame. */
const NO_PAGE = "default-src 'none'; frame-ancestors 'none'";

/** For pages, unless they say otherwise themselves. */
const PAGE: readonly (readonly [string, string])[] = [
  ["Cross-Origin-Opener-Policy", "same-origin"],
  ["Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"],
  ["X-Frame-Options", "DENY"],
];

/** Sets the headers of every answer, also of refusals; outermost, so that none goes past it. */
export function browserSafety(api: Api): MiddlewareHandler<Env> {
  const { config } = api.services;
  const always = fixedHeaders(config);
  const origins = new Set(config.corsOrigins);
  let open: ((method: string, path: string) => boolean) | null = null;
  return async (c, next) => {
    await next();
    const { headers } = c.res;
    for (const [name, value] of always) headers.set(name, value);
    if (!headers.has("Content-Security-Policy")) headers.set("Content-Security-Policy", NO_PAGE);
    if (headers.get("Content-Type")?.startsWith("text/html")) {
      for (const [name, value] of PAGE) if (!headers.has(name)) headers.set(name, value);
    }
    // at the first request every route has been declared
    open ??= openRoutes(api);
    crossOrigin(c.req.raw, c.req.path, headers, origins, open);
  };
}

function fixedHeaders({ baseUrl }: Config): readonly (readonly [string, string])[] {
  return [
    ["X-Content-Type-Options", "nosniff"],
    ["Referrer-Policy", "no-referrer"],
    // subdomains are not ours to decide about
    ...(baseUrl.startsWith("https:") ? [["Strict-Transport-Security", "max-age=31536000"] as const] : []),
  ];
}

/** What a page may send, and what it may read beside the few headers that are always readable. */
const SENT = "Accept-Language, Content-Type, If-Match, If-None-Match, Range, X-Request-Id";
const SENT_WITH_CREDENTIALS = `Authorization, X-API-Key, ${SENT}`;
const READ =
  "ETag, Link, Location, X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, X-Search-Degraded, X-Import-Id";
/** Seconds for which a browser need not ask again. */
const PREFLIGHT_AGE = "600";

/**
 * Routes that are open to pages of any origin say so to everybody, since what a cache keeps must suit all; all others say
 * it to the listed origins alone. To any other page nothing is said, and its browser keeps the answer from it.
 */
function crossOrigin(
  request: Request,
  path: string,
  headers: Headers,
  origins: ReadonlySet<string>,
  open: (method: string, path: string) => boolean,
): void {
  const origin = request.headers.get("Origin");
  const asked =
    request.method === "OPTIONS" && origin !== null
      ? request.headers.get("Access-Control-Request-Method")
      : null;
  const listed = origin !== null && origins.has(origin);
  if (open(asked ?? request.method, path)) {
    headers.set("Access-Control-Allow-Origin", "*");
  } else {
    if (origins.size > 0) headers.append("Vary", "Origin");
    if (!listed) return;
    headers.set("Access-Control-Allow-Origin", origin);
    headers.set("Access-Control-Allow-Credentials", "true");
  }
  if (origin === null) return;
  const allow = headers.get("Allow");
  if (asked === null) headers.set("Access-Control-Expose-Headers", READ);
  else if (allow !== null) {
    headers.set("Access-Control-Allow-Methods", allow);
    headers.set("Access-Control-Allow-Headers", listed ? SENT_WITH_CREDENTIALS : SENT);
    headers.set("Access-Control-Max-Age", PREFLIGHT_AGE);
  }
}

/** Whether a route is declared with `crossOrigin: "anybody"`. */
function openRoutes(api: Api): (method: string, path: string) => boolean {
  const open = api.routes.filter(({ crossOrigin }) => crossOrigin === "anybody");
  const patterned = new TrieRouter<true>();
  const plain = new Set<string>();
  for (const { method, path } of open) {
    if (path.includes("{")) patterned.add(method, path.replace(/\{(\w+)\}/g, ":$1"), true);
    else plain.add(`${method} ${path}`);
  }
  const hasPatterns = open.length > plain.size;
  return (asked, path) => {
    const method = asked === "HEAD" ? "GET" : asked;
    return plain.has(`${method} ${path}`) || (hasPatterns && patterned.match(method, path)[0].length > 0);
  };
}
