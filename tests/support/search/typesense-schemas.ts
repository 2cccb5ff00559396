/**
 * Requests and answers of Typesense's API as JSON schemas, written from its documentation (versions 29 and 30). They have
 * only what the adapter uses; everything else is refused.
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

const whole = (properties: Record<string, unknown>) => closed(properties, Object.keys(properties));

const field = {
  name,
  type: {
    enum: ["string", "string[]", "int32", "int64", "int64[]", "float", "bool", "object", "object[]", "auto"],
  },
  facet: flag,
  optional: flag,
  sort: flag,
  stem: flag,
  locale: text,
};

const names = { type: "string", pattern: "^[A-Za-z][A-Za-z0-9_]*(,[A-Za-z][A-Za-z0-9_]*)*$" };

/** Parameters of a search. Where the double supports only one value, only that value is allowed. */
const search = closed(
  {
    collection: name,
    q: { type: "string", minLength: 1, maxLength: 4_000 },
    query_by: names,
    query_by_weights: { type: "string", pattern: "^\\d{1,3}(,\\d{1,3})*$" },
    text_match_type: { const: "max_weight" },
    prefix: flag,
    num_typos: { type: "integer", minimum: 0, maximum: 2 },
    drop_tokens_threshold: { const: 0 },
    split_join_tokens: { const: "off" },
    max_candidates: { type: "integer", minimum: 1 },
    max_filter_by_candidates: { type: "integer", minimum: 1 },
    filter_by: { type: "string", minLength: 1 },
    sort_by: { type: "string", minLength: 1 },
    facet_by: names,
    facet_strategy: { const: "exhaustive" },
    facet_query: text,
    facet_query_num_typos: { const: 0 },
    max_facet_values: count,
    page: { type: "integer", minimum: 1 },
    per_page: { type: "integer", minimum: 0, maximum: 250 },
    include_fields: text,
    highlight_fields: names,
  },
  ["collection", "q"],
);

const fields = { type: "array", minItems: 1, items: closed(field, ["name", "type"]) };
const collection = closed({ name, num_documents: count, created_at: count, fields }, [
  "name",
  "num_documents",
]);
const alias = whole({ name, collection_name: name });
const value = whole({ count, highlighted: text, value: text });
const hit = closed(
  {
    document: { type: "object", required: ["id"], properties: { id: text } },
    highlight: { type: "object" },
    text_match: count,
  },
  ["document", "highlight"],
);
const found = whole({
  facet_counts: {
    type: "array",
    items: whole({ counts: { type: "array", items: value }, field_name: text }),
  },
  found: count,
  hits: { type: "array", items: hit },
  out_of: count,
  search_cutoff: flag,
});
const health = whole({ ok: flag });

export type Exchange = {
  /** Query parameters, all of them strings. None by default. */
  parameters?: object;
  /** JSON body. None by default. Lines are checked one by one. */
  request?: object;
  /** By status. Others are `{message}`. */
  answers: Record<number, object>;
  /** The body is lines of JSON. */
  lines?: true;
};

/** By operation. */
export const EXCHANGES: Record<string, Exchange> = {
  "GET /health": { answers: { 200: health, 503: health } },
  "GET /collections": {
    parameters: closed({ exclude_fields: { const: "fields" } }),
    answers: { 200: { type: "array", items: collection } },
  },
  "POST /collections": {
    request: whole({ name, fields, enable_nested_fields: flag }),
    answers: { 201: collection },
  },
  "GET /collections/:name": { answers: { 200: collection } },
  "DELETE /collections/:name": { answers: { 200: collection } },
  "POST /collections/:name/documents/import": {
    parameters: whole({
      action: { const: "upsert" },
      dirty_values: { const: "reject" },
      // not Typesense's: the client adds it to the address
      throwOnFail: { const: "false" },
    }),
    request: { type: "object", properties: { id: text }, required: ["id"] },
    answers: { 200: closed({ success: flag, error: text, code: count, document: text }, ["success"]) },
    lines: true,
  },
  "DELETE /collections/:name/documents": {
    parameters: whole({ filter_by: { type: "string", minLength: 1, maxLength: 4_000 } }),
    answers: { 200: whole({ num_deleted: count }) },
  },
  "GET /aliases/:name": { answers: { 200: alias } },
  "PUT /aliases/:name": { request: whole({ collection_name: name }), answers: { 200: alias } },
  "DELETE /aliases/:name": { answers: { 200: alias } },
  "POST /multi_search": {
    request: whole({ searches: { type: "array", minItems: 1, maxItems: 50, items: search } }),
    answers: {
      200: whole({
        results: { type: "array", items: { anyOf: [found, whole({ code: count, error: text })] } },
      }),
    },
  },
};

const ajv = new Ajv({ allErrors: true, strict: true, strictTypes: false });
const compiled = new Map<string, ValidateFunction>();

/** What is wrong with a value, or null. */
function faultOf(schema: object, value: unknown): string | null {
  const key = JSON.stringify(schema);
  const validate = compiled.get(key) ?? ajv.compile(schema);
  compiled.set(key, validate);
  return validate(value) ? null : ajv.errorsText(validate.errors);
}

/** What is wrong with a request, or null. */
export function requestFault(
  { parameters = whole({}), request = { type: "null" } }: Exchange,
  query: unknown,
  bodies: readonly unknown[],
): string | null {
  return (
    faultOf(parameters, query) ??
    bodies.map((body) => faultOf(request, body)).find((fault) => fault !== null) ??
    null
  );
}

/** What is wrong with an answer, or null. */
export function answerFault({ answers, lines }: Exchange, status: number, body: unknown): string | null {
  const schema = answers[status] ?? whole({ message: text });
  const parts = lines && status === 200 ? (body as unknown[]) : [body];
  return parts.map((part) => faultOf(schema, part)).find((fault) => fault !== null) ?? null;
}
