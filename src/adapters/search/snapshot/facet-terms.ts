/**
 * Numbers for facet fields and their values. The number of a value is called a term: field number × 2²⁴ + n, so it also
 * tells the field. (The terms of a query, `SearchTerm`, are something else: its words.)
 */
import type { Sql } from "../../../services.ts";
import { beginning, searchWordsOf } from "../../../text.ts";
import { knownNumbers } from "../tables/known-numbers.ts";

/** Characters of a facet value; longer values are cut. */
const LONGEST_VALUE = 1_000;
/** With more values in memory than this, all are dropped and read again when they are needed. */
const MOST_KNOWN = 200_000;
/** Values folded again at once. */
const BATCH = 1_000;
/** Facet fields that the index can number. */
const MOST_FIELDS = 127;

export type TermOf = (field: number, value: string) => number;

export type FacetTerms = {
  /** Numbers of those of these fields that have one. */
  fieldNumbers(names: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Numbers of these fields. New fields get one. */
  numberFields(names: Iterable<string>): Promise<ReadonlyMap<string, number>>;
  /** The terms of these values. New values get one. */
  makeTerms(values: readonly (readonly [field: number, value: string])[]): Promise<TermOf>;
  /** Terms of those values that have one. */
  findTerms(field: number, values: readonly string[]): Promise<number[]>;
  /** The values that these terms stand for. */
  valuesOf(terms: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /** Folds the values again, because an older program may have folded them otherwise. */
  foldAgain(): Promise<void>;
};

/** The value in the format that suggestions compare. */
function foldedWords(value: string): string {
  return beginning(searchWordsOf(value).join(" "), 200);
}

export function createFacetTerms(sql: Sql): FacetTerms {
  const fields = new Map<string, number>();
  let values = new Map<number, string>();

  async function readFields(): Promise<void> {
    const rows = await sql<{ field_no: number; name: string }[]>`select field_no, name from search_fields`;
    for (const row of rows) fields.set(row.name, row.field_no);
  }

  /** Field number and value. */
  const keyOf = (field: number, value: string) => `${field} ${value.slice(0, LONGEST_VALUE)}`;
  const valueIn = (key: string) => key.slice(key.indexOf(" ") + 1);
  /** SQL: rows `w(field, value, n)` with n from 1. */
  const listed = (keys: readonly string[]) => sql`
    unnest(${keys.map((key) => Number.parseInt(key, 10))}::int[], ${keys.map(valueIn)}::text[])
      with ordinality w(field, value, n)`;

  const numbersOf = knownNumbers({
    async read(keys) {
      const [row] = await sql<{ terms: number[] }[]>`
        select array_agg(coalesce(t.term, 0) order by w.n) as terms
        from ${listed(keys)} left join lateral (
          select t.term from search_terms t
          where t.term >> 24 = w.field and md5(t.value) = md5(w.value) limit 1) t on true`;
      return row!.terms;
    },
    add: (keys) => sql`
      insert into search_terms (term, value, folded)
      select (w.field << 24) | nextval('search_term_numbers')::int, w.value,
        (${keys.map((key) => foldedWords(valueIn(key)))}::text[])[w.n]
      from ${listed(keys)} order by w.n
      on conflict do nothing`,
  });

  return {
    async valuesOf(wanted) {
      const unknown = wanted.filter((term) => !values.has(term));
      if (unknown.length > 0) {
        if (values.size > MOST_KNOWN) values = new Map();
        // reads all of them, because the map may just have been emptied
        const rows = await sql<{ term: number; value: string }[]>`
          select term, value from search_terms where term = any(${wanted as number[]}::int[])`;
        for (const { term, value } of rows) values.set(term, value);
      }
      return values;
    },

    async fieldNumbers(names) {
      if (names.some((name) => !fields.has(name))) await readFields();
      return new Map([...fields].filter(([name]) => names.includes(name)));
    },

    async numberFields(names) {
      const unknown = [...names].filter((name) => !fields.has(name));
      if (unknown.length > 0) {
        await readFields();
        for (const name of unknown.filter((candidate) => !fields.has(candidate))) {
          await sql`
            insert into search_fields (field_no, name)
            select n, ${name} from generate_series(1, ${MOST_FIELDS}) n
            where not exists (select 1 from search_fields where field_no = n)
            order by n limit 1
            on conflict do nothing`;
        }
        await readFields();
      }
      return fields;
    },

    async makeTerms(wanted) {
      const termOf = await numbersOf(wanted.map(([field, value]) => keyOf(field, value)));
      return (field, value) => termOf(keyOf(field, value));
    },

    async foldAgain() {
      for (let last = -1; ; ) {
        // what is ASCII has always been folded in the same way
        const rows = await sql<{ term: number; value: string }[]>`
          select term, value from search_terms
          where term > ${last} and octet_length(value) > length(value) order by term limit ${BATCH}`;
        if (rows.length === 0) return;
        await sql`
          update search_terms t set folded = x.folded
          from unnest(${rows.map(({ term }) => term)}::int[], ${rows.map(({ value }) => foldedWords(value))}::text[])
            x(term, folded)
          where t.term = x.term and t.folded <> x.folded`;
        last = rows.at(-1)!.term;
      }
    },

    async findTerms(field, values) {
      const rows = await sql<{ term: number }[]>`
        select term from search_terms
        where term >> 24 = ${field}
          and md5(value) in (select md5(v) from unnest(${values.map((value) => value.slice(0, LONGEST_VALUE))}::text[]) v)`;
      return rows.map((row) => row.term);
    },
  };
}
