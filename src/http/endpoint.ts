/**
 * One route: its address, its access, its input and output. The same schemas validate requests and describe them
 * (OpenAPI 3.1). A route without declared access does not compile.
 */

import type { OpenAPIRegistry } from "@asteasolutions/zod-to-openapi";
import type { Hono } from "hono";
import { z } from "zod";
import { type Account, type Caller, demandAction, mayUse, refuse } from "../caller.ts";
import { anyOf, said } from "../messages/said.ts";
import { CODES, invalid, invalidAt, Problem } from "../problem.ts";
import type { Services } from "../services.ts";
import { negotiate } from "./answer/negotiate.ts";
import type { ConcurrencyLimit } from "./concurrency-limit.ts";
import { readAs } from "./faults.ts";
import { type Meter, meterRoute } from "./meter.ts";
import { demandContentType, LARGEST_JSON, parseJson, readBytes } from "./request/body.ts";
import {
  type Access,
  actionsOf,
  type Ctx,
  countPlaceholders,
  type Endpoint,
  type Env,
  honoPath,
  type Read,
  type Shape,
} from "./route.ts";
import { routeDescription } from "./route-description.ts";

export type { Ctx, Env } from "./route.ts";

export type Api = {
  services: Services;
  app: Hono<Env>;
  registry: OpenAPIRegistry;
  /** Every route with its access, for the permission table and for 405. `page`: a page for people, not in the API description. */
  routes: {
    method: string;
    path: string;
    access: Access;
    crossOrigin?: "anybody" | undefined;
    page?: true | undefined;
  }[];
  meter: Meter;
  visitorLimit: ConcurrencyLimit;
};

/** Not an `enum`, since new versions add codes. */
const CodeShape = z.string().openapi("Code", {
  description: "What is wrong, for programs: the same in every language and version",
  "x-extensible-enum": CODES,
});
export const FaultShape = z.object({
  pointer: z
    .string()
    .openapi({ description: "A JSON Pointer, or `query:`, `path:` or `header:` and a name" }),
  detail: z.string().openapi({ description: "What is wrong there, in a sentence" }),
  code: CodeShape,
});

export const ProblemShape = z
  .object({
    type: z.string().openapi({ description: "The kind of problem" }),
    title: z.string().openapi({ description: "The problem in a few words" }),
    status: z.int().openapi({ description: "The HTTP status" }),
    detail: z.string().openapi({ description: "In the language that `Accept-Language` asks for" }),
    code: CodeShape,
    instance: z.string(),
    errors: z
      .array(FaultShape)
      .optional()
      .openapi({ description: "All faults of the request, each with its place" }),
  })
  .openapi("Problem", { description: "RFC 9457 problem details" });

export function endpoint<
  P extends Shape | undefined = undefined,
  Q extends Shape | undefined = undefined,
  B extends Shape | undefined = undefined,
>(api: Api, route: Endpoint<P, Q, B>): void {
  const path = honoPath(route.path);
  const produces = route.produces ?? ["application/json"];
  const { access, crossOrigin } = route;
  const method = route.method.toUpperCase();
  api.routes.push({ method, path: route.path, access, crossOrigin, page: route.page });
  if (!route.page) api.registry.registerPath(routeDescription(route, produces));
  const meter = meterRoute(api.meter, method, route.path);
  const isOther = othersOf(api, route.path);
  api.app.on(method, path, async (c) => {
    if (isOther(c.req.path)) return c.notFound();
    c.set("meter", meter);
    const caller = c.get("caller");
    demandAccess(caller, route.access);
    const type = produces.length > 0 ? negotiate(c.req.header("Accept"), produces) : "";
    if (type === null) {
      throw new Problem("not_acceptable", said("problem.accept.none", { types: anyOf(produces) }));
    }
    const params = route.params ? read(route.params, c.req.param(), "path") : undefined;
    const query = route.page
      ? undefined
      : read(route.query ?? NoQuery, queryOf(c.req.url, route.ignored?.(caller)), "query");
    const body =
      route.body?.schema && !route.body.streamed
        ? await readBody(c, route.body.schema, route.body)
        : undefined;
    return route.handle({
      c,
      caller,
      params: params as Read<P>,
      query: query as Read<Q>,
      body: body as Read<B>,
      type,
    });
  });
}

/** Whether an address that matches this path belongs to another route with fewer placeholders. */
function othersOf({ routes }: Api, path: string): (asked: string) => boolean {
  if (countPlaceholders(path) === 0) return () => false;
  const own = path.split("/");
  const isWithin = (other: string) => {
    const parts = other.split("/");
    return (
      parts.length === own.length &&
      countPlaceholders(other) < countPlaceholders(path) &&
      parts.every((part, at) => part === own[at] || own[at]!.startsWith("{"))
    );
  };
  // at the first request, when every route is known; most paths have none
  let others: RegExp[] | undefined;
  return (asked) => {
    others ??= [...new Set(routes.map((route) => route.path))].filter(isWithin).map(patternOf);
    return others.some((other) => other.test(asked));
  };
}

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+")}$`);

/** The caller's account, on routes whose access requires one. */
export function accountOf(caller: Caller): Account {
  if (caller.kind !== "account") throw refuse(caller, "an account");
  return caller;
}

/** Who asks, and from which network address, for the log of security events. */
export type Requester = { caller: Account; client: string };

export function requesterOf(c: Ctx): Requester {
  return { caller: accountOf(c.get("caller")), client: c.get("client") };
}

function demandAccess(caller: Caller, access: Access): void {
  if (access === "self") {
    accountOf(caller);
    return;
  }
  if (caller.kind === "account" && caller.mustChangePassword) {
    throw new Problem("forbidden", said("problem.password.must_change"));
  }
  if (access === "public") return;
  if (access === "account") accountOf(caller);
  else if ("feature" in access) {
    if (access.orMaker) accountOf(caller);
    else if (!mayUse(caller, access.feature)) throw refuse(caller, access.feature);
  } else {
    for (const action of actionsOf(access)) demandAction(caller, action, access.kind);
  }
}

function read<S extends Shape>(shape: S, value: unknown, place: "body" | "path" | "query"): z.output<S> {
  const result = readAs(shape, value, place);
  if ("faults" in result) throw invalid(result.faults);
  return result.data;
}

/** For an API route without parameters. Pages ignore unknown ones, since other sites add parameters to their addresses. */
const NoQuery = z.strictObject({});

/** A parameter given once is a string; given several times, it is a list. The schema decides which it accepts. */
function queryOf(url: string, ignored: readonly string[] = []): Record<string, string | string[]> {
  const start = url.indexOf("?");
  if (start === -1) return {};
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(url.slice(start))) {
    // a schema that accepts any name would silently drop this one
    if (name === "__proto__") throw invalidAt(`query:${name}`, said("fault.parameter"));
    if (ignored.includes(name)) continue;
    const all = values.get(name);
    if (all) all.push(value);
    else values.set(name, [value]);
  }
  return Object.fromEntries([...values].map(([name, all]) => [name, all.length === 1 ? all[0]! : all]));
}

/** Reads and validates JSON. */
export async function readBody<S extends Shape>(
  c: Ctx,
  schema: S,
  {
    types = ["application/json"],
    limit = LARGEST_JSON,
    optional = false,
  }: { types?: readonly string[]; limit?: number; optional?: boolean } = {},
): Promise<z.output<S>> {
  const bytes = optional ? await readBytes(c.req.raw, limit) : null;
  if (bytes?.length === 0) return read(schema, {}, "body");
  demandContentType(c.req.header("Content-Type"), types);
  return read(schema, parseJson(bytes ?? (await readBytes(c.req.raw, limit))), "body");
}
