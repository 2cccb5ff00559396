/**
 * Numbers for facet fields and their values. The number of a value is called a term: field number × 2²⁴ + n, so it also
 * tells the field. (The terms of a query, `SearchTerm`, are something else: its words.)
 */
import type { Sql } from "../../services.ts";
import { beginning, searchWordsOf } from "../../text.ts";

/** Characters of a facet value; longer values are cut. */
const LONGEST_VALUE = 1_000;
/** With more values in memory than this, all are dropped and read again when they are needed. */
const MOST_KNOWN = 200_000;
/** Facet fields that the index can number. */
const MOST_FIELDS = 127;

export type FieldValue = { field: number; value: string };
export type TermOf = (field: number, value: string) => number;

/** Terms by field and value. */
class Terms {
  size = 0;
  private readonly fields = new Map<number, Map<string, number>>();

  get(field: number, value: string): number | undefined {
    return this.fields.get(field)?.get(value.slice(0, LONGEST_VALUE));
  }

  set(field: number, value: string, term: number): void {
    const values = this.fields.get(field);
    if (values) values.set(value, term);
    else this.fields.set(field, new Map([[value, term]]));
    this.size += 1;
  }
}

export type FacetTerms = {
  /** Number of a field; undefined if it has none. */
  fieldNumber(name: string): Promise<number | undefined>;
  /** Numbers of these fields. New fields get one. */
  numberFields(names: Iterable<string>): Promise<ReadonlyMap<string, number>>;
  /** `each` calls `visit` with every value that needs a term. New values get one. */
  makeTerms(each: (visit: (field: number, value: string) => void) => void): Promise<TermOf>;
  /** Terms of those values that have one. */
  findTerms(field: number, values: readonly string[]): Promise<number[]>;
  /** The values that these terms stand for. */
  valuesOf(terms: readonly number[]): Promise<ReadonlyMap<number, string>>;
};

/** The value in the format that suggestions compare. */
function foldedWords(value: string): string {
  return beginning(searchWordsOf(value).join(" "), 200);
}

export function createFacetTerms(sql: Sql): FacetTerms {
  const fields = new Map<string, number>();
  let terms = new Terms();
  let values = new Map<number, string>();

  async function readFields(): Promise<void> {
    const rows = await sql<{ field_no: number; name: string }[]>`select field_no, name from search_fields`;
    for (const row of rows) fields.set(row.name, row.field_no);
  }

  async function readTerms(into: Terms, wanted: readonly FieldValue[]): Promise<void> {
    const rows = await sql<{ term: number; value: string }[]>`
      select t.term, t.value
      from unnest(${wanted.map((item) => item.field)}::int[], ${wanted.map((item) => item.value)}::text[]) w(field, value)
        cross join lateral (
          select t.term, t.value from search_terms t
          where t.term >> 24 = w.field and md5(t.value) = md5(w.value) limit 1) t`;
    for (const row of rows) into.set(row.term >> 24, row.value, row.term);
  }

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

    async fieldNumber(name) {
      if (!fields.has(name)) await readFields();
      return fields.get(name);
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

    async makeTerms(each) {
      if (terms.size > MOST_KNOWN) terms = new Terms();
      // another call may replace the map meanwhile
      const mine = terms;
      const unknown = new Map<string, FieldValue>();
      each((field, value) => {
        if (mine.get(field, value) !== undefined) return;
        const kept = value.slice(0, LONGEST_VALUE);
        unknown.set(`${field} ${kept}`, { field, value: kept });
      });
      if (unknown.size > 0) await readTerms(mine, [...unknown.values()]);
      const missing = [...unknown.values()].filter(
        ({ field, value }) => mine.get(field, value) === undefined,
      );
      if (missing.length > 0) {
        await sql`
          insert into search_terms (term, value, folded)
          select (w.field << 24) | nextval('search_term_numbers')::int, w.value, w.folded
          from unnest(${missing.map((item) => item.field)}::int[], ${missing.map((item) => item.value)}::text[],
            ${missing.map((item) => foldedWords(item.value))}::text[]) w(field, value, folded)
          on conflict do nothing`;
        await readTerms(mine, missing);
      }
      return (field, value) => mine.get(field, value)!;
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
