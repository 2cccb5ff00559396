/**
 * One route: its address, who may call it, what it takes and gives. The schemas that validate a request are the ones
 * that describe it (OpenAPI 3.1), and no route can be added without saying who may call it.
 */
import type { OpenAPIRegistry, RouteConfig } from "@asteasolutions/zod-to-openapi";
import type { Context, Hono } from "hono";
import { z } from "zod";
import { type Account, type Caller, mayDo, mayUse, type RecordAction, refuse } from "../accounts/caller.ts";
import { invalid, Problem } from "../problem.ts";
import type { Services } from "../services.ts";
import type { Head } from "./answer.ts";
import { demandContentType, LARGEST_JSON, parseJson, readBytes } from "./body.ts";
import { readAs } from "./faults.ts";
import { type Meter, meterRoute, type RouteMeter } from "./meter.ts";
import { negotiate } from "./negotiate.ts";
import { operationId } from "./operation-id.ts";

/**
 * `remote`: the address of the connection, from the runtime. `client`: who is behind it (`client.ts`). `head`, `whole`:
 * what every answer says, and the answer that says it already (`answer.ts`). `meter`: of the route.
 */
export type Env = {
  Bindings: { remote?: string };
  Variables: {
    caller: Caller;
    requestId: string;
    client: string;
    head: Head;
    whole?: Response;
    meter?: RouteMeter;
  };
};
export type Ctx = Context<Env>;

/**
 * `public`: anybody, visibility decides what is seen. `account`: anybody signed in. `self`: anybody signed in, even
 * while the password must be changed.
 */
export type Access =
  | "public"
  | "account"
  | "self"
  | { action: RecordAction; kind: string }
  | { feature: string };

type Answer = {
  description: string;
  schema?: z.ZodType;
  /** Media type; application/json when there is a schema. */
  type?: string;
};

type Shape = z.ZodType;
type Read<S> = S extends z.ZodType ? z.output<S> : undefined;

export type Endpoint<
  P extends Shape | undefined,
  Q extends Shape | undefined,
  B extends Shape | undefined,
> = {
  method: "get" | "post" | "put" | "patch" | "delete";
  path: string;
  tag: string;
  summary: string;
  description?: string;
  access: Access;
  /** `anybody`: pages of every origin may read the answer, without credentials; else those of CORS_ORIGINS may. */
  crossOrigin?: "anybody";
  params?: P;
  query?: Q;
  body?: {
    schema: B;
    /** Accepted media types; application/json. */
    types?: readonly string[];
    /** The handler reads the stream itself. */
    streamed?: boolean;
    limit?: number;
    /** Whether no body is as good as `{}`. */
    optional?: boolean;
  };
  /** Media types that the answer can have; application/json. Empty: the same answer whatever is asked for, never 406. */
  produces?: readonly string[];
  answers: Record<number, Answer>;
  /** Statuses of the problems that callers should expect beside those every route has. */
  problems?: readonly number[];
  handle(input: {
    c: Ctx;
    caller: Caller;
    params: Read<P>;
    query: Read<Q>;
    body: Read<B>;
  }): Response | Promise<Response>;
};

export type Api = {
  services: Services;
  app: Hono<Env>;
  registry: OpenAPIRegistry;
  /** Every route with its access, for the permission table and for 405. */
  routes: { method: string; path: string; access: Access; crossOrigin?: "anybody" | undefined }[];
  meter: Meter;
};

export const ProblemShape = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string(),
    errors: z.array(z.object({ pointer: z.string(), detail: z.string() })).optional(),
  })
  .openapi("Problem", { description: "RFC 9457 problem details" });

export function endpoint<
  P extends Shape | undefined = undefined,
  Q extends Shape | undefined = undefined,
  B extends Shape | undefined = undefined,
>(api: Api, route: Endpoint<P, Q, B>): void {
  const path = route.path.replace(/\{(\w+)\}/g, ":$1");
  const produces = route.produces ?? ["application/json"];
  const { access, crossOrigin } = route;
  const method = route.method.toUpperCase();
  api.routes.push({ method, path: route.path, access, crossOrigin });
  api.registry.registerPath(description(route, produces));
  const meter = meterRoute(api.meter, method, route.path);
  api.app.on(method, path, async (c) => {
    c.set("meter", meter);
    const caller = c.get("caller");
    demandAccess(caller, route.access);
    if (produces.length > 0 && negotiate(c.req.header("Accept"), produces) === null) {
      throw new Problem("not_acceptable", `This address answers with ${produces.join(" or ")}`);
    }
    const params = route.params ? read(route.params, c.req.param(), "path") : undefined;
    const query = read(route.query ?? NoQuery, queryOf(c.req.url), "query");
    const body = route.body && !route.body.streamed ? await readBody(c, route.body) : undefined;
    return route.handle({
      c,
      caller,
      params: params as Read<P>,
      query: query as Read<Q>,
      body: body as Read<B>,
    });
  });
}

/** The account that is asking, on routes whose access says that there is one. */
export function accountOf(caller: Caller): Account {
  if (caller.kind !== "account") throw refuse(caller, "an account");
  return caller;
}

function demandAccess(caller: Caller, access: Access): void {
  if (access === "self") {
    accountOf(caller);
    return;
  }
  if (caller.kind === "account" && caller.mustChangePassword) {
    throw new Problem(
      "forbidden",
      "The password of this account must be changed first: POST /v1/auth/password with current_password and new_password",
    );
  }
  if (access === "public") return;
  if (access === "account") accountOf(caller);
  else if ("feature" in access) {
    if (!mayUse(caller, access.feature)) throw refuse(caller, access.feature);
  } else if (!mayDo(caller, access.action, access.kind)) {
    throw refuse(caller, `records:${access.action} for ${access.kind}`);
  }
}

function read(shape: z.ZodType, value: unknown, place: "body" | "path" | "query"): unknown {
  const result = readAs(shape, value, place);
  if ("faults" in result) throw invalid(result.faults);
  return result.data;
}

/** Of a route that takes no parameters. */
const NoQuery = z.strictObject({});

/** A parameter given once is a string, given more often a list; schemas say which they take. */
function queryOf(url: string): Record<string, string | string[]> {
  const start = url.indexOf("?");
  if (start === -1) return {};
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(url.slice(start))) {
    // schemas that take further names would pass over this one in silence
    if (name === "__proto__")
      throw invalid([{ pointer: `query:${name}`, detail: "is no parameter of this address" }]);
    const all = values.get(name);
    if (all) all.push(value);
    else values.set(name, [value]);
  }
  return Object.fromEntries([...values].map(([name, all]) => [name, all.length === 1 ? all[0]! : all]));
}

async function readBody(
  c: Ctx,
  body:
    | NonNullable<Endpoint<undefined, undefined, Shape>["body"]>
    | { schema: Shape | undefined; types?: readonly string[]; limit?: number; optional?: boolean },
): Promise<unknown> {
  const limit = body.limit ?? LARGEST_JSON;
  const types = body.types ?? ["application/json"];
  const whole = body.optional ? await readBytes(c.req.raw, limit) : null;
  if (whole?.length === 0) return read(body.schema!, {}, "body");
  demandContentType(c.req.header("Content-Type"), types);
  const value = parseJson(whole ?? (await readBytes(c.req.raw, limit)));
  return read(body.schema!, value, "body");
}

function description(
  route: Endpoint<Shape | undefined, Shape | undefined, Shape | undefined>,
  produces: readonly string[],
): RouteConfig {
  const problems = new Set([400, 401, 422, 429, 500, ...(route.problems ?? [])]);
  if (produces.length > 0) problems.add(406);
  if (route.access !== "public") problems.add(403);
  if (route.body) for (const status of [413, 415]) problems.add(status);
  const responses: RouteConfig["responses"] = {};
  for (const [status, answer] of Object.entries(route.answers)) {
    const type = answer.type ?? produces[0] ?? "application/json";
    responses[status] = {
      description: answer.description,
      ...(answer.schema ? { content: { [type]: { schema: answer.schema } } } : {}),
    };
  }
  for (const status of [...problems].sort()) {
    responses[status] = { $ref: `#/components/responses/Problem${status}` };
  }
  const types = route.body?.types ?? ["application/json"];
  return {
    method: route.method,
    path: route.path,
    tags: [route.tag],
    operationId: operationId(route.method, route.path),
    summary: route.summary,
    ...(route.description ? { description: route.description } : {}),
    security: [...(route.access === "public" ? [{}] : []), { bearer: [] }, { apiKey: [] }],
    "x-access": typeof route.access === "string" ? route.access : accessName(route.access),
    ...(takesMore(route.query) ? { parameters: [MORE] } : {}),
    request: {
      ...(route.params ? { params: route.params as never } : {}),
      ...(route.query ? { query: route.query as never } : {}),
      ...(route.body?.schema
        ? {
            body: {
              required: !route.body.optional,
              content: Object.fromEntries(types.map((type) => [type, { schema: route.body!.schema! }])),
            },
          }
        : {}),
    },
    responses,
  };
}

function accessName(access: { action: RecordAction; kind: string } | { feature: string }): string {
  return "feature" in access ? access.feature : `records:${access.action} ${access.kind}`;
}

/** Whether the query has parameters whose names the installation decides. */
function takesMore(query: Shape | undefined): boolean {
  const rest = query instanceof z.ZodObject ? query.def.catchall : undefined;
  return rest !== undefined && !(rest instanceof z.ZodNever);
}

const MORE = {
  name: "filters",
  in: "query",
  style: "form",
  explode: true,
  description: "Parameters named by the installation's fields, each by its own name: see above",
  schema: { type: "object", additionalProperties: { type: "string" } },
  // so that trying the route out sends none
  example: {},
} as const;

/** What each problem means; `openapi.ts` describes each once. */
export const PROBLEM_WORDS: Record<number, string> = {
  400: "The request is malformed",
  401: "Credentials are missing or not valid",
  403: "The caller lacks the permission",
  404: "There is no such thing, or the caller may not see it",
  406: "None of the media types asked for can be given",
  409: "In conflict with what is there",
  410: "A public record that was deleted",
  412: "The record was changed by somebody else",
  413: "The body is too large",
  415: "The body has a media type that is not taken here",
  422: "Not valid; every fault is listed",
  429: "Too many requests; Retry-After says when to ask again",
  500: "Internal error",
  502: "A source of others, which was asked for this, is down",
  503: "A dependency is down",
};
