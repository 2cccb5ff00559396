/** GET /portal/v1/search/suggest and /v1/search/suggest: titles and facet values that begin with what was typed. */
import { z } from "zod";
import { VISITOR } from "../caller.ts";
import { wholeAnswer } from "../http/answer/answer.ts";
import { NEVER_UNASKED } from "../http/answer/caching.ts";
import { preferredLanguages } from "../http/answer/negotiate.ts";
import { withinLimit } from "../http/concurrency-limit.ts";
import { type Api, endpoint } from "../http/endpoint.ts";
import { wholeNumber } from "../http/text-shape.ts";
import type { Suggestions } from "../ports/search-index.ts";
import { KINDS } from "../records/kinds.ts";
import { readHits } from "../records/public/neighbours.ts";
import { labelsOfTerms, termKey } from "../records/public/terms.ts";
import { currentSchema, type Field, type Labels, type Schema } from "../records/schema.ts";
import { IdShape } from "../records/shape.ts";
import { searchScopes } from "../records/visibility.ts";
import type { Sql } from "../services.ts";
import { searchWordsOf, sortKey } from "../text.ts";
import { titledKinds, visibleFieldNames } from "./field-reader.ts";
import { SEARCH_TYPES } from "./params.ts";
import { DEGRADED, orDegraded } from "./search.ts";

const SuggestParams = z.strictObject({
  q: z.string().min(1).max(100).openapi({ description: "What was typed so far", example: "harb" }),
  limit: wholeNumber(1, 20).default(10),
});

const SuggestResult = z
  .object({
    records: z
      .array(
        z.object({
          id: IdShape,
          record_type: z.enum(KINDS),
          title: z.string().openapi({ description: "The title of the record" }),
        }),
      )
      .openapi({ description: "Records whose title begins like this or has these words" }),
    terms: z
      .array(
        z.object({
          field: z.string(),
          value: z.string(),
          count: z.int(),
          label: z.string().openapi({ description: "The value in the reader's language", example: "Papier" }),
          field_label: z
            .string()
            .openapi({ description: "The field in the reader's language", example: "Material" }),
        }),
      )
      .openapi({ description: "Values of facet fields that begin like this" }),
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
      summary: portal ? "Suggest public titles and terms" : "Suggest titles and terms",
      description:
        "Records whose title, or a word of it, begins with `q`; and values of facet fields that begin with `q`, with the " +
        "number of records that have them, most frequent first.",
      access: "public",
      query: SuggestParams,
      answers: { 200: { description: "Suggestions", schema: SuggestResult } },
      problems: [503],
      handle: async ({ c, caller, query }) => {
        const { sql, search, config, log } = api.services;
        const reader = portal ? VISITOR : caller;
        const schema = await currentSchema(sql);
        const scopes = searchScopes(reader, { portal }, config.publicCollectionStatuses);
        const visible = visibleFieldNames(schema, reader, SEARCH_TYPES);
        const words = searchWordsOf(query.q);
        const none: Suggestions = { records: [], terms: [] };
        const ask = async () =>
          words.length === 0
            ? none
            : search.suggest({
                scopes,
                words,
                start: sortKey(query.q),
                titledTypes: titledKinds(schema, reader, SEARCH_TYPES),
                fields: [...schema.facets].filter((field) => visible.has(field)),
                limit: query.limit,
              });
        const { answer: found, degraded } = await orDegraded(log, c.get("requestId"), none, () =>
          withinLimit(api, { c, caller }, ask),
        );
        const caching = reader.kind === "visitor" ? NEVER_UNASKED : "private, no-store";
        const headers: Record<string, string> = degraded ? DEGRADED : { "Cache-Control": caching };
        const languages = preferredLanguages(c.req.header("Accept-Language"));
        const shown = await readHits(sql, schema, reader, found.records, languages);
        const records = found.records.flatMap((id) => {
          const record = shown.get(id);
          return record ? [{ id, record_type: record.record_type, title: record.title }] : [];
        });
        const terms = await termsInWords(sql, schema, languages, found.terms);
        return wholeAnswer(c, { records, terms }, 200, headers);
      },
    });
  }
}

/** Adds names of field and value, in the first of these languages that has one. */
async function termsInWords(
  sql: Sql,
  schema: Schema,
  languages: readonly string[],
  terms: Suggestions["terms"],
): Promise<z.infer<typeof SuggestResult>["terms"]> {
  const fieldOf = (name: string): Field | undefined =>
    SEARCH_TYPES.map((kind) => schema.fields.get(kind)?.get(name)).find((field) => field !== undefined);
  const values = terms.flatMap(({ field, value }) => {
    const vocabulary = fieldOf(field)?.vocabulary;
    return vocabulary ? [{ vocabulary, value }] : [];
  });
  const labels = await labelsOfTerms(sql, values);
  const tags = languages.flatMap((tag) => [tag, tag.split("-")[0]!]);
  const named = (own: Labels, name: string) =>
    own[[...tags, "en", ...Object.keys(own)].find((tag) => Object.hasOwn(own, tag)) ?? ""] ?? name;
  return terms.map(({ field, value, count }) => {
    const known = fieldOf(field);
    const own = labels.get(termKey(known?.vocabulary, value)) ?? {};
    return { field, value, count, label: named(own, value), field_label: named(known?.label ?? {}, field) };
  });
}
