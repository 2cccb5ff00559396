/** /v1/<plural>/{id}: publishing, the other states, and the way back from the trash (interface §2). */
import { z } from "zod";
import { expectedVersion } from "../http/answer/caching.ts";
import { preferredLanguages } from "../http/answer/negotiate.ts";
import { type Api, accountOf, type Ctx, endpoint } from "../http/endpoint.ts";
import { said, toldText } from "../messages/said.ts";
import type { KindFacts, Status } from "./kinds.ts";
import { listLinkedDrafts } from "./links/linked-drafts.ts";
import { IdParams, IdShape, recordShapes, StatusShape } from "./shape.ts";
import { restoreRecord } from "./write/trash.ts";
import { changeStatus } from "./write/write.ts";
import { writtenAnswer } from "./written-answer.ts";

/** Records that are published with another one. */
const MOST_ALSO = 200;
const also = z
  .array(IdShape)
  .max(MOST_ALSO)
  .refine((ids) => new Set(ids).size === ids.length, toldText(said("fault.twice.record")))
  .optional()
  .openapi({
    description:
      "Other records, of any kind, that are published in the same transaction; each needs its own permission",
  });
const StatusBody = z.strictObject({ status: StatusShape, also }).openapi("StatusChange");
const PublishBody = z.strictObject({ also }).openapi("Publication");
const DraftsQuery = z.strictObject({
  include: z
    .literal("drafts")
    .optional()
    .openapi({
      description:
        "Adds `drafts`: linked makers, places, events and so on that are drafts, so that visitors do not see them " +
        "(`record_type`, `id`, `idno`, `title`; at most 200)",
    }),
});

export function stateRoutes(api: Api, facts: KindFacts): void {
  const { kind, plural, singular, one } = facts;
  const { services } = api;
  const answer = { description: `The ${singular}`, schema: recordShapes[kind] };
  const answered = async (
    c: Ctx,
    id: string,
    { status, also }: { status: Status; also?: readonly string[] },
    { include }: z.output<typeof DraftsQuery>,
  ): Promise<Response> => {
    const caller = accountOf(c.get("caller"));
    const row = await changeStatus(services, caller, kind, id, status, expectedVersion(c), { also });
    const languages = preferredLanguages(c.req.header("Accept-Language"));
    const more = include ? { drafts: await listLinkedDrafts(services.sql, caller, row.id, languages) } : {};
    return writtenAnswer(api, c, row, 200, {}, more);
  };

  endpoint(api, {
    method: "post",
    path: `/v1/${plural}/{id}/restore`,
    tag: plural,
    summary: `Restore ${one} from the trash`,
    description:
      "It is restored as it was, with its relations to records that still exist" +
      (facts.columns.includes("parent_id")
        ? ". Records that its deletion moved up are moved back, unless they were moved or deleted since; if its " +
          "own parent is in the trash, it is restored below the nearest ancestor that is not."
        : "."),
    access: { action: "delete", kind },
    params: IdParams,
    answers: { 200: answer },
    problems: [404, 409, 412],
    async handle({ c, caller, params }) {
      const row = await restoreRecord(services, accountOf(caller), kind, params.id, expectedVersion(c));
      return writtenAnswer(api, c, row);
    },
  });

  const ofStatus = {
    method: "post",
    tag: plural,
    params: IdParams,
    query: DraftsQuery,
    answers: { 200: answer },
    problems: [404, 410, 412],
  } as const;
  endpoint(api, {
    ...ofStatus,
    path: `/v1/${plural}/{id}/status`,
    summary: `Change the status of ${one}`,
    description:
      "A change to or from public needs records:publish. Publishing checks that no required field is empty.",
    access: { action: "update", kind },
    body: { schema: StatusBody },
    handle: ({ c, params, query, body }) => answered(c, params.id, body, query),
  });

  endpoint(api, {
    ...ofStatus,
    path: `/v1/${plural}/{id}/publish`,
    summary: `Publish ${one}`,
    description:
      "Same as POST …/status with public, but needs only records:publish, and a record that the caller may see. Linked drafts stay drafts unless `also` names them: the lists of their kinds show them with status=draft and linked_with={id}.",
    access: { action: "publish", kind },
    body: { schema: PublishBody, optional: true },
    handle: ({ c, params, query, body }) => answered(c, params.id, { ...body, status: "public" }, query),
  });
}
