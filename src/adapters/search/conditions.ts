/** What must hold for the rows of the index, named `s`, where the database answers: words, fields, links. */
import { plainArray } from "../../ids.ts";
import {
  type FieldCondition,
  type LinkCondition,
  SEARCH_TARGET,
  type SearchTerm,
} from "../../search-index.ts";
import type { Sql } from "../../services.ts";
import type { Dictionary } from "./dictionary.ts";
import type { Search } from "./one-search.ts";
import { AT_ONCE, allOf, anyOf, type Condition, overlaps, scopeCondition } from "./scope.ts";
import {
  type IndexedCondition,
  isIndexed,
  isOfValues,
  meeting,
  type ValueCondition,
  wordsOfValues,
} from "./values.ts";
import { type Audience, stemMarks, titleMarks, tsqueryText, wordMarks } from "./words.ts";

/** Words that the prefixes of a query stand for, and each that is shorter than three letters; with more, the shortest. */
const MOST_COMPLETIONS = 1_000;
const MOST_OF_SHORT = 100;

export type WordConditions = {
  where: Condition[];
  /** For each term that must be there: it is in what names the record. */
  inTitle: Condition[];
  /** Not all words that a prefix stands for were asked for. */
  isLeast: boolean;
};

/** What the words ask of a row, within each scope those that its audience may find by; null when nothing can have them. */
export async function wordConditions(search: Search): Promise<WordConditions | null> {
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

/**
 * The numbers of the words of one term, in its order; one of each list must be there. `isPart`: of the words that its
 * beginning stands for, not all are in the last list.
 */
export type NumberedTerm = { term: SearchTerm; asked: number[][]; inTitle: number[][]; isPart: boolean };

/** Only texts can tell it: a phrase, or that no word begins so, where so many do that not all are asked for. */
export function isOfText({ term, isPart }: NumberedTerm): boolean {
  return term.words.length > 1 || (term.negated && isPart);
}

/** The words of the query by number, as somebody may find by them. `isLeast` as in `WordConditions`. */
export async function numberedTerms(
  { numbers, query }: Pick<Search, "numbers" | "query">,
  audience: Audience,
): Promise<{ terms: NumberedTerm[]; isLeast: boolean }> {
  const prefixes = query.terms.filter((term) => term.prefix).length;
  const all = [...new Set(query.terms.flatMap((term) => term.words))];
  const stems = [...new Set(query.terms.flatMap((term) => term.stems ?? []))];
  const marks = wordMarks(audience);
  const titled = titleMarks(audience);
  const [found, stemmed] = await Promise.all([
    numbers.find(all, [...marks, ...titled]),
    numbers.find(stems, stemMarks(audience)),
  ]);
  const terms: NumberedTerm[] = [];
  let isLeast = false;
  for (const term of query.terms) {
    const last = term.words.at(-1)!;
    const asked: number[][] = term.words.map((word) => found.of(word, marks));
    const inTitle: number[][] = term.words.map((word) => found.of(word, titled));
    let isPart = false;
    if (term.prefix) {
      const most = last.length < 3 ? MOST_OF_SHORT : Math.floor(MOST_COMPLETIONS / prefixes);
      const completed = await numbers.beginning(last, marks, most);
      isPart = completed.length === most;
      isLeast ||= isPart && !term.negated;
      asked[asked.length - 1] = completed;
      inTitle[inTitle.length - 1] = await numbers.beginning(last, titled, most);
    }
    if (term.words.length === 1) {
      asked[0] = [
        ...asked[0]!,
        ...(term.stems ?? []).flatMap((stem) => stemmed.of(stem, stemMarks(audience))),
      ];
    }
    terms.push({ term, asked, inTitle, isPart });
  }
  return { terms, isLeast };
}

async function wordsFor(search: Search, audience: Audience): Promise<WordConditions | null> {
  const { sql } = search;
  const { terms, isLeast } = await numberedTerms(search, audience);
  const where: Condition[] = [];
  const inTitle: Condition[] = [];
  for (const numbered of terms) {
    const { term, asked, inTitle: askedInTitle } = numbered;
    const isPossible = asked.every((list) => list.length > 0);
    if (term.negated) {
      if (isPossible) where.push(termCondition(search, numbered, audience));
      continue;
    }
    if (!isPossible) return null;
    where.push(termCondition(search, numbered, audience));
    inTitle.push(
      allOf(
        sql,
        askedInTitle.map((list) => overlaps(sql, list)),
      ),
    );
  }
  return { where: [...where, ...agreeing(search, audience)], inTitle, isLeast };
}

/** The words are there, as a phrase if they are more than one; or are not. */
export function termCondition(
  { sql, tables }: Search,
  numbered: NumberedTerm,
  audience: Audience,
): Condition {
  const { term, asked, isPart } = numbered;
  // what is only a part of the words says nothing of a record that has none of them
  const lists = term.negated && isPart ? asked.slice(0, -1) : asked;
  const has = lists.map((list) => overlaps(sql, list));
  if (isOfText(numbered)) {
    has.push(sql`exists (select 1 from ${tables.texts} t
      where t.id = s.id and t.words @@ ${tsqueryText([{ ...term, negated: false }], audience)}::tsquery)`);
  }
  return term.negated ? sql`not (${allOf(sql, has)})` : allOf(sql, has);
}

/** Conditions on fields and links; null when nothing can meet them. */
export async function otherConditions(
  search: Search,
): Promise<{ where: Condition[]; isLeast: boolean } | null> {
  const { sql, query } = search;
  const where: Condition[] = query.links.map((link) => linkCondition(sql, link));
  for (const condition of query.conditions.filter(isIndexed)) {
    const met = await indexedCondition(search, condition);
    if (met === null) return null;
    where.push(met.where);
  }
  let isLeast = false;
  const ofValues = query.conditions.filter(isOfValues);
  if (ofValues.length > 0) {
    const met = await meetingIn(search, where, ofValues, false);
    if (met === null) return null;
    isLeast ||= met.isLeast;
    where.push(met.where);
  }
  if (query.anyOf.length > 0) {
    const any: Condition[] = [];
    for (const condition of query.anyOf.filter(isIndexed)) {
      const met = await indexedCondition(search, condition);
      if (met !== null) any.push(met.where);
    }
    const anyOfValues = query.anyOf.filter(isOfValues);
    if (anyOfValues.length > 0) {
      const met = await meetingIn(search, where, anyOfValues, true);
      isLeast ||= met?.isLeast ?? false;
      if (met !== null) any.push(met.where);
    }
    if (any.length === 0) return null;
    where.push(anyOf(sql, any));
  }
  return { where, isLeast };
}

/** Of the newest records that meet the others as well, which meet these by their values; null when none does. */
async function meetingIn(
  search: Search,
  others: readonly Condition[],
  conditions: readonly ValueCondition[],
  any: boolean,
): Promise<{ where: Condition; isLeast: boolean } | null> {
  const { sql, tables, scope, limits } = search;
  const words = await wordsOfValues(search, conditions);
  const having = words.map((lists) =>
    allOf(
      sql,
      // more would take longer than to look at the records
      lists.filter((list) => list.length <= AT_ONCE).map((list) => overlaps(sql, list)),
    ),
  );
  const narrowed = any ? [anyOf(sql, having)] : having;
  const rows = await sql<{ id: string }[]>`
    select s.id from ${tables.rows} s where ${allOf(sql, [scope, ...others, ...narrowed])}
    order by s.id desc limit ${limits.exactUpTo + 1}`;
  const ids = rows.slice(0, limits.exactUpTo).map(({ id }) => id);
  const met = await meeting(search, ids, conditions, any);
  const isLeast = met.isLeast || rows.length > limits.exactUpTo;
  if (met.ids.length === 0 && !isLeast) return null;
  return { where: sql`s.id = any(${plainArray(met.ids)}::uuid[])`, isLeast };
}

/** Null when nothing can meet it. */
export async function indexedCondition(
  { sql, dictionary, tables }: Search,
  condition: IndexedCondition,
): Promise<{ where: Condition } | null> {
  if (condition.op === "is") {
    const terms = await termsOf(dictionary, condition);
    if (terms.length === 0) return null;
    return { where: terms.length === 1 ? sql`s.terms @> ${terms}::int[]` : sql`s.terms && ${terms}::int[]` };
  }
  const number = await dictionary.fieldNumber(condition.field);
  if (number === undefined) return null;
  const where = sql`s.id in (
    select g.id from ${tables.ranges} g
    where g.field_no = ${number} and g.low <= ${condition.to} and g.high >= ${condition.from})`;
  return { where };
}

/** Which terms meet the condition. */
export async function termsOf(
  dictionary: Dictionary,
  { field, values, also = [] }: Extract<FieldCondition, { op: "is" }>,
): Promise<number[]> {
  const terms: number[] = [];
  for (const name of [field, ...also]) {
    const number = await dictionary.fieldNumber(name);
    if (number !== undefined) terms.push(...(await dictionary.findTerms(number, values)));
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
 * Whose words agree with their record. A record that waits for its projection may have been changed because visitors
 * were not to find a word of it (`hides`): until the index has followed, they do not find it by any. Empty when none waits.
 */
function agreeing({ sql, state, query }: Search, audience: Audience): Condition[] {
  // offset 0 keeps the planner, who has no statistics of words, from looking each hit up
  return state.waiting && audience === "public" && query.terms.length > 0
    ? [
        sql`not exists (
          select 1 from (select record_id from outbox where target = ${SEARCH_TARGET} and hides offset 0) o where o.record_id = s.id)`,
      ]
    : [];
}
