/** What is answered when no route fits: 405 with `Allow` when only the method is wrong, else 404. */
import type { NotFoundHandler } from "hono";
import { TrieRouter } from "hono/router/trie-router";
import { Problem } from "../problem.ts";
import type { Api, Env } from "./endpoint.ts";
import { problemResponse } from "./requests.ts";

export function noRoute(api: Api): NotFoundHandler<Env> {
  const methods = new Set<string>();
  const router = new TrieRouter<true>();
  for (const { method, path } of api.routes) {
    methods.add(method);
    router.add(method, path.replace(/\{(\w+)\}/g, ":$1"), true);
  }
  return (c) => {
    // c.req.path is the routed path on both prefixes
    const allowed = [...methods].filter((method) => router.match(method, c.req.path)[0].length > 0);
    if (allowed.includes("GET")) allowed.push("HEAD");
    if (allowed.length === 0) {
      return problemResponse(new Problem("not_found", `There is nothing at ${c.req.path.slice(0, 300)}`), c);
    }
    const allow = [...allowed, "OPTIONS"].join(", ");
    if (c.req.method === "OPTIONS") return new Response(null, { status: 204, headers: { Allow: allow } });
    return problemResponse(
      new Problem("method_not_allowed", `${c.req.method} is not possible here; allowed are ${allow}`, {
        headers: { Allow: allow },
      }),
      c,
    );
  };
}
