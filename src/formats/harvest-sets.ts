/** The OAI-PMH sets (§2.6) of a record, besides that of its type. */
import { fieldsOf } from "../records/schema.ts";
import { isInSet } from "../settings/set-query.ts";
import type { DeliveredView } from "./view.ts";

/** The relation type for membership in a collection. */
const IN_COLLECTION = "in_collection";

/** The set of everything in the collection or below it. The point has no meaning in OAI-PMH; only colons make hierarchies. */
export const collectionSet = (id: string): string => `collection.${id}`;

/** Sorted. */
export function setsOf(view: DeliveredView): string[] {
  const { row, links } = view.record;
  const own = links
    .filter(
      ({ relation_type, other }) => relation_type === IN_COLLECTION && other.record_type === "collection",
    )
    .map(({ other }) => other.id);
  const collections = [row.id, ...own].flatMap((id) => view.above.get(id) ?? []).concat(own);
  const configured = view.harvestSets.filter(({ query }) => isInSet(query, (name) => valuesOf(view, name)));
  return [...new Set([...collections.map(collectionSet), ...configured.map(({ spec }) => spec)])].sort();
}

function valuesOf({ around: { schema }, record: { row } }: DeliveredView, name: string): readonly string[] {
  if (name === "type") return [row.record_type];
  if (name === `${row.record_type}_type`) return [row.subtype];
  if (name === "collection_status") return row.collection_status === null ? [] : [row.collection_status];
  const field = fieldsOf(schema, row.record_type).get(name.replace(/^meta_/, ""));
  if (!name.startsWith("meta_") || !field) return [];
  const values = (row.metadata[field.name] ?? []).map(({ value }) => value);
  // a search for a term also finds the terms below it
  const broader = field.vocabulary === null ? undefined : schema.broader.get(field.vocabulary);
  return values.flatMap((value) => [value, ...(broader?.get(value) ?? [])]);
}
