/**
 * Rate limits (contract §8.1, interface §5). Accounts are counted by id, whichever key or token they use; visitors by address.
 * Each request counts once, towards the limit of its path.
 */

import type { MiddlewareHandler } from "hono";
import { bucketOf } from "../config/networks.ts";
import type { Config } from "../config/read.ts";
import { said } from "../messages/said.ts";
import type { MessageKey } from "../messages/translate.ts";
import { Problem } from "../problem.ts";
import type { NamedLimit, Services, Tally } from "../services.ts";
import { problemResponse } from "./requests.ts";
import type { Ctx, Env } from "./route.ts";

/** A configured limit, or a fixed one, which is exact and counts accounts by address, too. */
type PathLimit = { path: RegExp; method?: string; contentType?: RegExp } & (
  | { limit: Configured }
  | { fixed: NamedLimit }
);

const SIGN_IN: NamedLimit = { name: "login", limit: 10, windowSeconds: 60 };

/**
 * Paths with their own limit; the first match counts. All other paths have RATE_LIMIT_DEFAULT. The alias /api/v1 is not listed.
 */
const BY_PATH: readonly PathLimit[] = [
  { path: /^\/portal\/v1\/search(\/advanced)?\/?$/, limit: "publicSearch" },
  // the page for the same search
  { path: /^\/search$/, limit: "publicSearch" },
  { path: /^\/v1\/authorities(\/|$)/, limit: "authorityProxy" },
  { path: /^\/iiif\/3\//, limit: "iiif" },
  { path: /^\/sparql$/, limit: "sparql" },
  { path: /^\/oai$/, limit: "oai" },
  { path: /^\/v1\/[a-z-]+\/([^/]+\/)?export$/, limit: "publicExport" },
  { path: /^\/(portal\/v1\/search\/export|iiif\/presentation\/3\/search)$/, limit: "publicExport" },
  { path: /^\/(v1\/auth\/(token|login)|admin\/(sign-in|first-account))$/, method: "POST", fixed: SIGN_IN },
  {
    path: /^\/v1\/auth\/refresh$/,
    method: "POST",
    fixed: { name: "refresh", limit: 20, windowSeconds: 60 },
  },
  {
    path: /^\/(v1\/auth\/password-reset\/confirm|admin\/reset)$/,
    method: "POST",
    fixed: { name: "reset-confirm", limit: 10, windowSeconds: 3600 },
  },
  // the page for photographs sends each in its own request while the user goes on working
  {
    path: /^\/v1\/media\/batch$/,
    method: "POST",
    contentType: /^multipart\//i,
    fixed: { name: "media-batch", limit: 1_200, windowSeconds: 60 },
  },
];

/**
 * Not counted. Monitors and load balancers may ask for the health report as often as they like, since it is computed at most
 * once a second. Browsers request the static files of pages once; a school class behind one address must not use up its limit
 * with them.
 */
const UNLIMITED = /^\/(health$|(assets|logo)\/)/;

/** The names of the limits, for counting and in `RateLimit`. */
const NAMES = {
  default: "default",
  publicExport: "export",
  publicSearch: "search",
  authorityProxy: "authorities",
  iiif: "iiif",
  sparql: "sparql",
  oai: "oai",
} as const satisfies Partial<Record<keyof Config["rateLimits"], string>>;

type Configured = keyof typeof NAMES;

type Counted = { limit: NamedLimit; policy: string; byAddress: boolean };

/**
 * Answers 429 above the limit. In all other answers, `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers)
 * say how much is left. Runs after `identifyCaller`.
 */
export function limitRequests(services: Services): MiddlewareHandler<Env> {
  const { counter, config } = services;
  const counted = (limit: NamedLimit, byAddress: boolean): Counted => {
    return { limit, byAddress, policy: policyOf(limit) };
  };
  const configured = (name: Configured) =>
    counted({ ...config.rateLimits[name], name: NAMES[name], loose: true }, false);
  const rest = configured("default");
  const own = BY_PATH.map((each) => ({
    ...each,
    counted: "fixed" in each ? counted(each.fixed, true) : configured(each.limit),
  }));

  return async (c, next) => {
    const { path, method } = c.req;
    if (UNLIMITED.test(path) || isPreflight(c)) return next();
    const type = c.req.header("Content-Type") ?? "";
    const match = own.find(
      (each) =>
        each.path.test(path) && (each.method ?? method) === method && (each.contentType?.test(type) ?? true),
    );
    const { limit, policy, byAddress } = match?.counted ?? rest;
    const tally = await counter.hit(limit, counterKey(c, byAddress));
    if (!tally.allowed) throw tooMany(limit, tally);
    setLimitHeaders(c, policy, limit, tally);
    return next();
  };
}

/**
 * Counts refused credentials by client address; above RATE_LIMIT_DEFAULT the answer is 429. Valid credentials from the same
 * address still pass. Runs before `identifyCaller`.
 */
export function limitRefused({ counter, config }: Services): MiddlewareHandler<Env> {
  const limit: NamedLimit = { ...config.rateLimits.default, name: "refused" };
  const policy = policyOf(limit);
  return async (c, next) => {
    await next();
    const without = c.req.header("Authorization") === undefined && c.req.header("X-API-Key") === undefined;
    // if there is no caller, `identifyCaller` threw, and its error is already the answer
    if (without || c.get("caller") !== undefined) return;
    const tally = await counter.hit(limit, bucketOf(c.get("client")));
    if (!tally.allowed) {
      c.res = undefined;
      c.res = problemResponse(tooMany(limit, tally), c);
    }
    setLimitHeaders(c, policy, limit, tally);
  };
}

/** A request that browsers send on their own before the real one. */
function isPreflight(c: Ctx): boolean {
  return c.req.method === "OPTIONS" && c.req.header("Access-Control-Request-Method") !== undefined;
}

function setLimitHeaders(c: Ctx, policy: string, limit: NamedLimit, tally: Tally): void {
  const head = c.get("head");
  head["RateLimit-Policy"] = policy;
  head.RateLimit = leftOf(limit, tally);
}

const policyOf = (limit: NamedLimit): string => `"${limit.name}";q=${limit.limit};w=${limit.windowSeconds}`;
const leftOf = (limit: NamedLimit, tally: Tally): string =>
  `"${limit.name}";r=${tally.remaining};t=${tally.resetSeconds}`;

/** 429 with `Retry-After`, and the limit that was reached in the RateLimit headers. `key`: a message with `seconds`. */
export function tooMany(limit: NamedLimit, tally: Tally, key: MessageKey = "problem.rate.requests"): Problem {
  const seconds = tally.resetSeconds;
  return new Problem("too_many", said(key, { seconds }), {
    headers: {
      "Retry-After": String(seconds),
      "RateLimit-Policy": policyOf(limit),
      RateLimit: leftOf(limit, tally),
    },
  });
}

function counterKey(c: Ctx, byAddress: boolean): string {
  const caller = c.get("caller");
  return caller.kind === "account" && !byAddress ? caller.id : bucketOf(c.get("client"));
}
