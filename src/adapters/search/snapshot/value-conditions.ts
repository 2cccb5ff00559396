/**
 * Conditions that need the values in the records: words in one field, values of a field that is not a facet, whether a field
 * has a value. The index does not store which field a word came from. So the records that have the words are read, once for
 * all conditions that must hold, and once for the alternatives.
 */
import type { FieldCondition } from "../../../ports/search-index.ts";
import type { Sql } from "../../../services.ts";
import { searchWordsOf } from "../../../text.ts";
import { inBatches, pause } from "../tables/batches.ts";
import { isPossible } from "../tables/word-numbers.ts";
import { widestMarks } from "../tables/words.ts";
import type { SearchContext } from "./search-context.ts";

/** Records with text in these fields that are read for one search. */
const MOST_READ = 20_000;
/** If the last word of `starts` has more completions than this, it does not narrow the choice of records. */
const MOST_COMPLETIONS = 500;

type TextCondition = Extract<FieldCondition, { op: "contains" | "starts" }>;
export type RangeCondition = Extract<FieldCondition, { op: "between" }>;
export type ValueCondition = Exclude<FieldCondition, { op: "between" }>;

export const isRange = (one: FieldCondition): one is RangeCondition => one.op === "between";
/** A condition for which the snapshot has a set of records. */
export const isFacetValue = (one: FieldCondition): one is Extract<FieldCondition, { op: "is" }> =>
  one.op === "is" && one.isFacet;
export const isOfValues = (one: FieldCondition): one is ValueCondition => !isRange(one) && !isFacetValue(one);
const isText = (one: FieldCondition): one is TextCondition => one.op === "contains" || one.op === "starts";

/**
 * The records that meet all these conditions or, with `any`, one of them. `isLeast`: there may be more.
 * @param candidates returns the newest records, at most `most`, that match at least one group. A record matches a group if
 *   it has one word of each list of the group.
 */
export async function findByValues(
  search: SearchContext,
  conditions: readonly ValueCondition[],
  any: boolean,
  candidates: (groups: readonly (readonly number[][])[], most: number) => Promise<readonly string[]>,
): Promise<{ ids: string[]; isLeast: boolean }> {
  const most = search.limits.mostLookedThrough;
  const words = await wordsOfValues(search, conditions);
  const groups = (any ? words : [words.flat()]).filter(isPossible);
  const ids = groups.length === 0 ? [] : await candidates(groups, most + 1);
  const found = await recordsThatMeet(search, ids.slice(0, most), conditions, any);
  return { ids: found.ids, isLeast: found.isLeast || ids.length > most };
}

/** For each condition, lists of words: a record needs one word of each list. Without lists, words do not narrow the choice. */
async function wordsOfValues(
  { numbers, query }: Pick<SearchContext, "numbers" | "query">,
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

/** Reads these records and returns those that meet all conditions or, with `any`, one. `isLeast`: not all were read. */
async function recordsThatMeet(
  { sql }: Pick<SearchContext, "sql">,
  ids: readonly string[],
  conditions: readonly ValueCondition[],
  any: boolean,
): Promise<{ ids: string[]; isLeast: boolean }> {
  const fields = [...new Set(conditions.filter(isText).map(({ field }) => field))];
  const columns = [
    ...fields.map((field, at) => sql`r.metadata -> ${field} as ${sql(`text_${at}`)}`),
    ...conditions.map((one, at) =>
      isText(one) ? null : sql`${valueCondition(sql, one)} as ${sql(`meets_${at}`)}`,
    ),
  ].filter((column) => column !== null);
  const read = columns.reduce((all, column) => sql`${all}, ${column}`, sql`r.id`);
  let looked = 0;
  const isMet = (row: Row): boolean => {
    const values = new Map(fields.map((field, at) => [field, wordsOf(row[`text_${at}`])]));
    if ([...values.values()].some((words) => words.length > 0)) looked += 1;
    const met = (one: ValueCondition, at: number): boolean =>
      isText(one)
        ? values.get(one.field)!.some((words) => hasWords(words, one.words, one.op))
        : row[`meets_${at}`] === true;
    return any ? conditions.some(met) : conditions.every(met);
  };
  const found = await inBatches(
    ids,
    async (slice) => {
      const rows = await sql<Row[]>`select ${read} from records r where r.id = any(${slice}::uuid[])`;
      return rows.filter(isMet).map(({ id }) => id);
    },
    { isEnough: () => looked >= MOST_READ },
  );
  return { ids: found, isLeast: looked >= MOST_READ };
}

/** SQL for conditions that need no comparison of words. */
function valueCondition(sql: Sql, one: Exclude<ValueCondition, TextCondition>) {
  if (one.op === "is") return hasValue(sql, one.field, one.values);
  const has = sql`jsonb_exists(r.metadata, ${one.field})`;
  return one.op === "exists" ? has : sql`not ${has}`;
}

/** SQL: whether the field of the record `r` has one of these values. */
export const hasValue = (sql: Sql, field: string, values: readonly string[]) => sql`exists (
  select 1 from jsonb_array_elements(r.metadata -> ${field}) e where e ->> 'value' = any(${values as string[]}))`;

const wordsOf = (values: unknown): string[][] =>
  ((values ?? []) as { value: string }[]).map(({ value }) => searchWordsOf(value));

/** Whether the value has these words in this order. For `starts`: at its beginning, and the last word may be unfinished. */
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
