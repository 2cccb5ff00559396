/** /v1/subtypes: what kinds of objects, entities, … there are. Beside /v1/schemas, where their names would meet fields. */
import { z } from "zod";
import { cachedJson, contentTag } from "../http/caching.ts";
import { type Api, endpoint } from "../http/endpoint.ts";
import { wholeList } from "../http/list-envelope.ts";
import { ifMatch, oneJson, writtenJson } from "../http/resource-answers.ts";
import type { Kind } from "../records/kinds.ts";
import { currentSchema, type Subtype } from "../records/schema.ts";
import { demandKind, demandReadable, TypeParams } from "./record-type.ts";
import { SubtypeListShape, SubtypeReplacementShape, SubtypeShape, subtypeJson } from "./subtype-shape.ts";
import { noSubtype, putSubtype, removeSubtype } from "./subtype-write.ts";

const SubtypeParams = TypeParams.extend({ name: z.string().openapi({ example: "painting" }) });
const access = { feature: "schemas:manage" };
const answer = { description: "The subtype", schema: SubtypeShape };

export function subtypeRoutes(api: Api): void {
  const { services } = api;
  const subtypesOf = async (kind: Kind): Promise<Subtype[]> => [
    ...((await currentSchema(services.sql)).subtypes.get(kind)?.values() ?? []),
  ];

  endpoint(api, {
    method: "get",
    path: "/v1/subtypes/{type}",
    tag: "configuration",
    summary: "List the subtypes of a record type",
    access: "public",
    params: TypeParams,
    answers: {
      200: { description: "The subtypes", schema: SubtypeListShape },
      304: { description: "Unchanged" },
    },
    problems: [404],
    async handle({ c, caller, params }) {
      const items = (await subtypesOf(demandReadable(caller, params.type))).map(subtypeJson);
      return cachedJson(c, caller, wholeList(items), await contentTag(items));
    },
  });

  endpoint(api, {
    method: "get",
    path: "/v1/subtypes/{type}/{name}",
    tag: "configuration",
    summary: "Read a subtype",
    access: "public",
    params: SubtypeParams,
    answers: { 200: answer, 304: { description: "Unchanged" } },
    problems: [404],
    async handle({ c, caller, params }) {
      const kind = demandReadable(caller, params.type);
      const subtype = (await subtypesOf(kind)).find(({ name }) => name === params.name);
      if (!subtype) throw noSubtype(kind, params.name);
      return oneJson(c, caller, subtypeJson(subtype));
    },
  });

  endpoint(api, {
    method: "put",
    path: "/v1/subtypes/{type}/{name}",
    tag: "configuration",
    summary: "Create or replace a subtype",
    description: "The new default of a record type takes the place of the old one.",
    access,
    params: SubtypeParams,
    body: { schema: SubtypeReplacementShape },
    answers: { 200: answer, 201: answer },
    problems: [404, 412],
    async handle({ c, params, body }) {
      const kind = demandKind(params.type);
      const { subtype, created } = await putSubtype(services, kind, params.name, body, ifMatch(c));
      return writtenJson(c, subtypeJson(subtype), created ? { at: new URL(c.req.url).pathname } : undefined);
    },
  });

  endpoint(api, {
    method: "delete",
    path: "/v1/subtypes/{type}/{name}",
    tag: "configuration",
    summary: "Delete a subtype",
    description: "409 while records have it, also those in the trash, and when it is the last one.",
    access,
    params: SubtypeParams,
    answers: { 204: { description: "Deleted" } },
    problems: [404, 409, 412],
    async handle({ c, params }) {
      await removeSubtype(services, demandKind(params.type), params.name, ifMatch(c));
      return c.body(null, 204);
    },
  });
}
