/** The values of records in the reader's language: terms by their labels, dates and measurements in words. */

import { withSemicolons } from "../messages/semicolons.ts";
import type { View } from "../pages/view.ts";
import { wordsOf } from "../portal/record/values.ts";
import type { Kind } from "../records/kinds.ts";
import { labelsOfTerms, termKey } from "../records/public/terms.ts";
import type { Entry, Metadata } from "../records/record.ts";
import { fieldsOf, type Schema } from "../records/schema.ts";
import type { Sql } from "../services.ts";
import { valuePlainly } from "./field-names.ts";

/** @param name as in `namePlainly` */
export type InWords = (kind: Kind, name: string, value: unknown) => string;

/** `shown`: all metadata that will be put into words, because the labels of its terms are read at once. */
export async function valuesInWords(
  sql: Sql,
  view: View,
  schema: Schema,
  shown: readonly { kind: Kind; metadata: Metadata }[],
): Promise<InWords> {
  const terms = shown.flatMap(({ kind, metadata }) =>
    Object.entries(metadata).flatMap(([name, entries]) => {
      const vocabulary = fieldsOf(schema, kind).get(name)?.vocabulary;
      return vocabulary ? entries.map(({ value }) => ({ vocabulary, value })) : [];
    }),
  );
  const known = await labelsOfTerms(sql, terms);
  return (kind, name, value) => {
    if (value === null || value === undefined) return "–";
    if (!Array.isArray(value)) return valuePlainly(view, schema, kind, name, String(value));
    const field = fieldsOf(schema, kind).get(name);
    const told = (entry: Entry) => {
      const labels = known.get(termKey(field?.vocabulary, entry.value));
      const words = field ? wordsOf(view, field, labels ? { ...entry, labels } : entry) : entry.value;
      return entry.lang ? `${words} (${entry.lang})` : words;
    };
    return withSemicolons(view.t, value.map(told));
  };
}
