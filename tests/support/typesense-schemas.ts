/**
 * What Typesense's API takes and gives, as JSON schemas written from its documentation (versions 29 and 30: collections,
 * documents, search, federated search, aliases, health). Only what the adapter uses is known; all else is refused.
 */
import { Ajv, type ValidateFunction } from "ajv";

const text = { type: "string" } as const;
const count = { type: "integer", minimum: 0 } as const;
const flag = { type: "boolean" } as const;
const name = { type: "string", pattern: "^[A-Za-z0-9_.*-]+$", maxLength: 200 } as const;

const closed = (properties: Record<string, unknown>, required: readonly string[] = []) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

const field = {
  name,
  type: {
    enum: [
      ...["string", "string[]", "int32", "int32[]", "int64", "int64[]", "float", "float[]", "bool", "bool[]"],
      ...["geopoint", "geopoint[]", "object", "object[]", "string*", "auto"],
    ],
  },
  facet: flag,
  optional: flag,
  index: flag,
  store: flag,
  sort: flag,
  infix: flag,
  locale: text,
  range_index: flag,
  stem: flag,
  truncate_len: count,
};

/** Parameters of a search; where the adapter may send one value only, since the double does nothing else, it is that. */
const search = closed(
  {
    collection: name,
    q: { type: "string", minLength: 1, maxLength: 4_000 },
    query_by: { type: "string", pattern: "^[a-z][a-z0-9_]*(,[a-z][a-z0-9_]*)*$" },
    query_by_weights: { type: "string", pattern: "^\\d{1,3}(,\\d{1,3})*$" },
    text_match_type: { enum: ["max_score", "max_weight", "sum_score"] },
    prefix: flag,
    num_typos: { type: "integer", minimum: 0, maximum: 2 },
    drop_tokens_threshold: { const: 0 },
    split_join_tokens: { const: "off" },
    max_candidates: { type: "integer", minimum: 1 },
    max_filter_by_candidates: { type: "integer", minimum: 1 },
    filter_by: { type: "string", minLength: 1 },
    sort_by: { type: "string", minLength: 1 },
    min_len_1typo: count,
    min_len_2typo: count,
    facet_by: { type: "string", pattern: "^[a-z][a-z0-9_]*(,[a-z][a-z0-9_]*)*$" },
    facet_strategy: { enum: ["exhaustive", "top_values", "automatic"] },
    max_facet_values: count,
    offset: count,
    limit: { type: "integer", minimum: 0, maximum: 250 },
    include_fields: text,
    enable_highlight_v1: { const: false },
    highlight_fields: { const: "none" },
    highlight_full_fields: { const: "none" },
  },
  ["collection", "q"],
);

const fields = { type: "array", minItems: 1, items: closed(field, ["name", "type"]) };

const collection = closed(
  {
    name,
    num_documents: count,
    created_at: count,
    fields,
    default_sorting_field: text,
    enable_nested_fields: flag,
    symbols_to_index: { type: "array", items: text },
    token_separators: { type: "array", items: text },
  },
  ["name", "num_documents", "created_at"],
);

const alias = closed({ name, collection_name: name }, ["name", "collection_name"]);

const hit = closed(
  {
    document: { type: "object", required: ["id"], properties: { id: text } },
    highlight: { type: "object" },
    highlights: { type: "array" },
    text_match: count,
    text_match_info: { type: "object" },
  },
  ["document", "highlight", "highlights"],
);

const found = closed(
  {
    facet_counts: {
      type: "array",
      items: closed(
        {
          counts: {
            type: "array",
            items: closed({ count, highlighted: text, value: text }, ["count", "highlighted", "value"]),
          },
          field_name: text,
          sampled: flag,
          stats: closed({ total_values: count }, ["total_values"]),
        },
        ["counts", "field_name", "stats"],
      ),
    },
    found: count,
    hits: { type: "array", items: hit },
    out_of: count,
    page: count,
    request_params: { type: "object" },
    search_cutoff: flag,
    search_time_ms: count,
  },
  ["facet_counts", "found", "hits", "out_of", "page", "search_cutoff", "search_time_ms"],
);

const problem = closed({ code: count, error: text }, ["code", "error"]);
const nothing = { type: "null" };
const noParameters = closed({});

export type Exchange = {
  /** Query parameters, all of them texts. */
  parameters: object;
  /** JSON body; null where there is none. A body of lines is judged line by line. */
  request: object;
  /** By status; those that are not here are `{message}`. */
  answers: Record<number, object>;
  /** Content type of the body, when it is not JSON. */
  lines?: true;
};

const message = closed({ message: text }, ["message"]);

/** By operation. */
export const EXCHANGES: Record<string, Exchange> = {
  "GET /health": {
    parameters: noParameters,
    request: nothing,
    answers: { 200: closed({ ok: flag }, ["ok"]), 503: closed({ ok: flag }, ["ok"]) },
  },
  "GET /collections": {
    parameters: closed({ exclude_fields: { const: "fields" }, limit: text, offset: text }),
    request: nothing,
    answers: { 200: { type: "array", items: collection } },
  },
  "POST /collections": {
    parameters: noParameters,
    request: closed(
      {
        name,
        fields,
        default_sorting_field: text,
        enable_nested_fields: flag,
        symbols_to_index: { type: "array", items: text },
        token_separators: { type: "array", items: text },
      },
      ["name", "fields"],
    ),
    answers: { 201: collection },
  },
  "GET /collections/:name": { parameters: noParameters, request: nothing, answers: { 200: collection } },
  "DELETE /collections/:name": { parameters: noParameters, request: nothing, answers: { 200: collection } },
  "POST /collections/:name/documents/import": {
    parameters: closed({
      action: { enum: ["create", "upsert", "update", "emplace"] },
      dirty_values: { enum: ["coerce_or_reject", "coerce_or_drop", "drop", "reject"] },
      batch_size: text,
      return_id: text,
      return_doc: text,
      // not Typesense's: the client adds it to the address
      throwOnFail: { enum: ["true", "false"] },
    }),
    request: { type: "object", properties: { id: text }, required: ["id"] },
    answers: {
      200: closed({ success: flag, error: text, code: count, document: text }, ["success"]),
    },
    lines: true,
  },
  "DELETE /collections/:name/documents": {
    parameters: closed({ filter_by: { type: "string", minLength: 1, maxLength: 4_000 }, batch_size: text }, [
      "filter_by",
    ]),
    request: nothing,
    answers: { 200: closed({ num_deleted: count }, ["num_deleted"]) },
  },
  "GET /aliases/:name": { parameters: noParameters, request: nothing, answers: { 200: alias } },
  "PUT /aliases/:name": {
    parameters: noParameters,
    request: closed({ collection_name: name }, ["collection_name"]),
    answers: { 200: alias },
  },
  "DELETE /aliases/:name": { parameters: noParameters, request: nothing, answers: { 200: alias } },
  "POST /multi_search": {
    parameters: noParameters,
    request: closed({ searches: { type: "array", minItems: 1, maxItems: 50, items: search } }, ["searches"]),
    answers: {
      200: closed({ results: { type: "array", items: { anyOf: [found, problem] } } }, ["results"]),
    },
  },
};

const ajv = new Ajv({ allErrors: true, strict: true, strictTypes: false });
const compiled = new Map<object, ValidateFunction>();

/** What is wrong with a value, or null. */
export function faultOf(schema: object, value: unknown): string | null {
  const validate = compiled.get(schema) ?? ajv.compile(schema);
  compiled.set(schema, validate);
  return validate(value) ? null : ajv.errorsText(validate.errors);
}

export function answerSchema({ answers }: Exchange, status: number): object {
  return answers[status] ?? message;
}
