/**
 * What only the catalogue knows: which records the index has not followed yet, and values of fields that are no facets,
 * which the index does not have. The second is right, but slower.
 */
import type { Sql } from "postgres";
import { type FieldCondition, SEARCH_TARGET } from "../../search-index.ts";
import { searchWordsOf } from "../../text.ts";
import { hasWords } from "./value-conditions.ts";

export type Catalogue = {
  /** Records whose projection waits and that visitors do not find meanwhile, at most so many. */
  waiting(most: number): Promise<string[]>;
  /** Which of these wait. */
  waitingAmong(ids: readonly string[]): Promise<string[]>;
  /** The newest records that fulfil the condition, at most so many. */
  find(condition: FieldCondition & { op: "is" | "contains" | "starts" }, most: number): Promise<string[]>;
  /** How often the values stand in these records, most frequent first. */
  count(field: string, ids: readonly string[], most: number): Promise<{ value: string; count: number }[]>;
};

/** Rows that are read at once. */
const ROWS = 1_000;

export function catalogueOf(sql: Sql): Catalogue {
  return {
    async waiting(most) {
      const rows = await sql<{ id: string }[]>`
        select record_id as id from outbox where target = ${SEARCH_TARGET} and hides limit ${most}`;
      return rows.map(({ id }) => id);
    },

    async waitingAmong(ids) {
      const rows = await sql<{ id: string }[]>`
        select record_id as id from outbox where target = ${SEARCH_TARGET} and hides and record_id = any(${ids as string[]}::uuid[])`;
      return rows.map(({ id }) => id);
    },

    async find(condition, most) {
      const { field } = condition;
      if (condition.op === "is") {
        const rows = await sql<{ id: string }[]>`
          select r.id from records r
          where r.deleted_at is null and exists (
            select 1 from jsonb_array_elements(r.metadata -> ${field}) e
            where e ->> 'value' = any(${condition.values as string[]}))
          order by r.id desc limit ${most}`;
        return rows.map(({ id }) => id);
      }
      const ids: string[] = [];
      let before: string | null = null;
      while (ids.length < most) {
        const rows: { id: string; values: string[] }[] = await sql<{ id: string; values: string[] }[]>`
          select r.id, array(select e ->> 'value' from jsonb_array_elements(r.metadata -> ${field}) e) as values
          from records r
          where r.deleted_at is null and jsonb_exists(r.metadata, ${field}) and (${before}::uuid is null or r.id < ${before}::uuid)
          order by r.id desc limit ${ROWS}`;
        ids.push(
          ...rows
            .filter(({ values }) =>
              values.some((value) => hasWords(searchWordsOf(value), condition.words, condition.op)),
            )
            .map(({ id }) => id),
        );
        if (rows.length < ROWS) break;
        before = rows.at(-1)!.id;
      }
      return ids.slice(0, most);
    },

    async count(field, ids, most) {
      const rows = await sql<{ value: string; count: number }[]>`
        select e ->> 'value' as value, count(distinct r.id)::int as count
        from records r, jsonb_array_elements(r.metadata -> ${field}) e
        where r.id = any(${ids as string[]})
        group by 1 order by 2 desc, 1 limit ${most}`;
      return [...rows];
    },
  };
}
