/** The fields of a record for people: labels, and the words that vocabularies have for their values. */

import type { Kind } from "../records/kinds.ts";
import type { Entry, Metadata } from "../records/record.ts";
import { type Field, fieldsOf, type Labels, type Schema } from "../records/schema.ts";
import type { Sql } from "../services.ts";
import { labelsOfTerms, termKey } from "./terms/store.ts";

/** `labels`: what the term of the field's vocabulary is called, where the value is one and has names. */
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
  const known = asked.length === 0 ? new Map<string, Labels>() : await labelsOfTerms(sql, asked);
  return fields.map((field) => ({
    field,
    entries: metadata[field.name]!.map((entry) => {
      const labels = known.get(termKey(field.vocabulary, entry.value));
      return labels ? { ...entry, labels } : entry;
    }),
  }));
}
