/** The delivered data of linked records. */
import { asIri } from "../iri.ts";
import { kinds } from "../records/kinds.ts";
import { isQualified } from "../records/links/attributions.ts";
import type { Named } from "../records/public/beyond-links.ts";
import type { Link } from "../records/public/loaded.ts";
import type { Entry } from "../records/record.ts";
import { type Field, fieldsOf } from "../records/schema.ts";
import { authorityIri } from "../records/write/authority-ids.ts";
import { recordIri } from "./iris.ts";
import { attributionsOf } from "./rdf/patterns/attributions.ts";
import type { DeliveredView } from "./view.ts";

export const iriOfNamed = ({ around }: DeliveredView, { record_type, id }: Named): string =>
  recordIri(around.baseUrl, record_type, id);

/** The public values of fields with one of these patterns, in the order of the schema. */
export function valuesBy(
  view: DeliveredView,
  { record_type, metadata }: Pick<Named, "record_type" | "metadata">,
  ...patterns: readonly string[]
): { field: Field; entries: readonly Entry[] }[] {
  return [...fieldsOf(view.around.schema, record_type).values()].flatMap((field) => {
    const entries = metadata[field.name];
    return entries?.length && patterns.includes(String(field.mapping.pattern)) ? [{ field, entries }] : [];
  });
}

export const entriesBy = (
  view: DeliveredView,
  record: Pick<Named, "record_type" | "metadata">,
  ...patterns: readonly string[]
): Entry[] => valuesBy(view, record, ...patterns).flatMap(({ entries }) => [...entries]);

/** The addresses of the record in authority files. */
export function authoritiesOf(view: DeliveredView, { record_type, metadata }: Named): string[] {
  const found = [...fieldsOf(view.around.schema, record_type).values()]
    .filter(({ field_type }) => field_type === "authority")
    .flatMap(({ name }) => (metadata[name] ?? []).map(({ value }) => asIri(authorityIri(name, value) ?? "")));
  return [...new Set(found.filter((iri) => iri !== null))];
}

/** The names; if there are none, the number. */
export function namesOf(named: Named): readonly Entry[] {
  const entries = named.metadata[kinds[named.record_type].titleField] ?? [];
  return entries.length > 0 ? entries : [{ value: named.idno }];
}

/** What the link calls the record: a qualified maker is only ever "workshop of …". */
export const calledIn = ({ around }: DeliveredView, { metadata }: Pick<Link, "metadata">, named: Named) =>
  isQualified(metadata) ? attributionsOf(around.schema, metadata, namesOf(named)) : namesOf(named);

/** The coordinates, if they are known. */
export function positionOf(view: DeliveredView, named: Named): { lat: number; lon: number } | null {
  if (named.lat !== null && named.lon !== null) return { lat: named.lat, lon: named.lon };
  const [first] = entriesBy(view, named, "coordinates");
  const [lat, lon] = (first?.value ?? "").split(",").map(Number);
  return first && Number.isFinite(lat) && Number.isFinite(lon) ? { lat: lat!, lon: lon! } : null;
}
