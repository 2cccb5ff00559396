/** Conditions on the words of one field. The rows know words, not whose: what has them is read and looked at. */

import type { FieldCondition } from "../../search-index.ts";
import { searchWordsOf } from "../../text.ts";
import { allOf, type Condition, overlaps, type Search } from "./scope.ts";
import { widestMarks } from "./words.ts";

/** Records that are read for one condition. */
const MOST_READ = 20_000;
/** Words that the last one of `starts` stands for, when they narrow the choice. */
const MOST_COMPLETIONS = 500;

type TextCondition = Extract<FieldCondition, { op: "contains" | "starts" }>;

/** The records that meet it, among those that meet the others; `isLeast` when there were too many to read all. */
export async function verifiedIds(
  search: Search,
  condition: TextCondition,
  others: readonly Condition[],
): Promise<{ where: Condition; isLeast: boolean } | null> {
  const { sql, tables, scope } = search;
  const { field, words, op } = condition;
  const narrowed = await narrowing(search, condition);
  const rows = await sql<{ id: string; found: { value: string }[] }[]>`
    select m.id, r.metadata -> ${field} as found
    from (select s.id from ${tables.rows} s where ${allOf(sql, [scope, ...others, ...narrowed])} offset 0) m
      join records r on r.id = m.id and jsonb_exists(r.metadata, ${field})
    limit ${MOST_READ + 1}`;
  const ids = rows
    .filter(({ found }) => found.some(({ value }) => meets(searchWordsOf(value), words, op)))
    .map(({ id }) => id);
  if (ids.length === 0) return null;
  return { where: sql`s.id = any(${ids}::uuid[])`, isLeast: rows.length > MOST_READ };
}

/** Words that the row must have, when its field's words are among them. */
async function narrowing(
  { sql, numbers, query }: Search,
  { words, op, searched }: TextCondition,
): Promise<Condition[]> {
  if (!searched) return [];
  const marks = widestMarks(query.scopes);
  const found = await numbers.find(words, marks);
  const lists = words.map((word) => found.of(word, marks));
  if (op === "starts") {
    const completed = await numbers.beginning(words.at(-1)!, marks, MOST_COMPLETIONS);
    lists[lists.length - 1] = completed;
    if (completed.length === MOST_COMPLETIONS) lists.pop();
  }
  return lists.map((list) => overlaps(sql, list));
}

/** Whether the words stand in the value one behind another; for `starts` at its beginning, the last of them in part. */
export function meets(value: readonly string[], words: readonly string[], op: TextCondition["op"]): boolean {
  const last = words.length - 1;
  const at = (from: number) =>
    words.every((word, index) =>
      op === "starts" && index === last
        ? (value[from + index]?.startsWith(word) ?? false)
        : value[from + index] === word,
    );
  if (op === "starts") return at(0);
  return value.some((_, from) => at(from));
}
