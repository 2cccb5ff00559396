/** /v1/relation-types: what links between records can mean. Visitors see the public ones. */
import { z } from "zod";
import { type Api, accountOf } from "../../http/endpoint.ts";
import { currentSchema } from "../../records/schema.ts";
import { maySeeRelationType } from "../../records/visibility.ts";
import { CONFIGURATION, configurationResource, NoParams } from "../configuration-resource.ts";
import {
  RelationTypeDraftShape,
  RelationTypeListShape,
  RelationTypePatchShape,
  RelationTypeReplacementShape,
  RelationTypeShape,
  relationTypeJson,
} from "./shape.ts";
import { changeRelationType, createRelationType, noRelationType, removeRelationType } from "./write.ts";

export function relationTypeRoutes(api: Api): void {
  const { services } = api;
  const { sql } = services;
  const relationTypes = configurationResource(api, {
    ...CONFIGURATION,
    list: { path: "/v1/relation-types", params: NoParams },
    one: {
      path: "/v1/relation-types/{name}",
      params: z.object({ name: z.string().openapi({ example: "created_by" }) }),
    },
    answer: { description: "The relation type", schema: RelationTypeShape },
    json: relationTypeJson,
  });

  relationTypes.list({
    summary: "List the relation types",
    answer: { description: "The relation types that the caller may see", schema: RelationTypeListShape },
    async find({ caller }) {
      const all = [...(await currentSchema(sql)).relationTypes.values()];
      return all.filter((type) => maySeeRelationType(caller, type));
    },
  });

  relationTypes.get({
    summary: "Read a relation type",
    async find({ caller, params }) {
      const type = (await currentSchema(sql)).relationTypes.get(params.name);
      if (!type || !maySeeRelationType(caller, type)) throw noRelationType(params.name);
      return type;
    },
  });

  relationTypes.create({
    summary: "Create a relation type",
    body: RelationTypeDraftShape,
    problems: [409],
    name: ({ name }) => name,
    create: ({ body }) => createRelationType(services, body),
  });

  relationTypes.change({
    put: {
      summary: "Replace a relation type",
      description:
        "The name cannot be changed. 409 if relations of this type would no longer fit its ends, or form a circle.",
    },
    patch: {
      summary: "Change a relation type",
      description: "As for PUT; members that are left out do not change.",
    },
    body: RelationTypeReplacementShape,
    patchBody: RelationTypePatchShape,
    change: ({ caller, params }, expected, edit) =>
      changeRelationType(services, accountOf(caller), params.name, expected, edit),
  });

  relationTypes.remove({
    summary: "Delete a relation type",
    description: "409 if relations of this type exist.",
    remove: ({ params }, expected) => removeRelationType(services, params.name, expected),
  });
}
