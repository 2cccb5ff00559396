/** /v1/users: the accounts, for whoever administers them (interface §5). */
import { z } from "zod";
import { cachedJson, contentTag } from "../http/caching.ts";
import { type Api, endpoint } from "../http/endpoint.ts";
import { below, ifMatch, oneJson, pageLinks, writtenJson } from "../http/resource-answers.ts";
import { IdShape } from "../records/shape.ts";
import { PATCH_TYPES } from "../vocabularies/shape.ts";
import { by } from "./actor.ts";
import {
  NewUserShape,
  UserChangeShape,
  UserDraftShape,
  UserListShape,
  UserQuery,
  UserShape,
  userJson,
} from "./user-shape.ts";
import { countUsers, listUsers } from "./user-store.ts";
import { changeUser, createUser, demandUser, removeUser } from "./user-write.ts";

const IdParams = z.object({ id: IdShape });
const access = { feature: "users:manage" };
const answer = { description: "The account", schema: UserShape };

export function userRoutes(api: Api): void {
  readRoutes(api);
  writeRoutes(api);
}

function readRoutes(api: Api): void {
  const { sql } = api.services;

  endpoint(api, {
    method: "get",
    path: "/v1/users",
    tag: "staff",
    summary: "List the accounts",
    description: "By address. Link headers (RFC 8288) give first, prev, next and last.",
    access,
    query: UserQuery,
    answers: { 200: { description: "A page", schema: UserListShape }, 304: { description: "Unchanged" } },
    async handle({ c, caller, query }) {
      const { page, page_size, disabled, ...rest } = query;
      const filter = { ...rest, ...(disabled === undefined ? {} : { disabled: disabled === "true" }) };
      const total = await countUsers(sql, filter);
      const rows = await listUsers(sql, filter, { limit: page_size, offset: (page - 1) * page_size });
      const body = { total, page, page_size, items: rows.map(userJson) };
      const link = pageLinks(c, body);
      return cachedJson(c, caller, body, await contentTag([body, link]), { link });
    },
  });

  endpoint(api, {
    method: "get",
    path: "/v1/users/{id}",
    tag: "staff",
    summary: "Read an account",
    access,
    params: IdParams,
    answers: { 200: answer, 304: { description: "Unchanged" } },
    problems: [404],
    handle: async ({ c, caller, params }) => oneJson(c, caller, userJson(await demandUser(sql, params.id))),
  });
}

function writeRoutes(api: Api): void {
  const { services } = api;

  endpoint(api, {
    method: "post",
    path: "/v1/users",
    tag: "staff",
    summary: "Create an account",
    description:
      "With a password, or with one that is made up and shown in this answer only; it must be changed at the first login. " +
      "Nobody gives a role that permits more than they may themselves, and only a superuser makes superusers (403).",
    access,
    body: { schema: UserDraftShape },
    answers: { 201: { description: "The account", schema: NewUserShape } },
    problems: [409],
    async handle({ c, body }) {
      const { user, password } = await createUser(services, by(c), body);
      const json = userJson(user);
      const { headers } = await writtenJson(c, json, below(c, user.id));
      const shown = password === null ? json : { ...json, password };
      return new Response(JSON.stringify(shown), { status: 201, headers });
    },
  });

  endpoint(api, {
    method: "patch",
    path: "/v1/users/{id}",
    tag: "staff",
    summary: "Change an account",
    description:
      "A new role, a password and disabling end all sessions of the account at once. Nobody changes an account that may " +
      "do more than they may themselves, or gives it such a role (403); the last superuser who can sign in stays one (409).",
    access,
    params: IdParams,
    body: { schema: UserChangeShape, types: PATCH_TYPES },
    answers: { 200: answer },
    problems: [404, 409, 412],
    async handle({ c, params, body }) {
      return writtenJson(c, userJson(await changeUser(services, by(c), params.id, ifMatch(c), body)));
    },
  });

  endpoint(api, {
    method: "delete",
    path: "/v1/users/{id}",
    tag: "staff",
    summary: "Delete an account",
    description:
      "409 when the history of records names it, which must go on saying who it was: disable it instead. What it did to " +
      "other accounts stays in the security events, under its id.",
    access,
    params: IdParams,
    answers: { 204: { description: "Deleted" } },
    problems: [404, 409, 412],
    async handle({ c, params }) {
      await removeUser(services, by(c), params.id, ifMatch(c));
      return c.body(null, 204);
    },
  });
}
