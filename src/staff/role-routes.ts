/** /v1/roles: what each role may do with records and with the service (interface §5). */
import { z } from "zod";
import { type Api, requesterOf } from "../http/endpoint.ts";
import { configurationResource, NoParams } from "../vocabularies/configuration-resource.ts";
import { STAFF } from "./actor.ts";
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

const RULES =
  "Takes effect at the next request of every account. You cannot grant or withdraw permissions that you do not have (403); " +
  "the role superuser cannot be changed (409).";

export function roleRoutes(api: Api): void {
  const { services } = api;
  const roles = configurationResource(api, {
    ...STAFF,
    list: { path: "/v1/roles", params: NoParams },
    one: {
      path: "/v1/roles/{name}",
      params: z.object({ name: z.string().openapi({ example: "cataloger" }) }),
    },
    answer: { description: "The role", schema: RoleShape },
    json: roleJson,
  });

  roles.list({
    summary: "List the roles",
    answer: { description: "All of them", schema: RoleListShape },
    find: () => listRoles(services.sql),
  });

  roles.get({ summary: "Read a role", find: ({ params }) => demandRole(services.sql, params.name) });

  roles.create({
    summary: "Create a role",
    description: "You cannot grant permissions that you do not have (403).",
    body: RoleDraftShape,
    problems: [409],
    name: ({ name }) => name,
    create: ({ c, body }) => createRole(services, requesterOf(c), body),
  });

  roles.change({
    put: { summary: "Replace a role", description: `The name cannot be changed. ${RULES}` },
    patch: { summary: "Change a role", description: RULES },
    body: RoleReplacementShape,
    patchBody: RolePatchShape,
    change: ({ c, params }, expected, edit) =>
      changeRole(services, requesterOf(c), params.name, expected, edit),
  });

  roles.remove({
    summary: "Delete a role",
    description: "409 if an account has it, and for superuser and admin.",
    remove: ({ c, params }, expected) => removeRole(services, requesterOf(c), params.name, expected),
  });
}
