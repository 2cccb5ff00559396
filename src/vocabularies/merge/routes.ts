/** POST /v1/vocabularies/{name}/terms/{id}/merge and its undo; terms that may be one, and those that are not. */
import { z } from "zod";
import { cachedJson, contentTag } from "../../http/answer/caching.ts";
import { listOf } from "../../http/answer/list-envelope.ts";
import { ifMatch, pageLinks } from "../../http/answer/resource-answers.ts";
import { withinLimit } from "../../http/concurrency-limit.ts";
import { type Api, accountOf, endpoint } from "../../http/endpoint.ts";
import { DismissedBody, DuplicatesQuery, PairQuery } from "../../records/duplicates/routes.ts";
import { DryRunQuery, LeftShape } from "../../records/merge/routes.ts";
import { IdShape } from "../../records/shape.ts";
import { CONFIGURATION } from "../configuration-resource.ts";
import { TermShape, termJson, VocabularyParams } from "../terms/vocabulary-shape.ts";
import { demandVisibleVocabulary } from "../terms/vocabulary-write.ts";
import { dismissTerms, listTermDuplicates, TERM_REASONS } from "./duplicates.ts";
import { mergeTerm, planTermMerge, type TermPlan } from "./merge.ts";
import { unmergeTerm } from "./undo.ts";

const TermParams = VocabularyParams.extend({ id: IdShape });
const MergeBody = z
  .strictObject({ into: IdShape.openapi({ description: "The term that stays, of the same vocabulary" }) })
  .openapi("TermMerge");
const count = (description: string) => z.int().openapi({ description });
const MovedShape = z
  .object({
    records: count("Records with a field that had the merged term"),
    links: count("Links whose role or qualifier it was"),
    links_joined: count("Links that are one now with another one"),
    below: count("Terms that were below it"),
  })
  .openapi("TermMergeCounts");

const toWrite = { tag: CONFIGURATION.tag, access: CONFIGURATION.access.write } as const;

export function termMergeRoutes(api: Api): void {
  const { services } = api;
  endpoint(api, {
    ...toWrite,
    method: "post",
    path: "/v1/vocabularies/{name}/terms/{id}/merge",
    summary: "Merge a term into another term",
    description:
      "Records, roles, qualifiers and the terms below it have the other term then, in one transaction. Its names become further " +
      "names. Its address answers 301 to the other term, and its value, where somebody writes it, becomes that of the other one. " +
      "Also needs records:read and records:update for the kinds of the records that have it, and of those whose links say it. If-Match is about the merged term.",
    params: TermParams,
    query: DryRunQuery,
    body: { schema: MergeBody },
    answers: {
      200: {
        description: "The term that stays, and what moved",
        schema: z.object({
          term: TermShape,
          merged_id: IdShape.openapi({ description: "The term that was merged" }),
          moved: MovedShape,
        }),
      },
    },
    problems: [404, 412],
    async handle({ c, caller, params: { name, id }, query, body: { into } }) {
      const wish = { into, expected: ifMatch(c) };
      const deed = query.dry_run === "true" ? planTermMerge : mergeTerm;
      const plan = await deed(services, accountOf(caller), name, id, wish);
      const body = { term: termJson(plan.after), merged_id: id, moved: termCountsOf(plan) };
      return c.json(body, 200, { "Cache-Control": "private, no-store" });
    },
  });
  endpoint(api, {
    ...toWrite,
    method: "post",
    path: "/v1/vocabularies/{name}/terms/{id}/unmerge",
    summary: "Undo the merge of a term",
    description:
      "Within 30 days. All is as it was, except for what somebody has changed since: that stays, and is listed. Later merges into " +
      "the same term are undone first. Needs the permissions of the merge. If-Match is about the term that it was merged into.",
    params: TermParams,
    answers: {
      200: {
        description: "Both terms, and what was not undone",
        schema: z.object({
          term: TermShape,
          other: TermShape,
          left: z
            .array(LeftShape)
            .openapi({ description: "What stays, because somebody has changed it since" }),
        }),
      },
    },
    problems: [404, 409, 412],
    async handle({ c, caller, params: { name, id } }) {
      const done = await unmergeTerm(services, accountOf(caller), name, id, ifMatch(c));
      const body = { term: termJson(done.term), other: termJson(done.other), left: done.left };
      return c.json(body, 200, { "Cache-Control": "private, no-store" });
    },
  });
}

export function termCountsOf({ found, roles, below }: TermPlan) {
  return {
    records: [...found.values()].flat().length,
    links: roles.renamed.length,
    links_joined: roles.doubles.length,
    below: below.length,
  };
}

/** Before the routes of single terms. */
export function termDuplicateRoutes(api: Api): void {
  const { services } = api;
  const path = "/v1/vocabularies/{name}/terms/duplicates";
  const Duplicate = z
    .object({
      terms: z.array(TermShape).length(2).openapi({ description: "The two that may be one" }),
      reason: z.enum(TERM_REASONS).openapi({ description: "Why: the same address, or similar names" }),
      score: z.number().openapi({ description: "How sure it is, up to 1" }),
    })
    .openapi("TermDuplicate");
  endpoint(api, {
    ...toWrite,
    method: "get",
    path,
    summary: "List terms that may be one",
    description:
      "The surest first: the same address, names that differ in case or spelling, and plurals, in any language. Terms with " +
      "different addresses on one host are not offered for their names.",
    params: VocabularyParams,
    query: DuplicatesQuery,
    answers: { 200: { description: "A page", schema: listOf(Duplicate) } },
    problems: [404, 503],
    async handle({ c, caller, params, query }) {
      await demandVisibleVocabulary(services.sql, caller, params.name);
      const found = await withinLimit(api, { c, caller }, () =>
        listTermDuplicates(services, params.name, query),
      );
      const items = found.items.map(({ terms, ...why }) => ({ terms: terms.map(termJson), ...why }));
      const { page, page_size } = query;
      const body = { total: found.total, page, page_size, items };
      return cachedJson(c, caller, body, await contentTag(body), { link: pageLinks(c, body) });
    },
  });
  for (const [method, summary, description, done] of [
    ["post", "Say that two terms are not one", "They are not offered any more.", "Remembered"],
    ["delete", "Offer two terms again that may be one", "`ids` twice: of both terms.", "Forgotten"],
  ] as const)
    endpoint(api, {
      ...toWrite,
      method,
      path: `${path}/dismissed`,
      summary,
      description,
      params: VocabularyParams,
      ...(method === "post" ? { body: { schema: DismissedBody } } : { query: PairQuery }),
      answers: { 204: { description: done } },
      problems: [404],
      async handle({ c, caller, params: { name }, body, query }) {
        await demandVisibleVocabulary(services.sql, caller, name);
        const { ids } = (method === "post" ? body : query) as z.output<typeof PairQuery>;
        await dismissTerms(services, accountOf(caller), name, ids, method === "post");
        return c.body(null, 204);
      },
    });
}
