/** POST /v1/<plural>/{id}/merge, its preview and its undo (interface §10). */
import { z } from "zod";
import { expectedVersion } from "../../http/answer/caching.ts";
import { type Api, accountOf, endpoint } from "../../http/endpoint.ts";
import { flag } from "../../http/text-shape.ts";
import { KINDS, type KindFacts, kinds } from "../kinds.ts";
import { currentSchema } from "../schema.ts";
import { IdParams, IdShape, recordShapes } from "../shape.ts";
import { visibleRecord } from "../visibility.ts";
import { type Merged, mergeRecord } from "./merge.ts";
import { CHOICES } from "./state.ts";
import { unmergeRecord } from "./undo.ts";

const MergeBody = z
  .strictObject({
    into: IdShape.openapi({ description: "The record that stays, of the same type" }),
    into_version: z
      .int()
      .min(1)
      .optional()
      .openapi({ description: "Its version, as far as you know: 412 if it has another one" }),
    fields: z
      .record(z.string().max(200), z.enum(CHOICES))
      .default({})
      .openapi({
        description:
          "Whose value a field gets, by the name of a field of metadata_ or of the record: of the record that stays (`kept`), of the " +
          "merged one (`merged`), or of `both`. Otherwise fields keep their values, and empty ones get those of the merged record",
      }),
  })
  .openapi("Merge");

export const DryRunQuery = z.strictObject({
  dry_run: flag("Answers what the merge would do, and does nothing"),
});

const count = (description: string) => z.int().openapi({ description });
const MovedShape = z
  .object({
    links: count("Links that moved to the record that stays"),
    links_joined: count("Links that both had: they are one now"),
    links_between: count("Links between the two, which are gone"),
    places_ended: count(
      "Links to a storage location that are gone, because the record that stays is in another one",
    ),
    media: count("Media that moved"),
    media_there: count("Media that the record that stays has, too"),
    below: count("Records that were below the merged record"),
    referring: count("Records with a field that named the merged record"),
  })
  .openapi("MergeCounts");

export const LeftShape = z
  .object({
    what: z
      .enum(["field", "link", "medium", "record", "term"])
      .openapi({ description: "What was not undone" }),
    id: z.string().nullable().openapi({ description: "Of the link, medium, record or term" }),
    name: z
      .string()
      .nullable()
      .openapi({ description: "The field, relation type, file name, title or value" }),
  })
  .openapi("NotUndone");

export function mergeRoutes(api: Api): void {
  for (const kind of KINDS) mergeRoute(api, kinds[kind]);
  for (const kind of KINDS) unmergeRoute(api, kinds[kind]);
}

function mergeRoute(api: Api, { kind, plural, singular, one }: KindFacts): void {
  const { services } = api;
  endpoint(api, {
    method: "post",
    path: `/v1/${plural}/{id}/merge`,
    tag: plural,
    summary: `Merge ${one} into another ${singular}`,
    description:
      "Links, media, procedures and all that refers to it move to the other record, in one transaction. Other names become " +
      "further names. Its number and ARK are never given again, and its address answers 301 to the other record. Also needs " +
      "records:read, and records:publish if it is public. If-Match is about the merged record.",
    access: { action: "update", also: "delete", kind },
    params: IdParams,
    query: DryRunQuery,
    body: { schema: MergeBody },
    answers: {
      200: {
        description: "The record that stays, and what moved",
        schema: z.object({
          record: recordShapes[kind],
          merged_id: IdShape.openapi({ description: "The record that was merged" }),
          moved: MovedShape,
        }),
      },
    },
    problems: [404, 409, 410, 412],
    async handle({ c, caller, params, query, body: { into, into_version, fields } }) {
      const wish = { into, fields, expected: expectedVersion(c), intoVersion: into_version };
      const isDry = query.dry_run === "true";
      const merged = await mergeRecord(services, accountOf(caller), kind, params.id, wish, isDry);
      const { record } = merged;
      const seen = visibleRecord(await currentSchema(services.sql), caller, record);
      const body = { record: seen, merged_id: params.id, moved: countsOf(merged) };
      const version: Record<string, string> = isDry ? {} : { ETag: `"${record.version}"` };
      return c.json(body, 200, { ...version, "Cache-Control": "private, no-store" });
    },
  });
}

export function countsOf({ moved: { links, media, referring } }: Merged) {
  const removed = (why: string) => links.removed.filter((link) => link.why === why).length;
  return {
    links: links.moved.length,
    links_joined: removed("double"),
    links_between: removed("between"),
    places_ended: removed("place"),
    media: media.moved.length,
    media_there: media.there,
    below: referring.below.length,
    referring: referring.naming.length,
  };
}

function unmergeRoute(api: Api, { kind, plural, singular, one }: KindFacts): void {
  const { services } = api;
  endpoint(api, {
    method: "post",
    path: `/v1/${plural}/{id}/unmerge`,
    tag: plural,
    summary: `Undo the merge of ${one}`,
    description:
      `Within 30 days. Both records are as they were, with their links and media, except for what somebody has changed since: ` +
      "that stays, and is listed. Later merges into the same record are undone first. Needs the permissions of the merge. " +
      `If-Match is about the ${singular} that it was merged into.`,
    access: { action: "update", also: "delete", kind },
    params: IdParams,
    answers: {
      200: {
        description: "Both records, and what was not undone",
        schema: z.object({
          record: recordShapes[kind],
          other: recordShapes[kind],
          left: z
            .array(LeftShape)
            .openapi({ description: "What stays, because somebody has changed it since" }),
        }),
      },
    },
    problems: [404, 409, 412],
    async handle({ c, caller, params }) {
      const { record, other, left } = await unmergeRecord(
        services,
        accountOf(caller),
        kind,
        params.id,
        expectedVersion(c),
      );
      const schema = await currentSchema(services.sql);
      const body = {
        record: visibleRecord(schema, caller, record),
        other: visibleRecord(schema, caller, other),
        left,
      };
      return c.json(body, 200, { ETag: `"${record.version}"`, "Cache-Control": "private, no-store" });
    },
  });
}
