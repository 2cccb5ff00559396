/** A query of the core as one search of Typesense. */
import {
  type FieldCondition,
  MOST_VALUES,
  type SearchQuery,
  type SearchScope,
  type SearchTerm,
} from "../../search-index.ts";
import { codeOf } from "./typesense-codes.ts";
import {
  allOf,
  anyOf,
  conditionFilter,
  isText,
  isTooLong,
  linkFilter,
  otherIdsFilter,
  scopeFilter,
  termFilters,
  titleFilter,
} from "./typesense-filter.ts";
import { audienceOf, textFields } from "./typesense-record.ts";
import type { Search } from "./typesense-server.ts";

/** Beginnings of words that are followed; the usual four would lose hits. */
const MOST_BEGINNINGS = 10_000;

export type Prepared = {
  /** Typesense's fields, of those that come with records. */
  known: ReadonlySet<string>;
  /** Records that fulfil a condition on a field whose values Typesense does not have. */
  ids: ReadonlyMap<FieldCondition, readonly string[]>;
  /** Records that are not to be found. */
  left: readonly string[];
  /** Typesense's fields that are counted. */
  counted: readonly string[];
};

/**
 * Null when no record can fulfil what is asked for.
 * @param loose words in which errors are allowed for. All others are filters then, and only what every scope may be
 * found by is searched: a filter cannot say in which text an error was found.
 */
export function searchOf(
  query: SearchQuery,
  prepared: Prepared,
  loose: ReadonlySet<string> = new Set(),
): Search | null {
  const { scopes, links } = query;
  const { text, said } = textOf(query.terms);
  const audiences = new Set(scopes.map(({ audience }) => audience));
  // with several audiences the texts that are searched are those of the widest: each scope has its words as filters
  const apart = audiences.size > 1 || loose.size > 0;
  const held = query.terms.filter((term) => !isLoose(term, loose));
  const inScope = (scope: SearchScope) =>
    allOf([
      scopeFilter(scope),
      ...termFilters(scope.audience, held, apart ? "everything" : said),
      ...links.map((link) => linkFilter(link, scope.audience)),
      ...(scope.audience === "public" ? otherIdsFilter(prepared.left) : []),
    ]);
  const filterOf = (spans: "apart" | "together") => {
    const one = (condition: FieldCondition) =>
      conditionFilter(condition, prepared.known, prepared.ids, spans);
    return allOf([
      anyOf(scopes.map(inScope)),
      ...query.conditions.map(one),
      ...(query.anyOf.length > 0 ? [anyOf(query.anyOf.map(one))] : []),
    ]);
  };
  const whole = filterOf("apart");
  if (whole === null) return null;
  const { counted } = prepared;
  return {
    ...wording(audienceOf(scopes, loose.size > 0 ? "narrowest" : "widest"), text),
    filter_by: isTooLong(whole) ? filterOf("together")! : whole,
    sort_by: sorting(query, text !== null),
    ...(counted.length > 0
      ? {
          facet_by: counted.join(","),
          max_facet_values: query.mostValues ?? MOST_VALUES,
          facet_strategy: "exhaustive",
        }
      : {}),
  };
}

/** Whether errors are allowed for in the word: it is one of these, and not in quotation marks. */
export function isLoose(term: SearchTerm, words: ReadonlySet<string>): boolean {
  return isText(term) && !term.exact && term.words.length === 1 && words.has(term.words[0]!);
}

/** Whether hits have a score of their own: whether the text search found them. */
export function isScored({ terms }: SearchQuery): boolean {
  return textOf(terms).text !== null;
}

/**
 * The words that are searched in the texts; null when there are none. `said` is the phrase that the text has: of several
 * Typesense would not ask for all.
 */
function textOf(terms: readonly SearchTerm[]): { text: string | null; said: SearchTerm | null } {
  const plain = terms.filter(isText);
  let said: SearchTerm | null = null;
  for (const term of plain) {
    if (term.words.length > 1 && term.words.length > (said?.words.length ?? 0)) said = term;
  }
  const parts = plain.map((term) => {
    const coded = term.words.map(codeOf).join(" ");
    return term === said ? `"${coded}"` : coded;
  });
  return { text: parts.length > 0 ? parts.join(" ") : null, said };
}

/** Every word in some text of the audience, to the letter. */
function wording(audience: SearchScope["audience"], text: string | null): Search {
  const shared: Search = {
    include_fields: "id",
    max_filter_by_candidates: MOST_BEGINNINGS,
    enable_highlight_v1: false,
  };
  if (text === null) return { ...shared, q: "*" };
  const fields = textFields(audience);
  return {
    ...shared,
    q: text,
    query_by: fields.map(({ name }) => name).join(","),
    query_by_weights: fields.map(({ weight }) => weight).join(","),
    text_match_type: "max_weight",
    prefix: false,
    num_typos: 0,
    drop_tokens_threshold: 0,
    split_join_tokens: "off",
    highlight_full_fields: "none",
  };
}

/** Typesense sorts by three things. */
function sorting({ sort, scopes, terms }: SearchQuery, hasText: boolean): string {
  const { by, direction } = sort;
  if (by === "relevance") {
    // what the text search does not weigh comes first where it stands in what names the record
    const titled = titleFilter(
      audienceOf(scopes, "narrowest"),
      terms.filter((term) => !isText(term)),
    );
    const keys = [
      ...(hasText ? ["_text_match:desc"] : []),
      ...(titled === null ? [] : [`_eval(${titled}):desc`]),
      ...["id_1:desc", "id_2:desc", "id_3:desc"],
    ];
    return keys.slice(0, 3).join(",");
  }
  const field = {
    idno: "sort_idno",
    title: "sort_title",
    created_at: "created_at",
    updated_at: "updated_at",
  }[by];
  return `${field}:${direction},id_1:${direction},id_2:${direction}`;
}
