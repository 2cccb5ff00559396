/** Linked records in LIDO: actors, places, objects, with their identifiers and names. */

import type { Named } from "../../records/public/beyond-links.ts";
import { type Xml, element as xml } from "../../xml.ts";
import { authoritiesOf, entriesBy, iriOfNamed, namesOf, positionOf, valuesBy } from "../named.ts";
import type { DeliveredView } from "../view.ts";
import { concept, conceptOf, dates, holder, lido, lidoWith, localId, names, uriId } from "./lido-parts.ts";
import { CORPORATE_BODY, PERSON } from "./lido-terms.ts";

/** Authorities first, since aggregators use the first identifier that they know; then our address and number. */
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
  return lidoWith(
    "actor",
    { "lido:type": ACTOR_TYPES[named.subtype] ?? named.subtype },
    identifiers(view, "actorID", named),
    names("nameActorSet", namesOf(named), entriesBy(view, named, "alternative_name")),
    conceptsOf(named, "nationality", "nationalityActor"),
    holder(
      "vitalDatesActor",
      dates(began.length > 0 ? began : years("formation"))?.earliest,
      dates(ended.length > 0 ? ended : years("dissolution"))?.latest,
    ),
    conceptsOf(named, "gender", "genderActor"),
  );
}

/** The values of a field of a linked record, without their terms, which were not loaded. */
function conceptsOf(named: Named, field: string, name: string): Xml[] {
  return (named.metadata[field] ?? []).map((entry) => concept(name, { uris: [], terms: [entry], field }));
}

export function place(view: DeliveredView, named: Named): Xml {
  const position = positionOf(view, named);
  return lido(
    "place",
    identifiers(view, "placeID", named),
    names("namePlaceSet", namesOf(named), entriesBy(view, named, "alternative_name")),
    position && lido("gml", point(position)),
    valuesBy(view, named, "type").flatMap(({ field, entries }) =>
      entries.map((entry) => concept("placeClassification", conceptOf(view, field, entry))),
    ),
  );
}

/** WGS 84, latitude first, as in LIDO's examples. */
const point = ({ lat, lon }: { lat: number; lon: number }): Xml =>
  xml("gml:Point", {}, xml("gml:pos", {}, `${lat} ${lon}`));

/** `displayObject` and `object`: another work, or a collection. */
export function objectSet(view: DeliveredView, named: Named, element: string): Xml {
  const iri = iriOfNamed(view, named);
  return lido(
    element,
    lido(
      "object",
      lido("objectWebResource", iri),
      identifiers(view, "objectID", named),
      names("objectName", namesOf(named)),
    ),
  );
}
