/**
 * What browsers are told: which pages of other origins may use the service (CORS, https://fetch.spec.whatwg.org/#http-cors-protocol;
 * interface §1), and what they must not do with an answer (CSP 3, RFC 6797).
 *
 * Our own instead of hono's `cors()` and `secureHeaders()`, which rebuild every answer: here a visitor's answer gets a
 * handful of headers that were made once, and nothing else is done without an `Origin`.
 */
import type { MiddlewareHandler } from "hono";
import { TrieRouter } from "hono/router/trie-router";
import type { Config } from "../config/read.ts";
import { completeAnswer } from "./answer.ts";
import type { Api } from "./endpoint.ts";
import type { Env, Head } from "./route.ts";

/** What is no page loads nothing, runs nothing and stands in no frame. */
const NO_PAGE = "default-src 'none'; frame-ancestors 'none'";

/** For pages, unless they say otherwise themselves. */
const PAGE: readonly (readonly [string, string])[] = [
  ["Cross-Origin-Opener-Policy", "same-origin"],
  ["Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"],
  ["X-Frame-Options", "DENY"],
];

/** Begins and completes the head of every answer, also of refusals; outermost, so that none goes past it. */
export function browserSafety(api: Api): MiddlewareHandler<Env> {
  const { config } = api.services;
  const always = fixedHead(config);
  const origins = new Set(config.corsOrigins);
  let open: ((method: string, path: string) => boolean) | null = null;
  return async (c, next) => {
    const head: Head = { ...always };
    // at the first request every route has been declared
    open ??= openRoutes(api);
    const origin = c.req.header("Origin");
    const asked =
      c.req.method === "OPTIONS" && origin !== undefined
        ? c.req.header("Access-Control-Request-Method")
        : undefined;
    crossOrigin(head, origin, origins, open(asked ?? c.req.method, c.req.path));
    c.set("head", head);
    await next();
    completeAnswer(c);
    if (asked !== undefined) preflight(c.res.headers);
    else if (c.get("whole") !== c.res) completePage(c.res.headers);
  };
}

/** What every answer says, whoever makes it. */
export function fixedHead({ baseUrl }: Pick<Config, "baseUrl">): Head {
  return {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Content-Security-Policy": NO_PAGE,
    // subdomains are not ours to decide about
    ...(baseUrl.startsWith("https:") ? { "Strict-Transport-Security": "max-age=31536000" } : {}),
  };
}

/** Says of a page what it does not say itself. */
export function completePage(headers: Headers): void {
  if (!headers.get("Content-Type")?.startsWith("text/html")) return;
  for (const [name, value] of PAGE) if (!headers.has(name)) headers.set(name, value);
}

/** What a page may send, and what it may read beside the few headers that are always readable. */
const SENT = "Accept-Language, Content-Type, If-Match, If-None-Match, Range, X-Request-Id";
const SENT_WITH_CREDENTIALS = `Authorization, X-API-Key, ${SENT}`;
const READ =
  "ETag, Link, Location, X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, X-Search-Degraded, " +
  "X-Search-Suggestion, X-Total-Relation, X-Import-Id";
/** Seconds for which a browser need not ask again. */
const PREFLIGHT_AGE = "600";

/**
 * Routes that are open to pages of any origin say so to everybody, since what a cache keeps must suit all; all others say
 * it to the listed origins alone. To any other page nothing is said, and its browser keeps the answer from it.
 */
function crossOrigin(
  head: Head,
  origin: string | undefined,
  origins: ReadonlySet<string>,
  open: boolean,
): void {
  if (open) {
    head["Access-Control-Allow-Origin"] = "*";
  } else {
    if (origins.size > 0) head.Vary = "Origin";
    if (origin === undefined || !origins.has(origin)) return;
    head["Access-Control-Allow-Origin"] = origin;
    head["Access-Control-Allow-Credentials"] = "true";
  }
  if (origin !== undefined) head["Access-Control-Expose-Headers"] = READ;
}

/** Turns the answer to a preflight, which has got the head of any answer, into what the browser wants to know. */
function preflight(headers: Headers): void {
  headers.delete("Access-Control-Expose-Headers");
  const allow = headers.get("Allow");
  if (allow === null || !headers.has("Access-Control-Allow-Origin")) return;
  headers.set("Access-Control-Allow-Methods", allow);
  headers.set(
    "Access-Control-Allow-Headers",
    headers.has("Access-Control-Allow-Credentials") ? SENT_WITH_CREDENTIALS : SENT,
  );
  headers.set("Access-Control-Max-Age", PREFLIGHT_AGE);
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
