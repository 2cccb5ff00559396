/** SQL conditions on the rows of the index (`s` in SQL): who may find what, and how conditions are combined. */
import type { SearchScope } from "../../search-index.ts";
import type { Sql } from "../../services.ts";
import { collectionStatusCode, KIND_CODES, kindCode, statusCode } from "./row-codes.ts";

export type Condition = ReturnType<typeof scopeCondition>;

/** The row is in at least one of the scopes. */
export function scopesCondition(sql: Sql, scopes: readonly SearchScope[]): Condition {
  return anyOf(
    sql,
    scopes.map((scope) => scopeCondition(sql, scope)),
  );
}

/** The row is in the scope. */
export function scopeCondition(sql: Sql, scope: SearchScope) {
  // visitors find only public records, whatever statuses the scope names
  const statuses = scope.audience === "public" ? ["p"] : scope.statuses.map(statusCode);
  const collectionStatuses = scope.collectionStatuses?.map(collectionStatusCode);
  return sql`${oneOf(sql, "status", statuses)} and ${oneOfKinds(sql, scope.recordTypes.map(kindCode))}
    ${collectionStatuses ? sql`and (s.record_type <> 'o' or ${oneOf(sql, "collection_status", collectionStatuses)})` : sql``}`;
}

/** In the shortest form, because it is checked for every row. */
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

/** At least one condition holds. The list must not be empty. */
export function anyOf(sql: Sql, conditions: readonly Condition[]): Condition {
  return conditions.length === 1
    ? conditions[0]!
    : sql`(${conditions.map((one) => sql`(${one})`).reduce((all, one) => sql`${all} or ${one}`)})`;
}

/** All conditions hold. */
export function allOf(sql: Sql, conditions: readonly Condition[]): Condition {
  return conditions.reduce((all, one) => sql`${all} and ${one}`, sql`true`);
}

/** Numbers in one `&&`: a GIN index compares each row that it finds with all of them. */
export const AT_ONCE = 25;

/** The row has at least one of these words. */
export function overlaps(sql: Sql, numbers: readonly number[]): Condition {
  if (numbers.length === 0) return sql`false`;
  const parts: number[][] = [];
  for (let at = 0; at < numbers.length; at += AT_ONCE) parts.push(numbers.slice(at, at + AT_ONCE));
  return anyOf(
    sql,
    parts.map((part) => sql`s.words && ${part}::int[]`),
  );
}
