/** GET /portal/v1/search/suggest and /v1/search/suggest: titles and terms that begin as somebody types. */
import { z } from "zod";
import type { Caller } from "../caller.ts";
import { wholeAnswer } from "../http/answer.ts";
import { type Api, endpoint } from "../http/endpoint.ts";
import { preferredLanguages } from "../http/negotiate.ts";
import { wholeNumber } from "../http/text-shape.ts";
import { inTurn } from "../http/turns.ts";
import { errorFields } from "../log.ts";
import { Problem } from "../problem.ts";
import { KINDS } from "../records/kinds.ts";
import { currentSchema } from "../records/schema.ts";
import { IdShape } from "../records/shape.ts";
import { searchScopes } from "../records/visibility.ts";
import type { Suggestions } from "../search-index.ts";
import { searchWordsOf, sortKey } from "../text.ts";
import { titledKinds, visibleFieldNames } from "./field-reader.ts";
import { shownRecords } from "./hits.ts";
import { SEARCH_TYPES } from "./params.ts";

const SuggestParams = z.strictObject({
  q: z.string().min(1).max(100).openapi({ description: "What was typed so far", example: "harb" }),
  limit: wholeNumber(1, 20).default(10),
});

const SuggestResult = z
  .object({
    records: z.array(z.object({ id: IdShape, record_type: z.enum(KINDS), title: z.string() })),
    terms: z.array(z.object({ field: z.string(), value: z.string(), count: z.int() })),
  })
  .openapi("Suggestions");

export function suggestRoutes(api: Api): void {
  for (const { path, tag, portal } of [
    { path: "/portal/v1/search/suggest", tag: "portal", portal: true },
    { path: "/v1/search/suggest", tag: "search", portal: false },
  ]) {
    endpoint(api, {
      method: "get",
      path,
      tag,
      summary: portal ? "Suggest titles and terms of what is public" : "Suggest titles and terms",
      description:
        "Records whose title begins so or has a word that does, and values of facet fields that begin so, " +
        "each with the number of records that have it; most frequent first.",
      access: "public",
      query: SuggestParams,
      answers: { 200: { description: "Suggestions", schema: SuggestResult } },
      problems: [503],
      handle: async ({ c, caller, query }) => {
        const { sql, search, config, log } = api.services;
        const reader: Caller = portal ? { kind: "visitor" } : caller;
        const schema = await currentSchema(sql);
        const scopes = searchScopes(reader, { portal }, config.publicCollectionStatuses);
        const visible = visibleFieldNames(schema, reader, SEARCH_TYPES);
        let found: Suggestions = { records: [], terms: [] };
        const headers: Record<string, string> = {
          "Cache-Control": reader.kind === "visitor" ? "public, no-cache" : "private, no-store",
        };
        const words = searchWordsOf(query.q);
        try {
          if (words.length > 0)
            found = await inTurn(api, c, caller, () =>
              search.suggest({
                scopes,
                words,
                start: sortKey(query.q),
                titledTypes: titledKinds(schema, reader, SEARCH_TYPES),
                fields: [...schema.facets].filter((field) => visible.has(field)),
                limit: query.limit,
              }),
            );
        } catch (error) {
          if (error instanceof Problem) throw error;
          log.error("search index unreachable", { request_id: c.get("requestId"), ...errorFields(error) });
          headers["X-Search-Degraded"] = "true";
          headers["Cache-Control"] = "no-store";
        }
        const languages = preferredLanguages(c.req.header("Accept-Language"));
        const shown = await shownRecords(sql, schema, reader, found.records, languages);
        const records = found.records.flatMap((id) => {
          const record = shown.get(id);
          return record ? [{ id, record_type: record.record_type, title: record.title }] : [];
        });
        return wholeAnswer(c, { records, terms: found.terms }, 200, headers);
      },
    });
  }
}
