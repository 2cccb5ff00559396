/**
 * Headers for browsers: which other origins may use the service (CORS, https://fetch.spec.whatwg.org/#http-cors-protocol;
 * interface §1), and what a browser must not do with an answer (CSP 3, RFC 6797).
 *
 * Hono's `cors()` and `secureHeaders()` rebuild every answer. Here, an answer gets a few headers that were made once, and a
 * request without an `Origin` costs no more.
 */
import type { MiddlewareHandler } from "hono";
import type { Config } from "../../config/read.ts";
import { completeAnswer } from "../answer/answer.ts";
import type { Api, Ctx } from "../endpoint.ts";
import { type Env, type Head, routerOf } from "../route.ts";

/** An answer that is not a page may not load or run anything, or appear in a frame. */
const NO_PAGE = "default-src 'none'; frame-ancestors 'none'";

/** For pages that do not set their own. */
const PAGE: readonly (readonly [string, string])[] = [
  ["Cross-Origin-Opener-Policy", "same-origin"],
  ["Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"],
  ["X-Frame-Options", "DENY"],
];

/** Sets the common headers of every answer, including refusals. It must be the outermost middleware. */
export function browserSafety(api: Api): MiddlewareHandler<Env> {
  const { config } = api.services;
  const always = fixedHead(config);
  const origins = new Set(config.corsOrigins);
  let open: ((method: string, path: string) => boolean) | null = null;
  return async (c, next) => {
    const head: Head = { ...always };
    // at the first request, when every route is declared
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

export function fixedHead({ baseUrl }: Pick<Config, "baseUrl">): Head {
  return {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Content-Security-Policy": NO_PAGE,
    // without includeSubDomains: other subdomains may belong to somebody else
    ...(baseUrl.startsWith("https:") ? { "Strict-Transport-Security": "max-age=31536000" } : {}),
  };
}

/** Adds the headers that the page did not set. */
export function completePage(headers: Headers): void {
  if (!headers.get("Content-Type")?.startsWith("text/html")) return;
  for (const [name, value] of PAGE) if (!headers.has(name)) headers.set(name, value);
}

/** The request headers that a page may send, and the answer headers that it may read, beyond the default ones. */
const SENT = "Accept-Language, Content-Type, If-Match, If-None-Match, Range, X-Request-Id";
const SENT_WITH_CREDENTIALS = `Authorization, X-API-Key, ${SENT}`;
const READ =
  "ETag, Link, Location, X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, X-Search-Degraded, " +
  "X-Search-Suggestion, X-Total-Relation, X-Import-Id";
/** Seconds for which browsers may cache a preflight. */
const PREFLIGHT_AGE = "600";

/**
 * A route that is open to every origin says so in every answer, because caches share it. Other routes name the origin of the
 * request if it is in the list. Any other page gets no CORS header, so its browser withholds the answer.
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

/** For an answer that is open to every origin although its route is not. An origin of CORS_ORIGINS keeps its own headers. */
export function openToAnybody(c: Ctx): void {
  const head = c.get("head");
  if (head["Access-Control-Allow-Origin"] === undefined)
    crossOrigin(head, c.req.header("Origin"), new Set(), true);
}

/** Adds the CORS headers to the answer to a preflight. */
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
  const open = routerOf(api.routes.filter(({ crossOrigin }) => crossOrigin === "anybody"));
  return (method, path) => open.match(method === "HEAD" ? "GET" : method, path)[0].length > 0;
}
