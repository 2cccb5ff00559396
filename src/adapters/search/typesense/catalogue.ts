/** What a Typesense search looks up in the database: records that wait to be indexed, and fields that are not facets. */
import { type FieldCondition, SEARCH_TARGET } from "../../../ports/search-index.ts";
import type { Sql } from "../../../services.ts";
import { searchWordsOf } from "../../../text.ts";
import { countUnindexed } from "../snapshot/count-facets.ts";
import { hasValue, hasWords } from "../snapshot/value-conditions.ts";

export type Catalogue = {
  /** Records that wait to be indexed and that visitors must not find until then, at most `most`. */
  waiting(most: number): Promise<string[]>;
  /** The newest records that meet the condition, at most `most`. */
  find(condition: FieldCondition & { op: "is" | "contains" | "starts" }, most: number): Promise<string[]>;
  /** Each value of the field with the number of these records that have it, most frequent first. */
  count(field: string, ids: readonly string[], most: number): Promise<{ value: string; count: number }[]>;
};

/** Records that one statement reads. */
const MOST_READ = 1_000;

export function catalogueOf(sql: Sql): Catalogue {
  return {
    async waiting(most) {
      const rows = await sql<{ id: string }[]>`
        select record_id as id from outbox where target = ${SEARCH_TARGET} and hides limit ${most}`;
      return rows.map(({ id }) => id);
    },

    async find(condition, most) {
      const { field } = condition;
      const isCandidate =
        condition.op === "is"
          ? hasValue(sql, field, condition.values)
          : sql`jsonb_exists(r.metadata, ${field})`;
      const meets = (value: string) =>
        condition.op === "is" || hasWords(searchWordsOf(value), condition.words, condition.op);
      const ids: string[] = [];
      let before: string | null = null;
      while (ids.length < most) {
        const rows: { id: string; values: string[] }[] = await sql<{ id: string; values: string[] }[]>`
          select r.id, array(select e ->> 'value' from jsonb_array_elements(r.metadata -> ${field}) e) as values
          from records r
          where r.deleted_at is null and ${isCandidate} and (${before}::uuid is null or r.id < ${before}::uuid)
          order by r.id desc limit ${MOST_READ}`;
        ids.push(...rows.filter(({ values }) => values.some(meets)).map(({ id }) => id));
        if (rows.length < MOST_READ) break;
        before = rows.at(-1)!.id;
      }
      return ids.slice(0, most);
    },

    count: (field, ids, most) => countUnindexed(sql, ids, field, most),
  };
}
