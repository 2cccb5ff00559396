/**
 * What the search index keeps of a record. Visibility is decided here, once, when the document is made: the public
 * text holds public fields and titles of public linked records only, and is empty unless the record is public.
 */

import { VISITOR } from "../accounts/caller.ts";
import type { Entry, RecordRow } from "../records/record.ts";
import { fieldsOf, type Schema } from "../records/schema.ts";
import { maySee, maySeeField } from "../records/visibility.ts";
import type { SearchDocument, WeightedText } from "../services.ts";

/** A record at the far end of a relation, whose title makes this one findable (a maker, a place). */
export type LinkedTitle = { title: string; isPublic: boolean };

/** Linked titles that one record takes into its text. */
export const MOST_LINKED = 200;

export function searchDocument(
  schema: Schema,
  row: Pick<
    RecordRow,
    "id" | "record_type" | "idno" | "status" | "collection_status" | "metadata" | "deleted_at"
  >,
  linked: readonly LinkedTitle[],
): SearchDocument {
  const isPublic = maySee(VISITOR, row);
  const publicText: WeightedText[] = [{ weight: "A", text: row.idno }];
  const staffText: WeightedText[] = [];
  const linkedText: WeightedText[] = [];
  const facets = new Map<string, readonly string[]>();
  for (const field of fieldsOf(schema, row.record_type).values()) {
    const entries = row.metadata[field.name];
    if (!entries || entries.length === 0) continue;
    if (field.is_searchable !== null) {
      const texts = maySeeField(VISITOR, field) ? publicText : staffText;
      for (const entry of entries) texts.push({ weight: field.is_searchable, text: entry.value });
    }
    // a facet of one type is indexed for all that have the field, so that one count covers them
    if (schema.facets.has(field.name)) facets.set(field.name, valuesOf(entries));
  }
  for (const { title, isPublic: open } of linked)
    (open ? publicText : linkedText).push({ weight: "B", text: title });
  return {
    id: row.id,
    recordType: row.record_type,
    status: row.status,
    collectionStatus: row.collection_status,
    publicText: isPublic ? publicText : [],
    staffText: isPublic ? staffText : [...publicText, ...staffText],
    linkedText,
    facets,
  };
}

/** Each value once; values of several languages are values of their own. */
function valuesOf(entries: readonly Entry[]): string[] {
  return [...new Set(entries.map((entry) => entry.value))];
}
