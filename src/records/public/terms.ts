/** Names of terms, and fields with the names of their terms. */
import type { Sql } from "../../services.ts";
import type { Kind } from "../kinds.ts";
import type { Entry, Metadata } from "../record.ts";
import { type Field, fieldsOf, type Labels, type Schema } from "../schema.ts";
import type { Term } from "./loaded.ts";

export const termKey = (vocabulary: string | null | undefined, value: string): string =>
  JSON.stringify([vocabulary, value]);

/** With all names and all broader terms, for formats. */
export async function readTerms(
  sql: Sql,
  words: readonly { vocabulary: string; value: string }[],
): Promise<Term[]> {
  if (words.length === 0) return [];
  return sql<Term[]>`
    select t.id, t.vocabulary, t.value, t.label, t.alt_label, t.uri, coalesce((
        select json_agg(json_build_object('id', a.id, 'vocabulary', a.vocabulary, 'value', a.value, 'label', a.label,
          'alt_label', a.alt_label, 'uri', a.uri) order by b.place)
        from broader_terms b join vocabulary_terms a on a.id = b.broader where b.id = t.id), '[]') as broader
    from json_to_recordset(${sql.json(words as never)}::json) as x(vocabulary text, value text)
      join vocabulary_terms t on t.vocabulary = x.vocabulary and t.value = x.value`;
}

/** The labels of terms by `termKey`, without terms that have none. */
export async function labelsOfTerms(
  sql: Sql,
  asked: readonly { vocabulary: string; value: string }[],
): Promise<Map<string, Labels>> {
  if (asked.length === 0) return new Map();
  const vocabularies = asked.map(({ vocabulary }) => vocabulary);
  const values = asked.map(({ value }) => value);
  const rows = await sql<{ vocabulary: string; value: string; label: Labels }[]>`
    select t.vocabulary, t.value, t.label
    from vocabulary_terms t join unnest(${vocabularies}::text[], ${values}::text[]) as a (vocabulary, value)
      on t.vocabulary = a.vocabulary and t.value = a.value
    where t.label <> '{}'`;
  return new Map(rows.map(({ vocabulary, value, label }) => [termKey(vocabulary, value), label]));
}

/** `labels`: the names of the term, if the value is a term of the field's vocabulary and has names. */
export type ShownEntry = Entry & { labels?: Labels };
export type ShownField = { field: Field; entries: ShownEntry[] };

/** In the order of the schema. `metadata`: what the reader may see (`visibleMetadata`). */
export async function shownFields(
  sql: Sql,
  schema: Schema,
  kind: Kind,
  metadata: Metadata,
): Promise<ShownField[]> {
  const fields = [...fieldsOf(schema, kind).values()].filter(({ name }) => metadata[name]?.length);
  const asked = fields.flatMap(({ name, vocabulary }) =>
    vocabulary === null ? [] : metadata[name]!.map(({ value }) => ({ vocabulary, value })),
  );
  const known = await labelsOfTerms(sql, asked);
  return fields.map((field) => ({
    field,
    entries: metadata[field.name]!.map((entry) => {
      const labels = known.get(termKey(field.vocabulary, entry.value));
      return labels ? { ...entry, labels } : entry;
    }),
  }));
}
