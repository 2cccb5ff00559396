/** /v1/<plural>: details and writes of the seven kinds (contract §4.2, interface §2). */

import { z } from "zod";
import { mayDo } from "../caller.ts";
import { cachedJson, contentTag, expectedVersion } from "../http/answer/caching.ts";
import { tagOf } from "../http/answer/resource-answers.ts";
import { type Api, accountOf, endpoint } from "../http/endpoint.ts";
import { PATCH_TYPES } from "../http/request/body.ts";
import { flag } from "../http/text-shape.ts";
import { wordsFor } from "../http/words.ts";
import { KINDS, type KindFacts, kinds } from "./kinds.ts";
import { EXTRAS, extrasOf, includeShape, type MediaOf, MOST_MEDIA, withExtras } from "./read/extras.ts";
import { listRoutes } from "./read/list-routes.ts";
import type { OtherFormats } from "./read/other-formats.ts";
import { readRecord } from "./read/read.ts";
import type { RecordRow } from "./record.ts";
import { currentSchema, type Schema } from "./schema.ts";
import { demandDraft, draftShapes, IdParams, newShapes, patchShapes, recordShapes } from "./shape.ts";
import { stateRoutes } from "./state-routes.ts";
import { mayWrite, visibleRecord } from "./visibility.ts";
import { purgeRecord } from "./write/purge.ts";
import { deleteRecord } from "./write/trash.ts";
import { createRecord, patchRecord, replaceRecord } from "./write/write.ts";
import { writtenAnswer } from "./written-answer.ts";

const IncludeQuery = z.strictObject({ include: includeShape(EXTRAS) });

const ForceQuery = z.strictObject({ force: flag("Delete it even if it is linked") });

export function recordRoutes(api: Api, mediaOf: MediaOf, others: OtherFormats): void {
  for (const kind of KINDS) {
    listRoutes(api, kinds[kind], mediaOf);
    readRoutes(api, kinds[kind], mediaOf, others);
    writeRoutes(api, kinds[kind]);
    stateRoutes(api, kinds[kind]);
    purgeRoute(api, kinds[kind]);
  }
}

function readRoutes(api: Api, facts: KindFacts, mediaOf: MediaOf, others: OtherFormats): void {
  const { kind, plural, singular } = facts;
  endpoint(api, {
    method: "get",
    path: `/v1/${plural}/{id}`,
    tag: plural,
    summary: `Read one ${singular}`,
    access: "public",
    params: IdParams,
    query: IncludeQuery,
    produces: ["application/json", ...others.types],
    answers: {
      200: { description: `The ${singular}`, schema: recordShapes[kind] },
      304: { description: "Unchanged" },
    },
    problems: [404, 410],
    async handle({ c, caller, params, query, type }) {
      if (type !== "application/json") return others.answer({ c, caller, kind, id: params.id, type });
      const { sql } = api.services;
      const row = await readRecord(sql, caller, kind, params.id);
      const schema = await currentSchema(sql, row.configuration_version);
      const reads = mayDo(caller, "read", kind);
      const isVersioned = reads || mayWrite(caller, kind);
      if (query.include === undefined) {
        const body = visibleRecord(schema, caller, row);
        const etag = isVersioned ? recordTag(!reads, schema, row) : await tagOf(body);
        return cachedJson(c, caller, body, etag, { updatedAt: row.updated_at });
      }
      const wanted = extrasOf(query.include, EXTRAS);
      const [body] = await withExtras(api.services, c, schema, caller, [row], wanted, (ids) =>
        mediaOf(api.services, caller, ids, MOST_MEDIA.one, wordsFor(c)),
      );
      return cachedJson(c, caller, body, await contentTag(body, isVersioned ? `${row.version}-` : ""));
    },
  });
}

/**
 * For callers who read or write such records, the ETag of one is its version. If they see no more than visitors, it also
 * depends on fields that were hidden or shown, and on whether the parent is visible.
 */
function recordTag(asVisitor: boolean, schema: Schema, row: RecordRow): string {
  if (!asVisitor) return `"${row.version}"`;
  const epoch = schema.visibilityEpoch > 0 ? `-${schema.visibilityEpoch}` : "";
  return `"${row.version}${epoch}${row.parent_id === null ? "" : "-below"}"`;
}

function writeRoutes(api: Api, facts: KindFacts): void {
  const { kind, plural, singular, one } = facts;
  const { services } = api;
  const answer = { description: `The ${singular}`, schema: recordShapes[kind] };

  endpoint(api, {
    method: "post",
    path: `/v1/${plural}`,
    tag: plural,
    summary: `Create ${one}`,
    access: { action: "create", kind },
    body: { schema: newShapes[kind] },
    answers: { 201: answer },
    problems: [409],
    async handle({ c, caller, body }) {
      const row = await createRecord(services, accountOf(caller), kind, demandDraft(kind, body));
      return writtenAnswer(api, c, row, 201, { Location: `${new URL(c.req.url).pathname}/${row.id}` });
    },
  });

  endpoint(api, {
    method: "put",
    path: `/v1/${plural}/{id}`,
    tag: plural,
    summary: `Replace ${one}`,
    description:
      "Number, subtype and states keep their values if left out, and so does everything that the caller may not see. All else is as sent, or empty.",
    access: { action: "update", kind },
    params: IdParams,
    body: { schema: draftShapes[kind] },
    answers: { 200: answer },
    problems: [404, 409, 410, 412],
    async handle({ c, caller, params, body }) {
      const draft = demandDraft(kind, body);
      const expected = expectedVersion(c);
      const row = await replaceRecord(services, accountOf(caller), kind, params.id, draft, expected);
      return writtenAnswer(api, c, row);
    },
  });

  endpoint(api, {
    method: "patch",
    path: `/v1/${plural}/{id}`,
    tag: plural,
    summary: `Change ${one}`,
    description:
      "422 for null where a value is required: number, subtype, states. 403 for a field that the caller may not see.",
    access: { action: "update", kind },
    params: IdParams,
    body: { schema: patchShapes[kind], types: PATCH_TYPES },
    answers: { 200: answer },
    problems: [404, 409, 410, 412],
    async handle({ c, caller, params, body }) {
      const expected = expectedVersion(c);
      const row = await patchRecord(services, accountOf(caller), kind, params.id, body, expected);
      return writtenAnswer(api, c, row);
    },
  });

  endpoint(api, {
    method: "delete",
    path: `/v1/${plural}/{id}`,
    tag: plural,
    summary: `Delete ${one}`,
    description:
      "It goes to the trash and can be restored for 30 days. A linked record is deleted only with force=true: its " +
      "relations are then hidden until it is restored" +
      (facts.columns.includes("parent_id") ? ", and records below it move up to its parent." : "."),
    access: { action: "delete", kind },
    params: IdParams,
    query: ForceQuery,
    answers: { 204: { description: "Deleted" } },
    problems: [404, 409, 410, 412],
    async handle({ c, caller, params, query }) {
      await deleteRecord(services, accountOf(caller), kind, params.id, {
        force: query.force === "true",
        expected: expectedVersion(c),
      });
      return c.body(null, 204);
    },
  });
}

function purgeRoute(api: Api, { kind, plural, one }: KindFacts): void {
  endpoint(api, {
    method: "post",
    path: `/v1/${plural}/{id}/purge`,
    tag: plural,
    summary: `Permanently delete ${one} in the trash`,
    description:
      "Its values, history, links and media are deleted and cannot be restored, except from a backup. If it was public, " +
      "the identifier stays and answers 410; that of a merged one still leads to the other. Also needs `settings:manage`.",
    access: { action: "delete", kind },
    params: IdParams,
    answers: { 204: { description: "Deleted" } },
    problems: [404, 409],
    async handle({ c, caller, params }) {
      await purgeRecord(api.services, accountOf(caller), kind, params.id);
      return c.body(null, 204);
    },
  });
}
