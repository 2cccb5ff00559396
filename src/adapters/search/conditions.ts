/** Translates a query into SQL conditions on the rows of the index (`s` in SQL). */
import { plainArray } from "../../ids.ts";
import { type FieldCondition, type LinkCondition, SEARCH_TARGET } from "../../search-index.ts";
import type { Sql } from "../../services.ts";
import type { FacetTerms } from "./facet-terms.ts";
import { isPossible, type NumberedTerm, needsText, numberedTerms } from "./query-words.ts";
import { AT_ONCE, allOf, anyOf, type Condition, overlaps, scopeCondition } from "./scope.ts";
import type { SearchContext } from "./search-context.ts";
import {
  findByValues,
  type IndexedCondition,
  isInIndex,
  isOfValues,
  type ValueGroup,
} from "./value-conditions.ts";
import { type Audience, tsqueryText } from "./words.ts";

export type WordConditions = {
  where: Condition[];
  /** For each term that is not negated: it is in the title. */
  inTitle: Condition[];
  /** A prefix matches more words than were searched, so there may be more hits. */
  isLeast: boolean;
};

/** The terms of the query. In each scope, only words that its audience may search count. Null if no record can match. */
export async function wordConditions(search: SearchContext): Promise<WordConditions | null> {
  const { sql, query } = search;
  const found: (WordConditions & { scope: Condition })[] = [];
  for (const scope of query.scopes) {
    const words = await wordsFor(search, scope.audience);
    if (words === null) continue;
    if (query.scopes.length === 1) return words;
    found.push({ ...words, scope: scopeCondition(sql, scope) });
  }
  if (found.length === 0) return null;
  const within = (conditions: readonly { scope: Condition; where: readonly Condition[] }[]) =>
    anyOf(
      sql,
      conditions.map(({ scope, where }) => allOf(sql, [scope, ...where])),
    );
  return {
    where: [within(found)],
    inTitle: found[0]!.inTitle.map((_, term) =>
      within(found.map(({ scope, inTitle }) => ({ scope, where: [inTitle[term]!] }))),
    ),
    isLeast: found.some((words) => words.isLeast),
  };
}

async function wordsFor(search: SearchContext, audience: Audience): Promise<WordConditions | null> {
  const { sql } = search;
  const { terms, isLeast } = await numberedTerms(search, audience);
  const where: Condition[] = [];
  const inTitle: Condition[] = [];
  for (const numbered of terms) {
    const { term, anywhere, inTitle: titled } = numbered;
    if (!isPossible(anywhere)) {
      if (term.negated) continue;
      return null;
    }
    where.push(termCondition(search, numbered, audience));
    if (!term.negated)
      inTitle.push(
        allOf(
          sql,
          titled.map((list) => overlaps(sql, list)),
        ),
      );
  }
  return { where: [...where, ...notWaiting(search, audience)], inTitle, isLeast };
}

/** The row has the words of the term, as a phrase if there are several. For a negated term: it has not. */
function termCondition(
  { sql, tables }: SearchContext,
  numbered: NumberedTerm,
  audience: Audience,
): Condition {
  const { term, anywhere, mayBeMore } = numbered;
  // the list of completions is incomplete, so it cannot show that a record has no word with this prefix
  const lists = term.negated && mayBeMore ? anywhere.slice(0, -1) : anywhere;
  const has = lists.map((list) => overlaps(sql, list));
  if (needsText(numbered)) {
    has.push(sql`exists (select 1 from ${tables.texts} t
      where t.id = s.id and t.words @@ ${tsqueryText([{ ...term, negated: false }], audience)}::tsquery)`);
  }
  return term.negated ? sql`not (${allOf(sql, has)})` : allOf(sql, has);
}

/** Conditions on fields and links; null if no record can meet them. */
export async function otherConditions(
  search: SearchContext,
): Promise<{ where: Condition[]; isLeast: boolean } | null> {
  const { sql } = search;
  const alternatives = await indexedAlternatives(search);
  if (!isPossible(alternatives)) return null;
  const where = alternatives.map((either) => anyOf(sql, either));
  let isLeast = false;
  for (const group of await valueGroups(search)) {
    const found = await findByValues(search, group, (words, most) => newestWith(search, where, words, most));
    isLeast ||= found!.isLeast;
    where.push(anyOf(sql, [...group.others, sql`s.id = any(${plainArray(found!.ids)}::uuid[])`]));
  }
  return { where, isLeast };
}

/** Ids of the newest records that meet these conditions and have the words of at least one group. */
async function newestWith(
  { sql, tables, scope }: SearchContext,
  others: readonly Condition[],
  groups: readonly (readonly number[][])[],
  most: number,
): Promise<string[]> {
  const having = groups.map((lists) =>
    allOf(
      sql,
      // checking longer lists would take longer than reading the records
      lists.filter((list) => list.length <= AT_ONCE).map((list) => overlaps(sql, list)),
    ),
  );
  const rows = await sql<{ id: string }[]>`
    select s.id from ${tables.rows} s where ${allOf(sql, [scope, ...others, anyOf(sql, having)])}
    order by s.id desc limit ${most}`;
  return rows.map(({ id }) => id);
}

/**
 * The conditions on links and fields that the index can check. Of each list, one condition must hold; an empty list cannot
 * be met.
 * @param isAsked selects among the conditions that must all hold
 */
export async function indexedAlternatives(
  search: SearchContext,
  isAsked: (condition: FieldCondition) => boolean = () => true,
): Promise<Condition[][]> {
  const { sql, query } = search;
  const all = query.links.map((link) => [linkCondition(sql, link)]);
  for (const one of query.conditions.filter(isInIndex))
    if (isAsked(one)) all.push(await indexedConditions(search, [one]));
  if (query.anyOf.length > 0 && query.anyOf.every(isInIndex))
    all.push(await indexedConditions(search, query.anyOf));
  return all;
}

/** The conditions that only the records themselves can answer: those that must all hold, and those of which one must. */
export async function valueGroups(search: SearchContext): Promise<ValueGroup[]> {
  const { conditions, anyOf: alternatives } = search.query;
  const groups: ValueGroup[] = [{ conditions: conditions.filter(isOfValues), any: false, others: [] }];
  const ofValues = alternatives.filter(isOfValues);
  if (ofValues.length > 0) {
    const others = await indexedConditions(search, alternatives.filter(isInIndex));
    groups.push({ conditions: ofValues, any: true, others });
  }
  return groups.filter((group) => group.conditions.length > 0);
}

/** Leaves out conditions that no record can meet. */
async function indexedConditions(
  { sql, facetTerms, tables }: SearchContext,
  conditions: readonly IndexedCondition[],
): Promise<Condition[]> {
  const all: Condition[] = [];
  for (const condition of conditions) {
    if (condition.op === "is") {
      const terms = await termsOf(facetTerms, condition);
      if (terms.length === 0) continue;
      all.push(terms.length === 1 ? sql`s.terms @> ${terms}::int[]` : sql`s.terms && ${terms}::int[]`);
      continue;
    }
    const number = await facetTerms.fieldNumber(condition.field);
    if (number === undefined) continue;
    all.push(sql`s.id in (
      select g.id from ${tables.ranges} g
      where g.field_no = ${number} and g.low <= ${condition.to} and g.high >= ${condition.from})`);
  }
  return all;
}

/** Numbers of the facet values that meet the condition. */
export async function termsOf(
  facetTerms: FacetTerms,
  { field, values, also = [] }: Extract<FieldCondition, { op: "is" }>,
): Promise<number[]> {
  const terms: number[] = [];
  for (const name of [field, ...also]) {
    const number = await facetTerms.fieldNumber(name);
    if (number !== undefined) terms.push(...(await facetTerms.findTerms(number, values)));
  }
  return terms;
}

export function linkCondition(sql: Sql, link: LinkCondition): Condition {
  if ("among" in link) return sql`s.id = any(${plainArray(link.among)}::uuid[])`;
  const { ids, relationTypes } = link;
  const known = relationTypes === null ? sql`` : sql`and l.relation_type = any(${relationTypes as string[]})`;
  return sql`s.id in (
    select l.from_id from relations l where l.to_id = any(${ids as string[]}) ${known}
    union
    select l.to_id from relations l where l.from_id = any(${ids as string[]}) ${known})`;
}

/**
 * A changed record that waits to be indexed (`hides`) may have lost a word, or the word may no longer be public. Until it is
 * indexed again, visitors do not find it by any word. Returns no condition if no record waits.
 */
function notWaiting({ sql, state, query }: SearchContext, audience: Audience): Condition[] {
  // without `offset 0`, the planner, which has no statistics of words, would look up each hit
  return state.waiting && audience === "public" && query.terms.length > 0
    ? [
        sql`not exists (
          select 1 from (select record_id from outbox where target = ${SEARCH_TARGET} and hides offset 0) o where o.record_id = s.id)`,
      ]
    : [];
}
