/** /v1/<plural>/duplicates: records that may be one, and those that are not. */
import { z } from "zod";
import { cachedJson, contentTag } from "../../http/answer/caching.ts";
import { listOf, pageQuery } from "../../http/answer/list-envelope.ts";
import { pageLinks } from "../../http/answer/resource-answers.ts";
import { withinLimit } from "../../http/concurrency-limit.ts";
import { type Api, accountOf, endpoint } from "../../http/endpoint.ts";
import { KINDS, type KindFacts, kinds } from "../kinds.ts";
import { currentSchema } from "../schema.ts";
import { IdShape, recordShapes } from "../shape.ts";
import { visibleRecord } from "../visibility.ts";
import { REASONS } from "./candidates.ts";
import { dismissDuplicate, listDuplicates } from "./duplicates.ts";

const PairShape = z.array(IdShape).length(2).openapi({ description: "The ids of both, in any order" });
export const DismissedBody = z.strictObject({ ids: PairShape }).openapi("NotDuplicates");
export const DuplicatesQuery = z.strictObject({
  ...pageQuery,
  dismissed: z
    .enum(["true", "false"])
    .default("false")
    .transform((value) => value === "true")
    .openapi({ description: "Those that somebody has said are not one, instead of the others" }),
});
export const PairQuery = z.strictObject({ ids: PairShape });

export function duplicateListRoutes(api: Api): void {
  for (const kind of KINDS) {
    listRoute(api, kinds[kind]);
    dismissedRoutes(api, kinds[kind]);
  }
}

function listRoute(api: Api, { kind, plural, many }: KindFacts): void {
  const { services } = api;
  const Duplicate = z
    .object({
      records: z.array(recordShapes[kind]).length(2).openapi({ description: "The two that may be one" }),
      reason: z.enum(REASONS).openapi({
        description:
          "Why: the same number in an authority file, the same number with another spelling, or similar names",
      }),
      score: z.number().openapi({ description: "How sure it is, up to 1" }),
    })
    .openapi(`${plural.replace("-", "_")}_duplicate`);
  endpoint(api, {
    method: "get",
    path: `/v1/${plural}/duplicates`,
    tag: plural,
    summary: `List ${many} that may be one`,
    description:
      "The surest first: the same number in an authority file, the same number with another spelling, names with the same " +
      "words in any order, with initials, or with a slip or two. Records with different numbers in one authority file are not " +
      "offered for their names. Also needs records:read.",
    access: { action: "update", also: "delete", kind },
    query: DuplicatesQuery,
    answers: { 200: { description: "A page", schema: listOf(Duplicate) } },
    problems: [503],
    async handle({ c, caller, query }) {
      const found = await withinLimit(api, { c, caller }, () =>
        listDuplicates(services, accountOf(caller), kind, query),
      );
      const schema = await currentSchema(services.sql);
      const items = found.items.map(({ records, reason, score }) => ({
        records: records.map((row) => visibleRecord(schema, caller, row)),
        reason,
        score,
      }));
      const { page, page_size } = query;
      const body = { total: found.total, page, page_size, items };
      const link = pageLinks(c, body);
      return cachedJson(c, caller, body, await contentTag(body), { link });
    },
  });
}

function dismissedRoutes(api: Api, { kind, plural, many }: KindFacts): void {
  const { services } = api;
  for (const [method, summary, description, done] of [
    ["post", `Say that two ${many} are not one`, "They are not offered any more.", "Remembered"],
    ["delete", `Offer two ${many} again that may be one`, "`ids` twice: of both records.", "Forgotten"],
  ] as const)
    endpoint(api, {
      method,
      path: `/v1/${plural}/duplicates/dismissed`,
      tag: plural,
      summary,
      description: `${description} Also needs records:read.`,
      access: { action: "update", also: "delete", kind },
      ...(method === "post" ? { body: { schema: DismissedBody } } : { query: PairQuery }),
      answers: { 204: { description: done } },
      async handle({ c, caller, body, query }) {
        const { ids } = (method === "post" ? body : query) as z.output<typeof PairQuery>;
        await dismissDuplicate(services, accountOf(caller), kind, ids, method === "post");
        return c.body(null, 204);
      },
    });
}
