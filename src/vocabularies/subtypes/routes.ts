/** /v1/subtypes: what kinds of objects, entities, … there are. Beside /v1/schemas, where their names would meet fields. */
import { z } from "zod";
import type { Caller } from "../../caller.ts";
import { ifMatch, writtenJson } from "../../http/answer/resource-answers.ts";
import { type Api, endpoint } from "../../http/endpoint.ts";
import type { Kind } from "../../records/kinds.ts";
import { currentSchema, type Subtype } from "../../records/schema.ts";
import { visibleSubtypes } from "../../records/visibility.ts";
import { CONFIGURATION, configurationResource } from "../configuration-resource.ts";
import { demandKind, demandReadable, TypeParams } from "../record-type.ts";
import { SubtypeListShape, SubtypeReplacementShape, SubtypeShape, subtypeJson } from "./shape.ts";
import { noSubtype, putSubtype, removeSubtype } from "./write.ts";

export function subtypeRoutes(api: Api): void {
  const { services } = api;
  const one = {
    path: "/v1/subtypes/{type}/{name}",
    params: TypeParams.extend({ name: z.string().openapi({ example: "painting" }) }),
  };
  const answer = { description: "The subtype", schema: SubtypeShape };
  const subtypes = configurationResource(api, {
    ...CONFIGURATION,
    list: { path: "/v1/subtypes/{type}", params: TypeParams },
    one,
    answer,
    json: subtypeJson,
  });
  const subtypesOf = async (caller: Caller, kind: Kind): Promise<Subtype[]> =>
    visibleSubtypes(await currentSchema(services.sql), caller, kind);

  subtypes.list({
    summary: "List the subtypes of a record type",
    answer: { description: "The subtypes", schema: SubtypeListShape },
    problems: [404],
    find: async ({ caller, params }) => subtypesOf(caller, demandReadable(caller, params.type)),
  });

  subtypes.get({
    summary: "Read a subtype",
    async find({ caller, params }) {
      const kind = demandReadable(caller, params.type);
      const subtype = (await subtypesOf(caller, kind)).find(({ name }) => name === params.name);
      if (!subtype) throw noSubtype(kind, params.name);
      return subtype;
    },
  });

  // PUT also creates, so that there is no POST
  endpoint(api, {
    ...one,
    method: "put",
    tag: CONFIGURATION.tag,
    summary: "Create or replace a subtype",
    description: "A new default replaces the old default of the record type.",
    access: CONFIGURATION.access.write,
    body: { schema: SubtypeReplacementShape },
    answers: { 200: answer, 201: answer },
    problems: [404, 412],
    async handle({ c, params, body }) {
      const kind = demandKind(params.type);
      const { subtype, created } = await putSubtype(services, kind, params.name, body, ifMatch(c));
      return writtenJson(c, subtypeJson(subtype), created ? { at: new URL(c.req.url).pathname } : undefined);
    },
  });

  subtypes.remove({
    summary: "Delete a subtype",
    description: "409 if records have it, including those in the trash, or if it is the last one.",
    remove: async ({ params }, expected) =>
      removeSubtype(services, demandKind(params.type), params.name, expected),
  });
}
