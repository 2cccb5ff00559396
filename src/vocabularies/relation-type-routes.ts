/** /v1/relation-types: what links between records can mean. Visitors see the public ones. */
import { z } from "zod";
import { cachedJson, contentTag } from "../http/caching.ts";
import { type Api, accountOf, endpoint } from "../http/endpoint.ts";
import { wholeList } from "../http/list-envelope.ts";
import { below, ifMatch, oneJson, writtenJson } from "../http/resource-answers.ts";
import { currentSchema } from "../records/schema.ts";
import { maySeeRelationType } from "../records/visibility.ts";
import {
  RelationTypeDraftShape,
  RelationTypeListShape,
  RelationTypePatchShape,
  RelationTypeReplacementShape,
  RelationTypeShape,
  relationTypeJson,
} from "./relation-type-shape.ts";
import {
  changeRelationType,
  createRelationType,
  noRelationType,
  removeRelationType,
} from "./relation-type-write.ts";
import { merged, PATCH_TYPES } from "./shape.ts";

const NameParams = z.object({ name: z.string().openapi({ example: "created_by" }) });
const access = { feature: "schemas:manage" };
const answer = { description: "The relation type", schema: RelationTypeShape };

export function relationTypeRoutes(api: Api): void {
  readRoutes(api);
  writeRoutes(api);
}

function readRoutes(api: Api): void {
  const { sql } = api.services;

  endpoint(api, {
    method: "get",
    path: "/v1/relation-types",
    tag: "configuration",
    summary: "List the relation types",
    access: "public",
    answers: {
      200: { description: "Those that the caller may see", schema: RelationTypeListShape },
      304: { description: "Unchanged" },
    },
    async handle({ c, caller }) {
      const schema = await currentSchema(sql);
      const seen = [...schema.relationTypes.values()].filter((type) => maySeeRelationType(caller, type));
      const items = seen.map(relationTypeJson);
      return cachedJson(c, caller, wholeList(items), await contentTag(items, `${schema.version}-`));
    },
  });

  endpoint(api, {
    method: "get",
    path: "/v1/relation-types/{name}",
    tag: "configuration",
    summary: "Read a relation type",
    access: "public",
    params: NameParams,
    answers: { 200: answer, 304: { description: "Unchanged" } },
    problems: [404],
    async handle({ c, caller, params }) {
      const type = (await currentSchema(sql)).relationTypes.get(params.name);
      if (!type || !maySeeRelationType(caller, type)) throw noRelationType(params.name);
      return oneJson(c, caller, relationTypeJson(type));
    },
  });
}

function writeRoutes(api: Api): void {
  const { services } = api;

  endpoint(api, {
    method: "post",
    path: "/v1/relation-types",
    tag: "configuration",
    summary: "Create a relation type",
    access,
    body: { schema: RelationTypeDraftShape },
    answers: { 201: answer },
    problems: [409],
    async handle({ c, body }) {
      const type = await createRelationType(services, body);
      return writtenJson(c, relationTypeJson(type), below(c, type.name));
    },
  });

  endpoint(api, {
    method: "put",
    path: "/v1/relation-types/{name}",
    tag: "configuration",
    summary: "Replace a relation type",
    description:
      "Its name never changes. 409 when relations of this type would no longer fit its ends, or make a circle.",
    access,
    params: NameParams,
    body: { schema: RelationTypeReplacementShape },
    answers: { 200: answer },
    problems: [404, 409, 412],
    async handle({ c, caller, params, body }) {
      const type = await changeRelationType(services, accountOf(caller), params.name, ifMatch(c), () => body);
      return writtenJson(c, relationTypeJson(type));
    },
  });

  endpoint(api, {
    method: "patch",
    path: "/v1/relation-types/{name}",
    tag: "configuration",
    summary: "Change a relation type",
    description: "As for PUT, with what is left out as it was.",
    access,
    params: NameParams,
    body: { schema: RelationTypePatchShape, types: PATCH_TYPES },
    answers: { 200: answer },
    problems: [404, 409, 412],
    async handle({ c, caller, params, body }) {
      const type = await changeRelationType(services, accountOf(caller), params.name, ifMatch(c), (present) =>
        merged(RelationTypeReplacementShape, relationTypeJson(present), body),
      );
      return writtenJson(c, relationTypeJson(type));
    },
  });

  endpoint(api, {
    method: "delete",
    path: "/v1/relation-types/{name}",
    tag: "configuration",
    summary: "Delete a relation type",
    description: "409 while relations of this type exist.",
    access,
    params: NameParams,
    answers: { 204: { description: "Deleted" } },
    problems: [404, 409, 412],
    async handle({ c, params }) {
      await removeRelationType(services, params.name, ifMatch(c));
      return c.body(null, 204);
    },
  });
}
