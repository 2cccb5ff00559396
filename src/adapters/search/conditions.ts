/** Who may find what, and which filters hold, as conditions on a table named `s`. */
import type { SearchQuery, Sql } from "../../services.ts";
import type { Dictionary } from "./dictionary.ts";
import { collectionStatusLetter, KIND_LETTERS, kindLetter, statusLetter } from "./letters.ts";

export type Condition = ReturnType<typeof scopeCondition>;

/** What the caller may find. */
export function scopeCondition(sql: Sql, { scope }: SearchQuery) {
  // whatever was asked for: what the public finds is public
  const statuses = scope.audience === "public" ? ["p"] : scope.statuses.map(statusLetter);
  const held = scope.collectionStatuses?.map(collectionStatusLetter);
  return sql`${oneOf(sql, "status", statuses)} and ${oneOfKinds(sql, scope.recordTypes.map(kindLetter))}
    ${held ? sql`and (s.record_type <> 'o' or ${oneOf(sql, "collection_status", held)})` : sql``}`;
}

/** The shortest form is the quickest: it is asked of every row. */
function oneOfKinds(sql: Sql, letters: readonly string[]) {
  const missing = KIND_LETTERS.filter((letter) => !letters.includes(letter));
  if (missing.length === 0) return sql`true`;
  return missing.length === 1
    ? sql`s.record_type <> ${missing[0]!}::text::"char"`
    : oneOf(sql, "record_type", letters);
}

function oneOf(sql: Sql, column: "status" | "record_type" | "collection_status", letters: readonly string[]) {
  return letters.length === 1
    ? sql`s.${sql(column)} = ${letters[0]!}::text::"char"`
    : sql`s.${sql(column)} = any(${letters as string[]}::text[]::"char"[])`;
}

/** One condition a filter; null when a filter's values are unknown, so that nothing can match. */
export async function filterConditions(
  sql: Sql,
  dictionary: Dictionary,
  query: SearchQuery,
): Promise<Condition[] | null> {
  const conditions: Condition[] = [];
  for (const { field, indexed, values } of query.filters) {
    if (!indexed) {
      conditions.push(sql`exists (
        select 1 from records r, jsonb_array_elements(r.metadata -> ${field}) e
        where r.id = s.id and e ->> 'value' = any(${values as string[]}))`);
      continue;
    }
    const number = await dictionary.fieldNumber(field);
    const terms = number === undefined ? [] : await dictionary.findTerms(number, values);
    if (terms.length === 0) return null;
    conditions.push(terms.length === 1 ? sql`s.terms @> ${terms}::int[]` : sql`s.terms && ${terms}::int[]`);
  }
  return conditions;
}

/** All of them. */
export function allOf(sql: Sql, conditions: readonly Condition[]): Condition {
  return conditions.reduce((all, one) => sql`${all} and ${one}`);
}

/**
 * Whose words agree with their record. A record that waits for its projection may have been changed because visitors
 * were not to find a word of it: until the index has followed, they do not find it by any. Empty when none waits.
 */
export async function agreeing(sql: Sql): Promise<Condition[]> {
  const [row] = await sql<{ waiting: boolean }[]>`
    select exists (select 1 from outbox where target = 'search') as waiting`;
  // offset 0 keeps the planner, who has no statistics of words, from looking each hit up
  return row!.waiting
    ? [
        sql`not exists (
          select 1 from (select record_id from outbox where target = 'search' offset 0) o where o.record_id = s.id)`,
      ]
    : [];
}
