/** /v1/users: accounts, for administrators (interface §5). */
import { z } from "zod";
import { below, ifMatch, writtenJson } from "../http/answer/resource-answers.ts";
import { type Api, endpoint, requesterOf } from "../http/endpoint.ts";
import { PATCH_TYPES } from "../http/request/body.ts";
import { IdShape } from "../records/shape.ts";
import { configurationResource, NoParams } from "../vocabularies/configuration-resource.ts";
import { STAFF } from "./actor.ts";
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

export function userRoutes(api: Api): void {
  const { services } = api;
  const { sql } = services;
  const list = { path: "/v1/users", params: NoParams };
  const one = { path: "/v1/users/{id}", params: z.object({ id: IdShape }) };
  const answer = { description: "The account", schema: UserShape };
  const users = configurationResource(api, { ...STAFF, list, one, answer, json: userJson });

  users.pages({
    summary: "List the accounts",
    description: "Sorted by address. Link headers (RFC 8288) give first, prev, next and last.",
    query: UserQuery,
    schema: UserListShape,
    async find({ query: { disabled, ...query } }, page) {
      const filter = { ...query, ...(disabled === undefined ? {} : { disabled: disabled === "true" }) };
      return { total: await countUsers(sql, filter), rows: await listUsers(sql, filter, page) };
    },
  });

  users.get({ summary: "Read an account", find: ({ params }) => demandUser(sql, params.id) });

  // the answer also contains the first password
  endpoint(api, {
    ...list,
    method: "post",
    tag: STAFF.tag,
    summary: "Create an account",
    description:
      "With a given password, or with a generated one that only this answer shows; it must be changed at the first sign-in. " +
      "You cannot give a role with permissions that you do not have, and only a superuser can create superusers (403).",
    access: STAFF.access.write,
    body: { schema: UserDraftShape },
    answers: { 201: { description: "The account", schema: NewUserShape } },
    problems: [409],
    async handle({ c, body }) {
      const { user, password } = await createUser(services, requesterOf(c), body);
      const json = userJson(user);
      const { headers } = await writtenJson(c, json, below(c, user.id));
      const shown = password === null ? json : { ...json, password };
      return new Response(JSON.stringify(shown), { status: 201, headers });
    },
  });

  // no PUT, because a password cannot be read and sent back
  endpoint(api, {
    ...one,
    method: "patch",
    tag: STAFF.tag,
    summary: "Change an account",
    description:
      "A new role, a new password and disabling end all sessions of the account at once. You cannot change an account that has " +
      "permissions that you do not have, or give it such a role (403), nor change the role of the last superuser who can sign in (409).",
    access: STAFF.access.write,
    body: { schema: UserChangeShape, types: PATCH_TYPES },
    answers: { 200: answer },
    problems: [404, 409, 412],
    async handle({ c, params, body }) {
      return writtenJson(
        c,
        userJson(await changeUser(services, requesterOf(c), params.id, ifMatch(c), body)),
      );
    },
  });

  users.remove({
    summary: "Delete an account",
    description:
      "409 if the history of records names it, since that must stay readable: disable the account instead. Its changes to " +
      "other accounts stay in the security events, under its id.",
    remove: ({ c, params }, expected) => removeUser(services, requesterOf(c), params.id, expected),
  });
}
