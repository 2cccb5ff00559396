/**
 * Routes that the resources of the configuration have in common: a list, and below it single resources that are read,
 * created, replaced, patched and deleted. A room says what it is about and what happens; who may, ETag, `If-Match`, status
 * and OpenAPI follow from here. Where a resource differs, its room declares an `endpoint` of its own.
 */
import { z } from "zod";
import type { Caller } from "../caller.ts";
import { cachedJson, contentTag } from "../http/answer/caching.ts";
import { rangeOf, wholeList } from "../http/answer/list-envelope.ts";
import {
  below,
  type Expected,
  ifMatch,
  oneJson,
  pageLinks,
  writtenJson,
} from "../http/answer/resource-answers.ts";
import { type Api, type Ctx, endpoint } from "../http/endpoint.ts";
import { PATCH_TYPES } from "../http/request/body.ts";
import type { Access, Read } from "../http/route.ts";
import { merged } from "./shape.ts";

type Words = { summary: string; description?: string; problems?: readonly number[] };
type HandlerInput<P> = { c: Ctx; caller: Caller; params: Read<P> };
type Place<P> = { path: string; params: P };
type Answer = { description: string; schema: z.ZodType };

type Resource<Row, L, P> = {
  tag: string;
  /** The address of the list, and that of one resource. */
  list: Place<L>;
  one: Place<P>;
  access: { read: Access; write: Access };
  answer: Answer;
  json(row: Row): object;
};

/** Problems of a change: not there, in conflict with what is there, changed by somebody else. */
const CHANGED = [404, 409, 412];
const UNCHANGED = { 304: { description: "Unchanged" } };

/** Fields, vocabularies, …: everybody reads what they may see of them. */
export const CONFIGURATION = {
  tag: "configuration",
  access: { read: "public", write: { feature: "schemas:manage" } },
} as const;

/** For a list whose address has no parameters. */
export const NoParams = z.object({});

export function configurationResource<Row, L extends z.ZodType, P extends z.ZodType>(
  api: Api,
  { tag, list, one, access, answer, json }: Resource<Row, L, P>,
) {
  const toRead = { tag, method: "get", access: access.read } as const;
  const toWrite = { tag, access: access.write };

  return {
    /** A list that comes whole. */
    list(route: Words & { answer: Answer; find(asked: HandlerInput<L>): Promise<readonly Row[]> }): void {
      const { answer: all, find, ...words } = route;
      endpoint(api, {
        ...toRead,
        ...list,
        ...words,
        answers: { 200: all, ...UNCHANGED },
        async handle(asked) {
          const items = (await find(asked)).map(json);
          return cachedJson(asked.c, asked.caller, wholeList(items), await contentTag(items));
        },
      });
    },

    /** A list that comes in pages. */
    pages<Q extends z.ZodType<{ page: number; page_size: number }>>(
      route: Words & {
        query: Q;
        schema: z.ZodType;
        find(
          asked: HandlerInput<L> & { query: Read<Q> },
          page: { limit: number; offset: number },
        ): Promise<{ total: number; rows: readonly Row[] }>;
      },
    ): void {
      const { query: shape, schema, find, ...words } = route;
      endpoint(api, {
        ...toRead,
        ...list,
        ...words,
        query: shape,
        answers: { 200: { description: "A page", schema }, ...UNCHANGED },
        async handle({ c, caller, params, query }) {
          const { page, page_size } = query;
          const { total, rows } = await find({ c, caller, params, query }, rangeOf(query));
          const body = { total, page, page_size, items: rows.map(json) };
          const link = pageLinks(c, body);
          return cachedJson(c, caller, body, await contentTag([body, link]), { link });
        },
      });
    },

    get({ find, ...words }: Words & { find(asked: HandlerInput<P>): Promise<Row> }): void {
      endpoint(api, {
        ...toRead,
        ...one,
        problems: [404],
        ...words,
        answers: { 200: answer, ...UNCHANGED },
        handle: async (asked) => oneJson(asked.c, asked.caller, json(await find(asked))),
      });
    },

    /** POST to the list; `name` ends the new address. */
    create<D extends z.ZodType>(
      route: Words & {
        body: D;
        name(row: Row): string;
        create(asked: HandlerInput<L> & { body: Read<D> }): Promise<Row>;
      },
    ): void {
      const { body: schema, name, create, ...words } = route;
      endpoint(api, {
        method: "post",
        ...toWrite,
        ...list,
        ...words,
        body: { schema },
        answers: { 201: answer },
        async handle(asked) {
          const row = await create(asked);
          return writtenJson(asked.c, json(row), below(asked.c, name(row)));
        },
      });
    },

    /** PUT, and PATCH with what PUT takes: both make the new state from the current one. */
    change<R extends z.ZodType>(route: {
      put: Words;
      patch: Words;
      body: R;
      patchBody: z.ZodType<Record<string, unknown>>;
      change(asked: HandlerInput<P>, expected: Expected, edit: (current: Row) => Read<R>): Promise<Row>;
    }): void {
      const { put, patch, body: schema, patchBody, change } = route;
      endpoint(api, {
        method: "put",
        ...toWrite,
        ...one,
        problems: CHANGED,
        ...put,
        body: { schema },
        answers: { 200: answer },
        handle: async ({ body, ...asked }) =>
          writtenJson(asked.c, json(await change(asked, ifMatch(asked.c), () => body))),
      });
      endpoint(api, {
        method: "patch",
        ...toWrite,
        ...one,
        problems: CHANGED,
        ...patch,
        body: { schema: patchBody, types: PATCH_TYPES },
        answers: { 200: answer },
        async handle({ body, ...asked }) {
          const edit = (current: Row) => merged(schema, json(current), body);
          return writtenJson(asked.c, json(await change(asked, ifMatch(asked.c), edit)));
        },
      });
    },

    remove({
      remove,
      ...words
    }: Words & { remove(asked: HandlerInput<P>, expected: Expected): Promise<void> }): void {
      endpoint(api, {
        method: "delete",
        ...toWrite,
        ...one,
        problems: CHANGED,
        ...words,
        answers: { 204: { description: "Deleted" } },
        async handle(asked) {
          await remove(asked, ifMatch(asked.c));
          return asked.c.body(null, 204);
        },
      });
    },
  };
}
