/** Translates the parameters of a search into a query for the index. */

import { type Caller, VISITOR } from "../caller.ts";
import { UUID } from "../ids.ts";
import { said, toldText } from "../messages/said.ts";
import { MADE, MOST_PREFIXES, type SearchQuery } from "../ports/search-index.ts";
import { type Fault, invalid } from "../problem.ts";
import { KINDS, type Kind, type Status } from "../records/kinds.ts";
import type { Schema } from "../records/schema.ts";
import { maySeeRelationType, readsAll, searchScopes, seesPrivateMedia } from "../records/visibility.ts";
import { numberStarts } from "../text/number-first.ts";
import { PICTURES } from "./buckets.ts";
import { readClause } from "./clause.ts";
import { FieldReader, notOneOf, visibleFieldNames } from "./field-reader.ts";
import { type Params, SEARCH_TYPES } from "./params.ts";
import { MOST_TERMS, namesTyped, parseSearch } from "./query.ts";
import type { Stems } from "./stems.ts";

/** Hits that can be reached by paging. Lists and OAI-PMH have no such limit. */
const DEEPEST = 10_000;
const MOST_CLAUSES = 20;

export type SearchRequest = {
  query: SearchQuery;
  /** What was typed for each term of the query. */
  typed: readonly string[];
  /** For each counted field of the index, the name that the request used. */
  facetNames: ReadonlyMap<string, string>;
  /** Records that hits must be linked to. A record of a tree includes the records below it. */
  linked: readonly { kind: Kind; id: string }[];
};

/** Unparsed clauses. `any`: one must hold; else all must. */
export type Clauses = { clauses: readonly string[]; any: boolean };

/** `lenient`: unknown subtypes and collection statuses find nothing, so that old links to pages still work. */
type Setting = {
  publicCollectionStatuses: readonly string[];
  portal: boolean;
  lenient?: boolean;
  /** Instead of the parameter `type`; storage locations, too. */
  kinds?: readonly Kind[] | undefined;
  stems: Stems;
};

/** Returns the query without its links, which need the database. Throws one 422 with the faults of all parameters. */
export function readSearch(
  schema: Schema,
  reader: Caller,
  params: Params,
  { clauses: texts, any }: Clauses,
  { publicCollectionStatuses, portal, lenient = false, kinds, stems }: Setting,
): SearchRequest {
  const {
    q,
    type,
    status,
    page,
    page_size,
    facets,
    sort_by,
    sort_dir,
    has_picture,
    include: _,
    ...rest
  } = params;
  const faults: Fault[] = [];
  const types = kinds ?? readTypes(type, faults);
  const visible = visibleFieldNames(schema, reader, types ?? SEARCH_TYPES);
  const fields = new FieldReader(schema, visible, faults);
  const linked: SearchRequest["linked"][number][] = [];
  for (const kind of KINDS) {
    const given = rest[`rel_${kind}`];
    delete rest[`rel_${kind}`];
    if (given === undefined) continue;
    if (typeof given === "string" && UUID.test(given)) linked.push({ kind, id: given.toLowerCase() });
    else faults.push({ pointer: `query:rel_${kind}`, detail: said("fault.search.record_id") });
  }
  const parsed = parseSearch(q ?? "", stems);
  const terms = parsed.map(({ term }) => term);
  if (terms.length > MOST_TERMS)
    faults.push({ pointer: "query:q", detail: said("fault.search.terms", { most: MOST_TERMS }) });
  if (terms.filter((term) => term.prefix).length > MOST_PREFIXES)
    faults.push({ pointer: "query:q", detail: said("fault.search.prefixes", { most: MOST_PREFIXES }) });
  const facetNames = fields.facets(facets);
  const conditions = fields.conditions(rest, lenient);
  const pictured = { field: PICTURES, values: seesPrivateMedia(reader) ? ["public", "private"] : ["public"] };
  if (has_picture) conditions.push({ op: "is", isFacet: true, ...pictured });
  if (sort_by === "date") fields.knows("query:sort_by", MADE);
  const clauses = texts.slice(0, MOST_CLAUSES).map((text) => readClause(text, fields));
  if (texts.length > MOST_CLAUSES)
    faults.push({ pointer: "query:clause", detail: said("fault.search.clauses", { most: MOST_CLAUSES }) });
  if (page * page_size > DEEPEST) {
    faults.push({ pointer: "query:page", detail: said("fault.search.depth", { most: DEEPEST }) });
  }
  if (faults.length > 0) throw invalid(withoutDuplicates(faults));
  const validClauses = clauses.filter((one) => one !== null);
  const query: SearchQuery = {
    scopes: searchScopes(
      reader,
      { types, status: status as Status | undefined, portal },
      publicCollectionStatuses,
    ),
    terms,
    numbers: terms.every(({ negated, exact }) => !negated && !exact) ? numberStarts(q ?? "") : [],
    names: terms.every(({ negated, prefix }) => !negated && !prefix) ? namesTyped(q ?? "") : [],
    conditions: any ? conditions : [...conditions, ...validClauses],
    anyOf: any ? validClauses : [],
    links: [],
    facets: [...facetNames.keys()].map((field) => ({ field, isFacet: fields.isFacet(field) })),
    sort: { by: sort_by, direction: sort_dir ?? (sort_by.endsWith("_at") ? "desc" : "asc") },
    first: pictured,
    offset: (page - 1) * page_size,
    limit: page_size,
  };
  return { query, typed: parsed.map(({ typed }) => typed), facetNames, linked };
}

/** The relation types by which the reader may search; null: all. Staff who may not read every kind use public ones only. */
export function visibleRelationTypes(schema: Schema, reader: Caller): string[] | null {
  if (readsAll(reader)) return null;
  return [...schema.relationTypes.values()]
    .filter((type) => maySeeRelationType(VISITOR, type))
    .map((type) => type.name);
}

/** Both ends of a range may have the same fault. */
function withoutDuplicates(faults: readonly Fault[]): Fault[] {
  return [...new Map(faults.map((fault) => [`${fault.pointer} ${toldText(fault.detail)}`, fault])).values()];
}

function readTypes(type: string | undefined, faults: Fault[]): readonly Kind[] | undefined {
  if (type === undefined) return undefined;
  const names = [...new Set(type.split(",").map((name) => name.trim()))];
  for (const name of names) {
    if (!SEARCH_TYPES.includes(name as Kind))
      faults.push({ pointer: "query:type", detail: notOneOf(name, SEARCH_TYPES) });
  }
  return names as Kind[];
}
