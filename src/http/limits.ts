/**
 * How often one caller may ask (contract §8.1, interface §5): an account by its id, whatever key or token it uses, a
 * visitor by address. Every request is counted once, under the limit of its path.
 */
import type { MiddlewareHandler } from "hono";
import { parseAddress } from "../config/networks.ts";
import type { Config } from "../config/read.ts";
import { Problem } from "../problem.ts";
import type { NamedLimit, Services, Tally } from "../services.ts";
import { problemResponse } from "./requests.ts";
import type { Ctx, Env } from "./route.ts";

/** A limit of the configuration, or one that is fixed, exact and counted by address, signed in or not. */
type PathLimit = { path: RegExp; method?: string } & ({ limit: Configured } | { fixed: NamedLimit });

const SIGN_IN: NamedLimit = { name: "login", limit: 10, windowSeconds: 60 };

/**
 * Paths with a limit of their own; the first that fits counts, all others have RATE_LIMIT_DEFAULT. Without the second
 * name of the prefix, /api/v1.
 */
const BY_PATH: readonly PathLimit[] = [
  { path: /^\/portal\/v1\/search(\/advanced)?\/?$/, limit: "publicSearch" },
  // the page of the same search
  { path: /^\/search$/, limit: "publicSearch" },
  { path: /^\/v1\/authorities(\/|$)/, limit: "authorityProxy" },
  { path: /^\/iiif\/3\//, limit: "iiif" },
  { path: /^\/sparql$/, limit: "sparql" },
  { path: /^\/oai$/, limit: "oai" },
  { path: /^\/v1\/[a-z-]+\/([^/]+\/)?export$/, limit: "publicExport" },
  { path: /^\/v1\/auth\/(token|login)$/, method: "POST", fixed: SIGN_IN },
  {
    path: /^\/v1\/auth\/refresh$/,
    method: "POST",
    fixed: { name: "refresh", limit: 20, windowSeconds: 60 },
  },
  {
    path: /^\/v1\/auth\/password-reset\/confirm$/,
    method: "POST",
    fixed: { name: "reset-confirm", limit: 10, windowSeconds: 3600 },
  },
];

/** What all of them begin or end with: one look tells most requests, which read a record, from these. */
const OWN_PATHS = /^\/(portal\/v1\/search|search|v1\/auth|iiif\/3\/)|^\/(sparql|oai)$|\/export$/;

/**
 * Monitors and load balancers ask for the report of health as often as they like; it is shared within a second anyway.
 * What every page is made of has a name for ever: browsers ask for it once, and a class of new visitors behind one
 * address must not use up what it may read.
 */
const UNLIMITED = /^\/(health$|(assets|logo)\/)/;

/** Names under which the limits are counted and shown in `RateLimit`. */
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
 * Refuses with 429 what is too much, and says in `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers)
 * of every other answer how much is left. Stands behind `identifyCaller`.
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
  const find = (path: string, method: string): Counted =>
    OWN_PATHS.test(path)
      ? (own.find((each) => each.path.test(path) && (each.method ?? method) === method)?.counted ?? rest)
      : rest;

  return (c, next) => {
    if (UNLIMITED.test(c.req.path) || isPreflight(c)) return next();
    const one = find(c.req.path, c.req.method);
    const tally = counter.hit(one.limit, whoAsks(c, one.byAddress));
    return tally instanceof Promise
      ? tally.then((later) => answer(c, next, one, later))
      : answer(c, next, one, tally);
  };
}

/**
 * Counts credentials that were refused against the address that sent them, under RATE_LIMIT_DEFAULT: beyond it the answer
 * is 429. Stands before `identifyCaller`; right credentials pass, whoever else is at the address.
 */
export function limitRefused({ counter, config }: Services): MiddlewareHandler<Env> {
  const limit: NamedLimit = { ...config.rateLimits.default, name: "refused" };
  const policy = policyOf(limit);
  return (c, next) => {
    const without = c.req.header("Authorization") === undefined && c.req.header("X-API-Key") === undefined;
    if (without) return next();
    return next().then(async () => {
      // identifyCaller has thrown, and what it threw is the answer already
      if (c.get("caller") !== undefined) return;
      const tally = await counter.hit(limit, bucketOf(c.get("client")));
      if (!tally.allowed) {
        c.res = undefined;
        c.res = problemResponse(tooMany(limit, tally), c);
      }
      tell(c, policy, limit, tally);
    });
  };
}

/** Sent by a browser on its own, before the request that counts. */
function isPreflight(c: Ctx): boolean {
  return c.req.method === "OPTIONS" && c.req.header("Access-Control-Request-Method") !== undefined;
}

function answer(c: Ctx, next: () => Promise<void>, counted: Counted, tally: Tally): Promise<void> {
  const { limit, policy } = counted;
  if (!tally.allowed) throw tooMany(limit, tally);
  tell(c, policy, limit, tally);
  return next();
}

function tell(c: Ctx, policy: string, limit: NamedLimit, tally: Tally): void {
  const head = c.get("head");
  head["RateLimit-Policy"] = policy;
  head.RateLimit = leftOf(limit, tally);
}

const policyOf = (limit: NamedLimit): string => `"${limit.name}";q=${limit.limit};w=${limit.windowSeconds}`;
const leftOf = (limit: NamedLimit, tally: Tally): string =>
  `"${limit.name}";r=${tally.remaining};t=${tally.resetSeconds}`;

/** 429 with `Retry-After`, and with the limit that was reached in place of any other that was counted. */
export function tooMany(limit: NamedLimit, tally: Tally, why = "Too many requests of this kind"): Problem {
  const seconds = tally.resetSeconds;
  return new Problem("too_many", `${why}; ask again in ${seconds} second${seconds === 1 ? "" : "s"}`, {
    headers: {
      "Retry-After": String(seconds),
      "RateLimit-Policy": policyOf(limit),
      RateLimit: leftOf(limit, tally),
    },
  });
}

function whoAsks(c: Ctx, byAddress: boolean): string {
  const caller = c.get("caller");
  return caller.kind === "account" && !byAddress ? caller.id : bucketOf(c.get("client"));
}

/**
 * What of an address one visitor has: all of an IPv4 address, of an IPv6 address the /64 network, since every household
 * has one. Empty, shared by all, when it is not known.
 */
export function bucketOf(client: string): string {
  if (!client.includes(":")) return client;
  const bytes = parseAddress(client.replace(/%.*$/, ""));
  if (bytes === null) return "";
  if (bytes.length === 4) return bytes.join(".");
  return bytes.slice(0, 8).reduce((text, byte) => text + byte.toString(16).padStart(2, "0"), "");
}
