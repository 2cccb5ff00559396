/** What somebody typed may be an identification number: then its record comes first, whatever else is found. */
import type { Sql } from "../services.ts";
import { END_OF_NUMBER, numberKey, sortKey } from "../text.ts";

/**
 * What `sort_idno` begins with: of the number as it was typed, then with other dashes and zeros, and then of those that begin with
 * it. Nothing if it has no digits: then it is a word.
 */
export function numberStarts(typed: string): string[] {
  const key = sortKey(typed);
  return /\d/.test(key) ? [numberKey(typed.trim()), key + END_OF_NUMBER, key] : [];
}

/** SQL: how many of these starts the number of a record named `r` has; the number itself has most. */
export function numberRank(sql: Sql, starts: readonly string[]) {
  return starts.reduce(
    (sum, start) => sql`${sum} + coalesce(starts_with(r.sort_idno, ${start}), false)::int`,
    sql`0`,
  );
}
