/** /v1/<plural>/{id}/relations: typed links, read from this end (interface §2). */

import { z } from "zod";
import type { Caller } from "../../caller.ts";
import { cachedJson, contentTag, expectedVersion } from "../../http/answer/caching.ts";
import { listOf, pageQuery, rangeOf } from "../../http/answer/list-envelope.ts";
import { type Api, accountOf, endpoint } from "../../http/endpoint.ts";
import { PATCH_TYPES } from "../../http/request/body.ts";
import { said } from "../../messages/said.ts";
import { invalidAt, Problem } from "../../problem.ts";
import { KINDS, type Kind, kinds } from "../kinds.ts";
import { readRecord } from "../read/read.ts";
import type { Metadata } from "../record.ts";
import { currentSchema, relationTypeNamed, type Schema } from "../schema.ts";
import { EntryShape, IdParams, IdShape, MetadataShape, mergePatch } from "../shape.ts";
import { maySeeRelationType } from "../visibility.ts";
import { changeRelation, putBackRelation, removeRelation } from "./relation-changes.ts";
import { addRelation, findRelation, listRelations, unknownRelationType } from "./relations.ts";

const RelationShape = z
  .object({
    id: IdShape,
    relation_type: z.string(),
    label: z.record(z.string(), z.string()).openapi({ description: "The name of the relation, by language" }),
    to_type: z.enum(KINDS),
    to_id: IdShape,
    to_idno: z.string(),
    to_title: z.string(),
    metadata_: MetadataShape,
    created_at: z.string(),
  })
  .openapi("Relation");

const RelationBody = z
  .strictObject({
    relation_type: z.string().max(63).openapi({
      description: "A name of GET /v1/relation-types, or an inverse name to link from the other end",
      example: "created_by",
    }),
    to_type: z.enum(KINDS),
    to_id: IdShape,
    metadata_: MetadataShape.optional(),
  })
  .openapi("RelationDraft");

const RelationPatch = z
  .strictObject({
    metadata_: z.record(z.string().max(200), z.array(EntryShape).nullable()).openapi({
      description: "JSON Merge Patch (RFC 7396): null removes, a list replaces the one of its name",
    }),
  })
  .openapi("RelationPatch", { example: { metadata_: { role: [{ value: "frame maker" }] } } });

const ListQuery = z.strictObject({
  relation_type: z
    .string()
    .max(63)
    .optional()
    .openapi({ description: "Only relations of this name or inverse name, as seen from this record" }),
  to_type: z.enum(KINDS).optional().openapi({ description: "Only relations with records of this type" }),
  ...pageQuery,
});

const RelationParams = IdParams.extend({ relation_id: IdShape });

export function relationRoutes(api: Api): void {
  const { services } = api;
  for (const kind of KINDS) {
    const { plural, one } = kinds[kind];
    const written = { tag: plural, access: { action: "update", kind }, params: RelationParams } as const;

    endpoint(api, {
      method: "get",
      path: `/v1/${plural}/{id}/relations`,
      tag: plural,
      summary: `List the relations of ${one}`,
      description: "Both directions; visitors see links between public records.",
      access: "public",
      params: IdParams,
      query: ListQuery,
      answers: {
        200: {
          description: "A page",
          schema: listOf(RelationShape).openapi("RelationList"),
        },
        304: { description: "Unchanged" },
      },
      problems: [404, 410],
      async handle({ c, caller, params, query }) {
        const row = await readRecord(services.sql, caller, kind, params.id);
        const schema = await currentSchema(services.sql, row.configuration_version);
        const { page, page_size, relation_type, to_type } = query;
        const { total, items } = await listRelations(services.sql, caller, schema, row, {
          ...rangeOf(query),
          ...(relation_type === undefined ? {} : typeNamed(schema, caller, relation_type)),
          toType: to_type,
        });
        const body = { total, page, page_size, items };
        return cachedJson(c, caller, body, await contentTag(body));
      },
    });

    endpoint(api, {
      method: "post",
      path: `/v1/${plural}/{id}/relations`,
      tag: plural,
      summary: `Link ${one} with another record`,
      description:
        "409 if a relation with the same role (`metadata_.role`) and attribution already exists. Relations to makers take an attribution: " +
        "`metadata_.qualifier`, a term of the vocabulary attribution_qualifier, or `metadata_.qualifier_text`, words that no term says. Hierarchical types (is_hierarchical) must not form circles: 422 " +
        "names the records of the circle.",
      access: { action: "update", kind },
      params: IdParams,
      body: { schema: RelationBody },
      answers: { 201: { description: "The relation", schema: RelationShape } },
      problems: [404, 409, 410, 412],
      async handle({ c, caller, params, body }) {
        const account = accountOf(caller);
        const relationId = await addRelation(
          services,
          account,
          kind,
          params.id,
          { ...body, metadata_: body.metadata_ ?? {} },
          expectedVersion(c),
        );
        const relation = await demandRelation(services, caller, { kind, id: params.id, relationId });
        return c.json(relation, 201, { Location: `${new URL(c.req.url).pathname}/${relationId}` });
      },
    });

    endpoint(api, {
      method: "get",
      path: `/v1/${plural}/{id}/relations/{relation_id}`,
      tag: plural,
      summary: `Read one relation of ${one}`,
      access: "public",
      params: RelationParams,
      answers: {
        200: { description: "The relation", schema: RelationShape },
        304: { description: "Unchanged" },
      },
      problems: [404, 410],
      async handle({ c, caller, params }) {
        const row = await readRecord(services.sql, caller, kind, params.id);
        const schema = await currentSchema(services.sql, row.configuration_version);
        const relation = await findRelation(services.sql, caller, schema, row, params.relation_id);
        if (!relation)
          throw new Problem("not_found", said("problem.relation.not_found", { id: params.relation_id }));
        return cachedJson(c, caller, relation, await contentTag(relation));
      },
    });

    endpoint(api, {
      ...written,
      method: "patch",
      path: `/v1/${plural}/{id}/relations/{relation_id}`,
      summary: `Change the metadata_ of a relation of ${one}`,
      description: "Type and ends cannot change; create a new relation and remove this one.",
      body: { schema: RelationPatch, types: PATCH_TYPES },
      answers: { 200: { description: "The relation", schema: RelationShape } },
      problems: [404, 409, 410, 412],
      async handle({ c, caller, params, body }) {
        const change = (old: Metadata) => mergePatch(old, body.metadata_) as Metadata;
        const place = { kind, id: params.id, relationId: params.relation_id, expected: expectedVersion(c) };
        await changeRelation(services, accountOf(caller), place, change);
        return c.json(await demandRelation(services, caller, place), 200);
      },
    });

    endpoint(api, {
      ...written,
      method: "delete",
      path: `/v1/${plural}/{id}/relations/{relation_id}`,
      summary: `Remove a relation of ${one}`,
      answers: { 204: { description: "Removed" } },
      problems: [404, 410, 412],
      async handle({ c, caller, params }) {
        const place = { kind, id: params.id, relationId: params.relation_id, expected: expectedVersion(c) };
        await removeRelation(services, accountOf(caller), place);
        return c.body(null, 204);
      },
    });

    endpoint(api, {
      ...written,
      method: "post",
      path: `/v1/${plural}/{id}/relations/{relation_id}/restore`,
      summary: `Put a removed relation of ${one} back`,
      description:
        "As it was when it was removed, at its place in the list. The history has the ids of removed relations.",
      answers: { 200: { description: "The relation", schema: RelationShape } },
      problems: [404, 409, 410, 412],
      async handle({ c, caller, params }) {
        const place = { kind, id: params.id, relationId: params.relation_id, expected: expectedVersion(c) };
        await putBackRelation(services, accountOf(caller), place);
        return c.json(await demandRelation(services, caller, place), 200);
      },
    });
  }
}

/** The relation as it is now; 404 if it is not one of this record. */
async function demandRelation(
  { sql }: Api["services"],
  caller: Caller,
  { kind, id, relationId }: { kind: Kind; id: string; relationId: string },
) {
  const end = { id, record_type: kind };
  const relation = await findRelation(sql, caller, await currentSchema(sql), end, relationId);
  if (relation) return relation;
  throw new Problem("not_found", said("problem.relation.not_found", { id: relationId }));
}

/** The relation types that a name in a list selects; 422 for a name that the caller knows no type of. */
function typeNamed(schema: Schema, caller: Caller, name: string): { type: string; outgoing?: boolean } {
  const named = relationTypeNamed(schema, name);
  if (!named || !maySeeRelationType(caller, named.type)) {
    const names = [...schema.relationTypes.values()]
      .filter((type) => maySeeRelationType(caller, type))
      .flatMap((type) => [type.name, type.inverse]);
    throw invalidAt("query:relation_type", unknownRelationType(name, names));
  }
  const { type, inverse } = named;
  return type.inverse === type.name ? { type: name } : { type: type.name, outgoing: !inverse };
}
