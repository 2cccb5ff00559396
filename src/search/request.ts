/** Translates the parameters of a search into a query for the index. */

import { type Caller, VISITOR } from "../caller.ts";
import { UUID } from "../ids.ts";
import { said, toldText } from "../messages/said.ts";
import { type LinkCondition, MOST_PREFIXES, type SearchQuery } from "../ports/search-index.ts";
import { type Fault, invalid } from "../problem.ts";
import { KINDS, type Kind, type Status } from "../records/kinds.ts";
import { mergedTarget } from "../records/merge/store.ts";
import type { Schema } from "../records/schema.ts";
import {
  maySeeRelationType,
  readsAll,
  searchScopes,
  seesPrivateMedia,
  visibleTo,
} from "../records/visibility.ts";
import { MADE } from "../records/write/sort-keys.ts";
import type { Sql } from "../services.ts";
import { numberStarts } from "../text/number-first.ts";
import { PICTURES } from "./buckets.ts";
import { readClause } from "./clause.ts";
import { FieldReader, notOneOf, visibleFieldNames } from "./field-reader.ts";
import { type Params, SEARCH_TYPES } from "./params.ts";
import { MOST_TERMS, namesTyped, parseSearch } from "./query.ts";
import type { Stems } from "./stems.ts";

/** The most hits that paging reaches. Lists and OAI-PMH have no such limit. */
const DEEPEST = 10_000;
const MOST_CLAUSES = 20;

export type SearchRequest = {
  query: SearchQuery;
  /** What was typed for each term of the query. */
  typed: readonly string[];
  /** The name that the request used for each counted field of the index. */
  facetNames: ReadonlyMap<string, string>;
  /** Records that hits must be linked to. A record in a tree includes those below it. */
  linked: readonly { kind: Kind; id: string }[];
};

/** Unparsed clauses. `any`: one of them must hold; otherwise all must. */
export type Clauses = { clauses: readonly string[]; any: boolean };

/** `lenient`: unknown subtypes, collection statuses and makers find nothing, so that old links to pages still work. */
type Setting = {
  publicCollectionStatuses: readonly string[];
  portal: boolean;
  lenient?: boolean;
  /** Instead of the parameter `type`; may include storage locations. */
  kinds?: readonly Kind[] | undefined;
  stems: Stems;
};

/** Returns the query without its links, which need the database. Throws a 422 with the faults of all parameters. */
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

/** The relation types by which the reader may search; null: all. Staff who may not read every kind use only public ones. */
export function visibleRelationTypes(schema: Schema, reader: Caller): string[] | null {
  if (readsAll(reader)) return null;
  return [...schema.relationTypes.values()]
    .filter((type) => maySeeRelationType(VISITOR, type))
    .map((type) => type.name);
}

/** The two ends of a range may have the same fault. */
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

/** The most records of a tree that a search includes, and the most records that one object is linked to. */
const MOST_LINKED = 10_000;

/**
 * The parameters about linked records as conditions on links that the reader may know. Null if the reader may not see one of the
 * records: then nothing is found.
 */
export async function linkConditions(
  sql: Sql,
  reader: Caller,
  linked: SearchRequest["linked"],
  relationTypes: readonly string[] | null,
): Promise<LinkCondition[] | null> {
  const conditions: LinkCondition[] = [];
  for (const { kind, id: asked } of linked) {
    const id = await idNow(sql, reader, asked);
    // leaves out all records below one that the reader may not see
    const rows = await sql<{ id: string }[]>`
      with recursive below as (
        select r.id from records r
        where r.id = ${id} and r.record_type = ${kind} and ${visibleTo(sql, reader)}
        union
        select r.id from records r join below on r.parent_id = below.id
        where r.record_type = ${kind} and ${visibleTo(sql, reader)})
      select id from below limit ${MOST_LINKED}`;
    if (rows.length === 0) return null;
    const ids = rows.map((row) => row.id);
    // the index has a link from an object only with that object (`project.ts`), so the other ends are read here
    conditions.push(
      kind === "object" ? { among: await otherEndsOf(sql, id, relationTypes) } : { ids, relationTypes },
    );
  }
  return conditions;
}

/** The id of the record into which this one was merged, if it was: old addresses and saved views may still name it. */
export async function idNow(sql: Sql, reader: Caller, id: string): Promise<string> {
  return (await mergedTarget(sql, reader, id))?.id ?? id;
}

async function otherEndsOf(sql: Sql, id: string, relationTypes: readonly string[] | null): Promise<string[]> {
  const known = relationTypes === null ? sql`` : sql`and relation_type = any(${relationTypes as string[]})`;
  const rows = await sql<{ id: string }[]>`
    select to_id as id from relations where from_id = ${id} ${known}
    union
    select from_id from relations where to_id = ${id} ${known}
    limit ${MOST_LINKED}`;
  return rows.map((row) => row.id);
}
