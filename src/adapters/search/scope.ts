/** Who may find what, as a condition on the rows of the index, named `s` in SQL, and how conditions are put together. */
import type { SearchScope } from "../../search-index.ts";
import type { Sql } from "../../services.ts";
import { collectionStatusCode, KIND_CODES, kindCode, statusCode } from "./row-codes.ts";

export type Condition = ReturnType<typeof scopeCondition>;

/** What the caller may find: by one of their scopes at least. */
export function scopesCondition(sql: Sql, scopes: readonly SearchScope[]): Condition {
  return anyOf(
    sql,
    scopes.map((scope) => scopeCondition(sql, scope)),
  );
}

/** What the caller may find by one of their scopes. */
export function scopeCondition(sql: Sql, scope: SearchScope) {
  // whatever was asked for, the public finds only what is public
  const statuses = scope.audience === "public" ? ["p"] : scope.statuses.map(statusCode);
  const collectionStatuses = scope.collectionStatuses?.map(collectionStatusCode);
  return sql`${oneOf(sql, "status", statuses)} and ${oneOfKinds(sql, scope.recordTypes.map(kindCode))}
    ${collectionStatuses ? sql`and (s.record_type <> 'o' or ${oneOf(sql, "collection_status", collectionStatuses)})` : sql``}`;
}

/** In the shortest form, since it is tested for every row. */
function oneOfKinds(sql: Sql, codes: readonly string[]) {
  const missing = KIND_CODES.filter((letter) => !codes.includes(letter));
  if (missing.length === 0) return sql`true`;
  return missing.length === 1
    ? sql`s.record_type <> ${missing[0]!}::text::"char"`
    : oneOf(sql, "record_type", codes);
}

function oneOf(sql: Sql, column: "status" | "record_type" | "collection_status", codes: readonly string[]) {
  return codes.length === 1
    ? sql`s.${sql(column)} = ${codes[0]!}::text::"char"`
    : sql`s.${sql(column)} = any(${codes as string[]}::text[]::"char"[])`;
}

/** One of them, of which there is one at least. */
export function anyOf(sql: Sql, conditions: readonly Condition[]): Condition {
  return conditions.length === 1
    ? conditions[0]!
    : sql`(${conditions.map((one) => sql`(${one})`).reduce((all, one) => sql`${all} or ${one}`)})`;
}

/** All of them. */
export function allOf(sql: Sql, conditions: readonly Condition[]): Condition {
  return conditions.reduce((all, one) => sql`${all} and ${one}`, sql`true`);
}

/** Numbers in one comparison: the GIN index compares each row that it meets with all of them. */
export const AT_ONCE = 25;

/** Has one of these words. */
export function overlaps(sql: Sql, numbers: readonly number[]): Condition {
  if (numbers.length === 0) return sql`false`;
  const parts: number[][] = [];
  for (let at = 0; at < numbers.length; at += AT_ONCE) parts.push(numbers.slice(at, at + AT_ONCE));
  return anyOf(
    sql,
    parts.map((part) => sql`s.words && ${part}::int[]`),
  );
}
