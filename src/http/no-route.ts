/**
 * Answers when no route matches: 405 with `Allow` if only the method is wrong, 501 for a method that no route has,
 * else 404 (RFC 9110 §9.1).
 */

import type { NotFoundHandler } from "hono";
import { type Said, said } from "../messages/said.ts";
import { Problem } from "../problem.ts";
import type { Api, Ctx, Env } from "./endpoint.ts";
import { nearestPath } from "./nearest-path.ts";
import { problemResponse } from "./requests.ts";
import { countPlaceholders, routerOf } from "./route.ts";

export function noRoute(api: Api): NotFoundHandler<Env> {
  const methods = new Set<string>();
  // TRACE gets 405, not 501: it is refused because it would show a page what its browser sends (RFC 9110 §9.3.8)
  const known = new Set(["HEAD", "OPTIONS", "TRACE"]);
  for (const { method } of api.routes) {
    methods.add(method);
    known.add(method);
  }
  const router = routerOf(api.routes);
  return (c) => {
    if (!known.has(c.req.method)) return problemResponse(unknownMethod(c.req.method), c);
    // c.req.path has no prefix /api
    const placeholders = (method: string) =>
      Math.min(...router.match(method, c.req.path)[0].map(([path]) => countPlaceholders(path)));
    const fewest = Math.min(...[...methods].map(placeholders));
    const allowed = [...methods].filter(
      (method) => placeholders(method) === fewest && Number.isFinite(fewest),
    );
    if (allowed.includes("GET")) allowed.push("HEAD");
    if (allowed.length === 0) return problemResponse(new Problem("not_found", nothingAt(api, c)), c);
    const allow = [...allowed, "OPTIONS"].join(", ");
    if (c.req.method === "OPTIONS") return new Response(null, { status: 204, headers: { Allow: allow } });
    return problemResponse(
      new Problem(
        "method_not_allowed",
        said("problem.method.not_allowed", { method: c.req.method, allowed: allow }),
        {
          headers: { Allow: allow },
        },
      ),
      c,
    );
  };
}

function unknownMethod(method: string): Problem {
  return new Problem("not_implemented", said("problem.method.unknown", { method: method.slice(0, 40) }));
}

/** Addresses that people try first when they only know the host. */
const ROOTS = ["/api", "/v1", "/api/v1"];

function nothingAt({ routes }: Api, c: Ctx): Said {
  const asked = new URL(c.req.url).pathname;
  const path = asked.slice(0, 300);
  if (ROOTS.includes(asked.replace(/(?<=.)\/+$/, ""))) return said("problem.address.root", { path });
  const prefix = asked.startsWith("/api/v1/") ? "/api" : "";
  const method = c.req.method === "HEAD" ? "GET" : c.req.method;
  const paths = routes.filter((route) => route.method === method).map(({ path }) => path);
  const near = nearestPath(c.req.path, paths);
  if (near) return said("problem.address.misspelt", { path, near: `${prefix}${near}` });
  return said(c.req.path.startsWith("/v1/") ? "problem.address.unknown_api" : "problem.address.unknown", {
    path,
  });
}
