/** Records that an object names, in LIDO: actors, places, objects, and the sets of identifiers and names that they have. */
import type { Entry } from "../records/record.ts";
import { type Xml, element as xml } from "../xml.ts";
import { concept, conceptOf, dates, holder, lido, localId, names, uriId } from "./lido-parts.ts";
import { CORPORATE_BODY, PERSON } from "./lido-terms.ts";
import { authoritiesOf, entriesBy, iriOfNamed, namesOf, positionOf, valuesBy } from "./named.ts";
import type { DeliveredView, Named } from "./view.ts";

/** Authorities first, since aggregators take the first that they know; then our address, then our number. */
export function identifiers(view: DeliveredView, name: string, named: Named): Xml[] {
  return [
    ...[...authoritiesOf(view, named), iriOfNamed(view, named)].map((uri) => uriId(name, uri)),
    localId(name, named.idno),
  ];
}

const ACTOR_TYPES: Readonly<Record<string, string>> = { person: PERSON, organisation: CORPORATE_BODY };

export function actor(view: DeliveredView, named: Named): Xml {
  const years = (pattern: string) => entriesBy(view, named, pattern).map(({ value }) => value);
  const [began, ended] = [years("birth"), years("death")];
  return lido(
    "actor",
    { "lido:type": ACTOR_TYPES[named.subtype] ?? named.subtype },
    identifiers(view, "actorID", named),
    names("nameActorSet", namesOf(named), entriesBy(view, named, "alternative_name")),
    conceptsOf(named, "nationality", "nationalityActor"),
    lifeDates(began.length > 0 ? began : years("formation"), ended.length > 0 ? ended : years("dissolution")),
  );
}

/** The words of one field of a named record; their vocabulary was not read. */
function conceptsOf(named: Named, field: string, name: string): Xml[] {
  return (named.metadata[field] ?? []).map((entry) => concept(name, { uris: [], terms: [entry], field }));
}

/** `vitalDatesActor`: from the first day of a life to its last, as far as they are known. */
function lifeDates(began: readonly string[], ended: readonly string[]): Xml | null {
  return holder("vitalDatesActor", {}, dates(began)?.earliest, dates(ended)?.latest);
}

/** Somebody of whom there is but a name. */
export const actorNamed = (entries: readonly Entry[]): Xml =>
  lido("actor", {}, names("nameActorSet", entries));

export function place(view: DeliveredView, named: Named, element = "place"): Xml {
  const position = positionOf(view, named);
  return lido(
    element,
    {},
    identifiers(view, "placeID", named),
    names("namePlaceSet", namesOf(named), entriesBy(view, named, "alternative_name")),
    position && lido("gml", {}, point(position)),
    valuesBy(view, named, "type").flatMap(({ field, entries }) =>
      entries.map((entry) => concept("placeClassification", conceptOf(view, field, entry))),
    ),
  );
}

/** WGS 84, latitude first, as in the examples of LIDO. */
const point = ({ lat, lon }: { lat: number; lon: number }): Xml =>
  xml("gml:Point", {}, xml("gml:pos", {}, `${lat} ${lon}`));

/** `displayObject` and `object`: another work, or a collection. */
export function objectSet(view: DeliveredView, named: Named, element: string): Xml {
  const iri = iriOfNamed(view, named);
  return lido(
    element,
    {},
    lido(
      "object",
      {},
      lido("objectWebResource", {}, iri),
      identifiers(view, "objectID", named),
      names("objectName", namesOf(named)),
    ),
  );
}
