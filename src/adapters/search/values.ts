/**
 * Conditions on values that the index does not have: words of one field, values of a field that is no facet, whether there
 * is one at all. The rows know words, not whose: what has them is read and looked at, once for all conditions together.
 */
import type { FieldCondition } from "../../search-index.ts";
import type { Sql } from "../../services.ts";
import { searchWordsOf } from "../../text.ts";
import type { Search } from "./one-search.ts";
import type { Condition } from "./scope.ts";
import { inSlices, pause } from "./slices.ts";
import { widestMarks } from "./words.ts";

/** Records with a text that are read for one search. */
const MOST_READ = 20_000;
/** Words that the last one of `starts` stands for, when they narrow the choice. */
const MOST_COMPLETIONS = 500;

export type TextCondition = Extract<FieldCondition, { op: "contains" | "starts" }>;
/** A condition that is met by what the index has. */
export type IndexedCondition = Extract<FieldCondition, { op: "is" | "between" }>;
export type ValueCondition = Exclude<FieldCondition, { op: "between" }>;

export const isIndexed = (one: FieldCondition): one is IndexedCondition =>
  one.op === "between" || (one.op === "is" && one.indexed);
export const isOfValues = (one: FieldCondition): one is ValueCondition => !isIndexed(one);
/** Its records are a set of the index. */
export const isValue = (one: FieldCondition): one is Extract<FieldCondition, { op: "is" }> =>
  one.op === "is" && one.indexed;
const isText = (one: FieldCondition): one is TextCondition => one.op === "contains" || one.op === "starts";

/**
 * For each condition the words that a record must have for it, one of each list, as far as the index knows: none where
 * it cannot tell.
 */
export async function wordsOfValues(
  { numbers, query }: Pick<Search, "numbers" | "query">,
  conditions: readonly ValueCondition[],
): Promise<number[][][]> {
  const marks = widestMarks(query.scopes);
  const texts = conditions.filter(isText);
  const found = await numbers.find([...new Set(texts.flatMap(({ words }) => words))], marks);
  const all: number[][][] = [];
  for (const condition of conditions) {
    const lists: number[][] = [];
    if (isText(condition) && condition.searched) {
      const { words, op } = condition;
      lists.push(...words.map((word) => found.of(word, marks)));
      if (op === "starts") {
        await pause();
        lists.pop();
        const completed = await numbers.beginning(words.at(-1)!, marks, MOST_COMPLETIONS);
        if (completed.length < MOST_COMPLETIONS) lists.push(completed);
      }
    }
    all.push(lists);
  }
  return all;
}

type Row = { id: string; [column: string]: unknown };

/** Of these records those that meet all conditions, or `any` of them. `isLeast`: perhaps not all were read. */
export async function meeting(
  { sql }: Pick<Search, "sql">,
  ids: readonly string[],
  conditions: readonly ValueCondition[],
  any: boolean,
): Promise<{ ids: string[]; isLeast: boolean }> {
  const fields = [...new Set(conditions.filter(isText).map(({ field }) => field))];
  const columns = [
    ...fields.map((field, at) => sql`r.metadata -> ${field} as ${sql(`text_${at}`)}`),
    ...conditions.map((one, at) => (isText(one) ? null : sql`${told(sql, one)} as ${sql(`told_${at}`)}`)),
  ].filter((column) => column !== null);
  const read = columns.reduce((all, column) => sql`${all}, ${column}`, sql`r.id`);
  let looked = 0;
  const meets = (row: Row): boolean => {
    const values = new Map(fields.map((field, at) => [field, wordsOf(row[`text_${at}`])]));
    if ([...values.values()].some((words) => words.length > 0)) looked += 1;
    const met = (one: ValueCondition, at: number): boolean =>
      isText(one)
        ? values.get(one.field)!.some((words) => hasWords(words, one.words, one.op))
        : row[`told_${at}`] === true;
    return any ? conditions.some(met) : conditions.every(met);
  };
  const found = await inSlices(
    ids,
    async (slice) => {
      const rows = await sql<Row[]>`select ${read} from records r where r.id = any(${slice}::uuid[])`;
      return rows.filter(meets).map(({ id }) => id);
    },
    { isEnough: () => looked >= MOST_READ },
  );
  return { ids: found, isLeast: looked >= MOST_READ };
}

/** What needs no look at the words, as the database tells it. */
function told(sql: Sql, one: Exclude<ValueCondition, TextCondition>): Condition {
  if (one.op === "is")
    return sql`exists (
      select 1 from jsonb_array_elements(r.metadata -> ${one.field}) e
      where e ->> 'value' = any(${one.values as string[]}))`;
  const has = sql`jsonb_exists(r.metadata, ${one.field})`;
  return one.op === "exists" ? has : sql`not ${has}`;
}

const wordsOf = (values: unknown): string[][] =>
  ((values ?? []) as { value: string }[]).map(({ value }) => searchWordsOf(value));

/** Whether the words stand in the value one behind another; for `starts` at its beginning, the last of them in part. */
export function hasWords(
  value: readonly string[],
  words: readonly string[],
  op: TextCondition["op"],
): boolean {
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
