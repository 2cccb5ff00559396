/** /v1/<plural>/{id}/history: who, when, what changed; and back to an older version (interface §2). */

import { z } from "zod";
import { type Caller, mayDo } from "../../caller.ts";
import { expectedVersion } from "../../http/answer/caching.ts";
import { ActorShape, listOf, pageQuery, rangeOf } from "../../http/answer/list-envelope.ts";
import { type Api, accountOf, endpoint } from "../../http/endpoint.ts";
import { wholeNumber } from "../../http/text-shape.ts";
import type { Sql } from "../../services.ts";
import { KINDS, type Kind, kinds } from "../kinds.ts";
import type { RecordRow } from "../record.ts";
import { currentSchema } from "../schema.ts";
import { IdParams, IdShape, MetadataShape, recordShapes } from "../shape.ts";
import { readsAll } from "../visibility.ts";
import { revertRecord } from "../write/revert.ts";
import { writtenAnswer } from "../written-answer.ts";
import { listHistory, recordAt } from "./history.ts";
import { type LinkChange, linkChangesOf } from "./link-changes.ts";
import { missing } from "./read.ts";
import { findRecord, findTrashed } from "./store.ts";

const LinkChangeShape = z
  .object({
    relation_id: z
      .string()
      .nullable()
      .openapi({ description: "Of a link that was changed, removed or restored" }),
    relation_type: z.string().openapi({ description: "The name as seen from this record" }),
    to_type: z.enum(KINDS).nullable().openapi({ description: "Null: the record was deleted for good" }),
    to_id: IdShape,
    to_idno: z.string().nullable(),
    to_title: z.string().nullable(),
    from: MetadataShape.nullable(),
    to: MetadataShape.nullable(),
  })
  .openapi("LinkChange");

const Revision = z
  .object({
    version: z.int(),
    at: z.string(),
    action: z.string(),
    actor: ActorShape,
    import_id: z.string().nullable(),
    changes: z.array(
      z.object({
        pointer: z.string().openapi({ description: "The place in the record: a JSON Pointer" }),
        from: z.unknown(),
        to: z.unknown(),
      }),
    ),
    links: z.array(LinkChangeShape).openapi({
      description:
        "Links that came (from is null), went (to is null) or say something else; both are null for one that could not be restored. Only those that the caller may see with the record at the other end",
    }),
    note: z.record(z.string(), z.unknown()).nullable(),
  })
  .openapi("Revision");

const VersionParams = IdParams.extend({ version: wholeNumber(1, 1_000_000_000) });

const linkChangeJson = (own: string, { relation_type, link, end, from, to }: LinkChange) => ({
  relation_id: link.id ?? null,
  relation_type,
  to_type: end?.record_type ?? null,
  to_id: link.from_id === own ? link.to_id : link.from_id,
  to_idno: end?.idno ?? null,
  to_title: end?.title ?? null,
  from,
  to,
});

const PartQuery = z.strictObject({
  part: z.enum(["fields", "links", "all"]).default("fields").openapi({ description: "What is restored" }),
});

/** Records in the trash, for callers who may delete. */
async function findWithHistory(sql: Sql, caller: Caller, kind: Kind, id: string): Promise<RecordRow> {
  const row =
    (await findRecord(sql, caller, kind, id)) ??
    (mayDo(caller, "delete", kind) ? await findTrashed(sql, kind, id) : undefined);
  if (!row) throw await missing(sql, caller, kind, id);
  return row;
}

export function historyRoutes(api: Api): void {
  const { services } = api;
  for (const kind of KINDS) {
    const { plural, singular, one } = kinds[kind];

    endpoint(api, {
      method: "get",
      path: `/v1/${plural}/{id}/history`,
      tag: plural,
      summary: `Read the history of ${one}`,
      description:
        "Newest first. Revisions never change. Callers who may delete can also read the history of a record in the trash.",
      access: { action: "read", kind },
      params: IdParams,
      query: z.strictObject(pageQuery),
      answers: {
        200: {
          description: "A page of revisions",
          schema: listOf(Revision).openapi("RevisionList"),
        },
      },
      problems: [404, 410],
      async handle({ c, caller, params, query }) {
        const row = await findWithHistory(services.sql, caller, kind, params.id);
        const { page, page_size } = query;
        const history = await listHistory(services.sql, row, rangeOf(query));
        const schema = await currentSchema(services.sql);
        const links = await linkChangesOf(services.sql, caller, schema, row, history.items);
        // notes name records at the other end of links, and those that came or went with this one
        const items = history.items.map(({ record_id: _, note, ...item }, index) => ({
          ...item,
          links: links[index]!.changes.map((change) => linkChangeJson(row.id, change)),
          note: readsAll(caller) ? note : null,
        }));
        return c.json({ total: history.total, page, page_size, items }, 200, {
          "Cache-Control": "private, no-store",
        });
      },
    });

    endpoint(api, {
      method: "get",
      path: `/v1/${plural}/{id}/history/{version}`,
      tag: plural,
      summary: `Read ${one} as it was at an older version`,
      description:
        "Includes fields that the installation no longer has. For its relations and media at that time, see the notes of the history.",
      access: { action: "read", kind },
      params: VersionParams,
      answers: { 200: { description: `The ${singular} at that version`, schema: recordShapes[kind] } },
      problems: [404, 410],
      async handle({ c, caller, params }) {
        const row = await findWithHistory(services.sql, caller, kind, params.id);
        const body = await recordAt(services.sql, row, params.version);
        return c.json(body, 200, { "Cache-Control": "private, no-store" });
      },
    });

    endpoint(api, {
      method: "post",
      path: `/v1/${plural}/{id}/history/{version}/restore`,
      tag: plural,
      summary: `Restore an older version of ${one}`,
      description:
        "Saves the fields of the older version, its relations, or both as a new version; also needs records:read. The status does not " +
        "change; a public record must have all required fields (422 names the missing ones). Relations are those that begin at the " +
        "record, without its storage location. The history lists relations that could not come back.",
      access: { action: "update", kind },
      params: VersionParams,
      query: PartQuery,
      answers: { 200: { description: `The ${singular}`, schema: recordShapes[kind] } },
      problems: [404, 409, 410, 412],
      async handle({ c, caller, params, query }) {
        const row = await revertRecord(
          services,
          accountOf(caller),
          kind,
          params.id,
          { version: params.version, part: query.part },
          expectedVersion(c),
        );
        return writtenAnswer(api, c, row);
      },
    });
  }
}
