/** The types of a route (address, access, input, output) and of the variables of a request; matching of paths. */
import type { Context } from "hono";
import { TrieRouter } from "hono/router/trie-router";
import type { z } from "zod";
import type { Caller, PageSession, RecordAction } from "../caller.ts";
import type { Problem } from "../problem.ts";
import type { RouteMeter } from "./meter.ts";

/** The common headers of the answer to this request, in their usual spelling. */
export type Head = Record<string, string>;

/**
 * `remote`: the address of the connection, from the runtime. `client`: the address behind it (`client.ts`). `head`: the common
 * headers. `whole`: the answer, if it already has them (`answer.ts`). `size`: the bytes of its text, if known. `meter`: the
 * counters of the route. `pageSession`: the session of the pages' cookie, if it identified the caller.
 */
export type Env = {
  Bindings: { remote?: string };
  Variables: {
    caller: Caller;
    pageSession?: PageSession;
    requestId: string;
    /** Why the request was refused, for the page that says so. */
    problem?: Problem;
    client: string;
    head: Head;
    whole?: Response;
    size?: number;
    meter?: RouteMeter;
  };
};
export type Ctx = Context<Env>;

/**
 * `public`: anybody; visibility limits the answer. `account`: anybody signed in. `self`: anybody signed in, even
 * while the password must be changed.
 */
export type Access =
  | "public"
  | "account"
  | "self"
  /** `also`: a second action that the caller must be allowed. */
  | { action: RecordAction; also?: RecordAction; kind: string }
  /** `orMaker`: whoever created the resource does not need the feature; the route checks that itself. */
  | { feature: string; orMaker?: true };

export const actionsOf = ({ action, also }: Extract<Access, { action: unknown }>): RecordAction[] =>
  also === undefined ? [action] : [action, also];

type Answer = {
  description: string;
  schema?: z.ZodType;
  /** Media types; `produces` by default. The schema describes the first. */
  type?: string | readonly string[];
};

export type Shape = z.ZodType;
export type Read<S> = S extends z.ZodType ? z.output<S> : undefined;

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
  /** `anybody`: pages of every origin may read the answer, without credentials. Otherwise only those of CORS_ORIGINS may. */
  crossOrigin?: "anybody";
  params?: P;
  query?: Q;
  /** Query parameters that mean nothing for this caller; their values are not checked. */
  ignored?(caller: Caller): readonly string[];
  body?: {
    schema: B;
    /** Accepted media types; application/json by default. */
    types?: readonly string[];
    /** A form that is also accepted. */
    form?: Shape;
    /** The handler reads the body itself. */
    streamed?: boolean;
    limit?: number;
    /** Whether an empty body means `{}`. */
    optional?: boolean;
  };
  /** Possible media types of the answer; default application/json. Empty: the same answer for any Accept, never 406. */
  produces?: readonly string[];
  answers: Record<number, Answer>;
  /** Error statuses of this route, beyond those that every route has. */
  problems?: readonly number[];
  handle(input: {
    c: Ctx;
    caller: Caller;
    params: Read<P>;
    query: Read<Q>;
    body: Read<B>;
    /** The best media type of `produces` for the caller; empty if `produces` is empty. */
    type: string;
  }): Response | Promise<Response>;
  /** A page for people: not part of the API description. */
  page?: true;
};

/** `/v1/users/{id}` as Hono writes it. */
export const honoPath = (path: string): string => path.replace(/\{(\w+)\}/g, ":$1");

/** A router that returns the paths of the routes that match. */
export function routerOf(routes: readonly { method: string; path: string }[]): TrieRouter<string> {
  const router = new TrieRouter<string>();
  for (const { method, path } of routes) router.add(method, honoPath(path), path);
  return router;
}

/** The number of placeholders. If two paths match, the one with fewer is meant: `/v1/objects/bulk` is no object. */
export const countPlaceholders = (path: string): number => path.split("{").length - 1;
