/** Reads parts of the index for a snapshot. The database packs each part into one value. */
import { joinBytes } from "../../../bytes.ts";
import type { Sql } from "../../../services.ts";
import { pause } from "../tables/batches.ts";
import { idAt } from "../tables/packed-rows.ts";
import type { Tables } from "../tables/table-sets.ts";
import { ROW_BYTES, type SetName } from "./snapshot.ts";

/**
 * How facet values are arranged in the `terms` of a row: position n of the first 32 has the first value of field number n, or 0.
 * All further values follow. So most columns can be read without unpacking the whole list, which takes several times as long.
 */
export const FIRST_VALUES = 32;
/** Records, or pages of the table, that one statement reads, so that others can use the embedded database in between. */
const RECORDS_AT_ONCE = 10_000;
const PAGES_AT_ONCE = 250;
/** Numbers that one scan of a GIN index looks for: it compares each row that it finds with all of them. */
const NUMBERS_AT_ONCE = 16;

/** Returns the answer of a statement, or throws if there is none in time. */
type AnswerOf = <T>(statement: Promise<T>) => Promise<T>;

/** All records, in the format of the constructor of `Snapshot`. */
export async function readRecords(sql: Sql, { rows }: Tables, answerOf: AnswerOf): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for (let last: string | null = null; ; ) {
    const [part] = await answerOf(sql<{ packed: Uint8Array | null }[]>`
      select string_agg(int4send(s.no) || uuid_send(s.id) || charsend(s.record_type) || charsend(s.status)
        || charsend(s.collection_status), '') as packed
      from (
        select no, id, record_type, status, collection_status from ${rows}
        where ${last === null ? sql`true` : sql`id > ${last}`} order by id limit ${RECORDS_AT_ONCE}) s`);
    const packed: Uint8Array = part!.packed ?? new Uint8Array();
    parts.push(packed);
    if (packed.length < RECORDS_AT_ONCE * ROW_BYTES) return joinBytes(parts);
    last = idAt(packed, packed.length - ROW_BYTES + 4);
    await pause();
  }
}

/**
 * Number of the row and value, for each value of the field. A row that changes meanwhile may be missing or occur twice: the
 * snapshot applies its change afterwards.
 */
export async function readColumn(
  sql: Sql,
  { rows }: Tables,
  answerOf: AnswerOf,
  field: number,
): Promise<Uint8Array> {
  // a field without a position of its own has none of the first values
  const first = field > FIRST_VALUES ? sql`'{}'::int[]` : sql`s.terms[${field}:${field}]`;
  const parts: Uint8Array[] = [];
  for (let page = 0; ; ) {
    const next = page + PAGES_AT_ONCE;
    const [part] = await answerOf(sql<{ packed: Uint8Array | null; isLast: boolean }[]>`
      select string_agg(int4send(x.no) || int4send(x.term), '') as packed,
        coalesce(pg_relation_size((select tableoid from ${rows} limit 1))
          <= ${next}::bigint * current_setting('block_size')::bigint, true) as "isLast"
      from (
        select s.no, unnest(case when cardinality(s.terms) > ${FIRST_VALUES}
          then ${first} || s.terms[${FIRST_VALUES + 1}:] else ${first} end) as term
        from ${rows} s where s.ctid >= ${`(${page},0)`}::tid and s.ctid < ${`(${next},0)`}::tid) x
      where x.term >> 24 = ${field}`);
    parts.push(part!.packed ?? new Uint8Array());
    if (part!.isLast) return joinBytes(parts);
    page = next;
    await pause();
  }
}

/**
 * Numbers of the rows that have at least one of these words or facet values, packed; some several times. A scan of the index for
 * each few of them: for a prefix with a thousand words, the planner would rather compare all words with each row.
 */
export async function readSet(sql: Sql, { rows }: Tables, { of, numbers }: SetName): Promise<Uint8Array> {
  const [read] = await sql<{ packed: Uint8Array | null }[]>`
    select string_agg(int4send(s.no), '') as packed
    from (
      select array_agg(n.number) as some from unnest(${numbers as number[]}::int[]) with ordinality n(number, at)
      group by n.at / ${NUMBERS_AT_ONCE}) g
    cross join lateral (select no from ${rows} r where r.${sql(of)} && g.some) s`;
  return read!.packed ?? new Uint8Array();
}
