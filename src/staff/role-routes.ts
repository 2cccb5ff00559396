/** /v1/roles: what each role may do with records and with the service (interface §5). */
import { z } from "zod";
import { cachedJson, contentTag } from "../http/caching.ts";
import { type Api, endpoint } from "../http/endpoint.ts";
import { wholeList } from "../http/list-envelope.ts";
import { below, ifMatch, oneJson, writtenJson } from "../http/resource-answers.ts";
import { merged, PATCH_TYPES } from "../vocabularies/shape.ts";
import { by } from "./actor.ts";
import {
  RoleDraftShape,
  RoleListShape,
  RolePatchShape,
  RoleReplacementShape,
  RoleShape,
  roleJson,
} from "./role-shape.ts";
import { listRoles } from "./role-store.ts";
import { changeRole, createRole, demandRole, removeRole } from "./role-write.ts";

const NameParams = z.object({ name: z.string().openapi({ example: "cataloger" }) });
const access = { feature: "users:manage" };
const answer = { description: "The role", schema: RoleShape };
const RULES =
  "Takes effect at the next request of every account. Nobody gives or takes what they may not do themselves (403); " +
  "the role superuser stays as it is (409).";

export function roleRoutes(api: Api): void {
  readRoutes(api);
  writeRoutes(api);
}

function readRoutes(api: Api): void {
  const { sql } = api.services;

  endpoint(api, {
    method: "get",
    path: "/v1/roles",
    tag: "staff",
    summary: "List the roles",
    access,
    answers: {
      200: { description: "All of them", schema: RoleListShape },
      304: { description: "Unchanged" },
    },
    async handle({ c, caller }) {
      const items = (await listRoles(sql)).map(roleJson);
      return cachedJson(c, caller, wholeList(items), await contentTag(items));
    },
  });

  endpoint(api, {
    method: "get",
    path: "/v1/roles/{name}",
    tag: "staff",
    summary: "Read a role",
    access,
    params: NameParams,
    answers: { 200: answer, 304: { description: "Unchanged" } },
    problems: [404],
    handle: async ({ c, caller, params }) => oneJson(c, caller, roleJson(await demandRole(sql, params.name))),
  });
}

function writeRoutes(api: Api): void {
  const { services } = api;

  endpoint(api, {
    method: "post",
    path: "/v1/roles",
    tag: "staff",
    summary: "Create a role",
    description: "Nobody gives what they may not do themselves (403).",
    access,
    body: { schema: RoleDraftShape },
    answers: { 201: answer },
    problems: [409],
    async handle({ c, body }) {
      const role = await createRole(services, by(c), body);
      return writtenJson(c, roleJson(role), below(c, role.name));
    },
  });

  endpoint(api, {
    method: "put",
    path: "/v1/roles/{name}",
    tag: "staff",
    summary: "Replace a role",
    description: `Its name never changes. ${RULES}`,
    access,
    params: NameParams,
    body: { schema: RoleReplacementShape },
    answers: { 200: answer },
    problems: [404, 409, 412],
    async handle({ c, params, body }) {
      const role = await changeRole(services, by(c), params.name, ifMatch(c), () => body);
      return writtenJson(c, roleJson(role));
    },
  });

  endpoint(api, {
    method: "patch",
    path: "/v1/roles/{name}",
    tag: "staff",
    summary: "Change a role",
    description: RULES,
    access,
    params: NameParams,
    body: { schema: RolePatchShape, types: PATCH_TYPES },
    answers: { 200: answer },
    problems: [404, 409, 412],
    async handle({ c, params, body }) {
      const role = await changeRole(services, by(c), params.name, ifMatch(c), (present) =>
        merged(RoleReplacementShape, roleJson(present), body),
      );
      return writtenJson(c, roleJson(role));
    },
  });

  endpoint(api, {
    method: "delete",
    path: "/v1/roles/{name}",
    tag: "staff",
    summary: "Delete a role",
    description: "409 while an account has it, and for superuser and admin.",
    access,
    params: NameParams,
    answers: { 204: { description: "Deleted" } },
    problems: [404, 409, 412],
    async handle({ c, params }) {
      await removeRole(services, by(c), params.name, ifMatch(c));
      return c.body(null, 204);
    },
  });
}
