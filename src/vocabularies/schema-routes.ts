/** /v1/schemas: what records of each kind consist of (interface §2, "Configuration resources"). */
import { z } from "zod";
import type { Caller } from "../caller.ts";
import { cachedJson, contentTag } from "../http/answer/caching.ts";
import { listOf, wholeList } from "../http/answer/list-envelope.ts";
import { type Api, type Ctx, endpoint } from "../http/endpoint.ts";
import { KINDS, type Kind, kinds } from "../records/kinds.ts";
import { currentSchema, type Schema } from "../records/schema.ts";
import { readableKinds, visibleFields, visibleSubtypes } from "../records/visibility.ts";
import { fieldRoutes } from "./fields/routes.ts";
import { FieldShape, fieldJson } from "./fields/shape.ts";
import { demandReadable, TypeParams } from "./record-type.ts";
import { subtypeRoutes } from "./subtypes/routes.ts";
import { SubtypeShape, subtypeJson } from "./subtypes/shape.ts";

const SchemaShape = z
  .object({
    record_type: z.enum(KINDS),
    plural: z.string().openapi({ description: "Path segment under /v1", example: "objects" }),
    title_field: z.enum(["title", "name"]).openapi({ description: "The field with the name of a record" }),
    subtypes: z.array(SubtypeShape),
    fields: z.array(FieldShape),
  })
  .openapi("Schema");

const SchemaListShape = listOf(SchemaShape).openapi("SchemaList");

export function schemaRoutes(api: Api): void {
  readRoutes(api);
  fieldRoutes(api);
  subtypeRoutes(api);
}

function readRoutes(api: Api): void {
  const { sql } = api.services;

  endpoint(api, {
    method: "get",
    path: "/v1/schemas",
    tag: "configuration",
    summary: "List the schemas of all record types",
    description: "Visitors get only public fields, and no storage locations.",
    access: "public",
    answers: {
      200: { description: "The schemas", schema: SchemaListShape },
      304: { description: "Unchanged" },
    },
    async handle({ c, caller }) {
      const schema = await currentSchema(sql);
      const items = readableKinds(caller).map((kind) => schemaJson(schema, caller, kind));
      return versionedJson(c, caller, schema, wholeList(items));
    },
  });

  endpoint(api, {
    method: "get",
    path: "/v1/schemas/{type}",
    tag: "configuration",
    summary: "Read the schema of a record type",
    access: "public",
    params: TypeParams,
    answers: { 200: { description: "The schema", schema: SchemaShape }, 304: { description: "Unchanged" } },
    problems: [404],
    async handle({ c, caller, params }) {
      const kind = demandReadable(caller, params.type);
      const schema = await currentSchema(sql);
      return versionedJson(c, caller, schema, schemaJson(schema, caller, kind));
    },
  });
}

function schemaJson(schema: Schema, caller: Caller, kind: Kind): Record<string, unknown> {
  return {
    record_type: kind,
    plural: kinds[kind].plural,
    title_field: kinds[kind].titleField,
    subtypes: visibleSubtypes(schema, caller, kind).map(subtypeJson),
    fields: visibleFields(schema, caller, kind).map(fieldJson),
  };
}

/** The version of the configuration alone is not an ETag: visitors and staff see different parts of the same version. */
async function versionedJson(c: Ctx, caller: Caller, schema: Schema, body: unknown): Promise<Response> {
  return cachedJson(c, caller, body, await contentTag(body, `${schema.version}-`));
}
