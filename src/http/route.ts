/** What a route is made of: its address, who may call it, what it takes and gives; and what every request carries. */
import type { Context } from "hono";
import type { z } from "zod";
import type { Caller, PageSession, RecordAction } from "../caller.ts";
import type { RouteMeter } from "./meter.ts";

/** Headers of every answer to a request, by their usual spelling. */
export type Head = Record<string, string>;

/**
 * `remote`: the address of the connection, from the runtime. `client`: who is behind it (`client.ts`). `head`, `whole`:
 * what every answer says, and the answer that says it already (`answer.ts`). `size`: of its text, where it is known. `meter`: of the route. `pageSession`: by
 * which the caller is known, if it is by the cookie of the pages.
 */
export type Env = {
  Bindings: { remote?: string };
  Variables: {
    caller: Caller;
    pageSession?: PageSession;
    requestId: string;
    client: string;
    head: Head;
    whole?: Response;
    size?: number;
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
  /** `orMaker`: the route itself lets in who made what is asked for, and nobody else without the feature. */
  | { feature: string; orMaker?: true };

type Answer = {
  description: string;
  schema?: z.ZodType;
  /** Media type; application/json when there is a schema. */
  type?: string;
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
    /** The media type of `produces` that suits the caller best; empty when there is none to choose from. */
    type: string;
  }): Response | Promise<Response>;
  /** A page for people: it is not part of the API, so its description leaves it out. */
  page?: true;
};
