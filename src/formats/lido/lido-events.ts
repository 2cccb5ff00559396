/** Events in the life of an object (LIDO 1.1, `eventWrap`): making, finding, acquiring, showing, owning. */

import { languages } from "../../messages/translate.ts";
import { dateInWords } from "../../records/dates/in-words.ts";
import { isQualified, QUALIFIERS, wordsAlone } from "../../records/links/attributions.ts";
import type { Named } from "../../records/public/beyond-links.ts";
import { type Entry, entriesOf, type Metadata } from "../../records/record.ts";
import type { Labels, RelationType } from "../../records/schema.ts";
import { wordSet } from "../../text.ts";
import type { Content, Xml } from "../../xml.ts";
import { calledIn, entriesBy, namesOf, valuesBy } from "../named.ts";
import type { DeliveredView } from "../view.ts";
import { actor, identifiers, place } from "./lido-named.ts";
import {
  type Concept,
  concept,
  conceptsBy,
  dates,
  from,
  holder,
  lido,
  names,
  text,
  textsBy,
  variants,
} from "./lido-parts.ts";
import { EVENT_TYPES, type EventName, MATERIAL, TECHNIQUE } from "./lido-terms.ts";

/** A link of the object, with the public record at its other end. */
export type NamedLink = { type: RelationType; outgoing: boolean; metadata: Metadata; named: Named };

export function eventWrap(view: DeliveredView, links: readonly NamedLink[]): Xml | null {
  const of = (...types: string[]) =>
    links.filter(({ type, outgoing }) => outgoing && types.includes(type.name));
  const events = [
    production(view, of("created_by"), of("made_at")),
    ...of("found_at").map((link) => event("finding", { places: [placeOf(view, link.named)] })),
    acquisition(view, of("acquired_from")),
    ...of("exhibited_in").map((link) => occurrence(view, link)),
    ...of("owned_by").map((link) =>
      event("provenance", { actors: [actorOf(view, link, relationRole(view, link))] }),
    ),
    ...links.filter(hasNoElement).map((link) => relationEvent(view, link)),
  ];
  return holder(
    "eventWrap",
    events.map((each) => each && lido("eventSet", each)),
  );
}

/** Relation types to people and places that have an element of their own in LIDO. */
const WITH_ELEMENT = wordSet("created_by made_at found_at acquired_from owned_by kept_by depicts about");

/** Whether LIDO has no element for a link to a person or place. It is then written as an event named after the relation. */
export const hasNoElement = ({ type, outgoing, named }: NamedLink): boolean =>
  (named.record_type === "entity" || named.record_type === "place") &&
  !(outgoing && WITH_ELEMENT.has(type.name));

function relationEvent(view: DeliveredView, link: NamedLink): Xml | null {
  const parts =
    link.named.record_type === "place"
      ? { places: [placeOf(view, link.named)] }
      : { actors: [actorOf(view, link)] };
  return event("event", parts, relationRole(view, link));
}

/** The parts of an event, in the order of the schema. */
type Parts = {
  ids?: Content;
  names?: Content;
  actors?: readonly Content[];
  cultures?: Content;
  date?: Content;
  places?: readonly Content[];
  methods?: Content;
  materials?: Content;
  notes?: Content;
};

function event(name: EventName, parts: Parts, kind?: Concept): Xml | null {
  const { ids, names: named, actors, cultures, date, places, methods, materials, notes } = parts;
  if (
    [named, ...(actors ?? []), cultures, date, ...(places ?? []), methods, materials, notes].every(isNothing)
  )
    return null;
  const { uri, en, de } = EVENT_TYPES[name];
  const type = concept(
    "eventType",
    kind ? { ...kind, uris: [uri, ...kind.uris] } : { uris: [uri], terms: entriesOf({ en, de }) },
  );
  return lido("event", ids, type, named, actors, cultures, date, places, methods, materials, notes);
}

const isNothing = (part: Content): boolean =>
  part === null || part === undefined || (Array.isArray(part) && part.every(isNothing));

function production(
  view: DeliveredView,
  makers: readonly NamedLink[],
  places: readonly NamedLink[],
): Xml | null {
  const { row } = view.record;
  return event("production", {
    actors: [
      makers.map((link) => actorOf(view, link)),
      textsBy(view, "creator_text", "displayActorInRole").map((each) => lido("eventActor", each)),
    ],
    cultures: conceptsBy(view, "culture", "culture"),
    date: eventDate(
      entriesBy(view, row, "production_timespan"),
      textsBy(view, "production_timespan_text", "displayDate"),
    ),
    places: [
      places.map(({ named }) => placeOf(view, named)),
      textsBy(view, "place_of_production_text", "displayPlace").map((each) => lido("eventPlace", each)),
    ],
    materials: materials(view),
    notes: descriptions(view, "production_note"),
  });
}

/** `eventDescriptionSet`: what is told about an event. */
const descriptions = (view: DeliveredView, pattern: string): Xml[] =>
  valuesBy(view, view.record.row, pattern).flatMap(({ field, entries }) =>
    variants(entries).map((group) =>
      lido(
        "eventDescriptionSet",
        group.map((entry) => text("descriptiveNoteValue", entry, from(field))),
      ),
    ),
  );

function materials(view: DeliveredView): Xml | null {
  const terms = (pattern: string, type: string) =>
    conceptsBy(view, pattern, "termMaterialsTech", { "lido:type": type });
  const all = [...terms("material", MATERIAL), ...terms("technique", TECHNIQUE)];
  const inWords = textsBy(view, "material_text", "displayMaterialsTech");
  return holder("eventMaterialsTech", inWords, holder("materialsTech", all));
}

function acquisition(view: DeliveredView, sources: readonly NamedLink[]): Xml | null {
  const { row } = view.record;
  return event("acquisition", {
    actors: sources.map((link) => actorOf(view, link, relationRole(view, link))),
    date: eventDate(entriesBy(view, row, "acquisition_date"), []),
    methods: conceptsBy(view, "acquisition_method", "eventMethod"),
    notes: descriptions(view, "acquisition_note"),
  });
}

/** Subtype of an occurrence → type of event. */
const OF_SUBTYPE: Readonly<Record<string, EventName>> = {
  exhibition: "exhibition",
  excavation: "excavation",
  performance: "performance",
};

export function occurrence(view: DeliveredView, { named }: NamedLink): Xml | null {
  return event(OF_SUBTYPE[named.subtype] ?? "event", {
    ids: identifiers(view, "eventID", named),
    names: names("eventName", namesOf(named)),
    actors: participants(view, named),
    date: eventDate(entriesBy(view, named, "timespan"), []),
    places: named.sites.flatMap((id) => {
      const site = view.named.get(id);
      return site ? [placeOf(view, site)] : [];
    }),
  });
}

/** In the order of their numbers and roles, whenever the links were made. The terms of the roles were not loaded. */
function participants(view: DeliveredView, occurrence: Named): Xml[] {
  const all = occurrence.participants.flatMap(({ id, metadata: { role = [] } }) => {
    const named = view.named.get(id);
    return named ? [{ named, role, place: JSON.stringify([named.idno, role]) }] : [];
  });
  return all
    .sort((a, b) => (a.place < b.place ? -1 : 1))
    .map(({ named, role }) => {
      const roles = role.map((each) => concept("roleActor", { uris: [], terms: [each], field: "role" }));
      return lido("eventActor", lido("actorInRole", actor(view, named), roles));
    });
}

const placeOf = (view: DeliveredView, named: Named): Xml => lido("eventPlace", place(view, named));

function actorOf(view: DeliveredView, link: NamedLink, otherwise?: Concept): Xml {
  const { term } = view.around;
  const roles = (link.metadata.role ?? []).map((role): Concept => {
    const known = term("role", role.value);
    const labels = entriesOf(known?.label ?? {}).filter(({ value }) => value !== role.value);
    return { uris: known?.uri ? [known.uri] : [], terms: [role, ...labels], field: "role" };
  });
  return lido(
    "eventActor",
    isQualified(link.metadata)
      ? calledIn(view, link, link.named).map((entry) => text("displayActorInRole", entry))
      : null,
    lido(
      "actorInRole",
      actor(view, link.named),
      [...roles, ...(otherwise ? [otherwise] : [])].map((role) => concept("roleActor", role)),
      qualifiers(view, link).map((each) => concept("attributionQualifierActor", each)),
    ),
  );
}

/** A term by its names, which have no place for the maker's here, and the museum's own words as they are. */
function qualifiers({ around }: DeliveredView, { metadata }: NamedLink): Concept[] {
  const { qualifier = [], qualifier_text = [] } = metadata;
  const terms = qualifier.map((entry): Concept => {
    const labels = entriesOf(around.schema.qualifiers.get(entry.value) ?? {}).map((label) => ({
      ...label,
      value: wordsAlone(label.value),
    }));
    const uri = around.term(QUALIFIERS, entry.value)?.uri;
    return { uris: uri ? [uri] : [], terms: labels.length > 0 ? labels : [entry], field: "qualifier" };
  });
  const words = { uris: [], terms: qualifier_text, field: "qualifier_text" };
  return qualifier_text.length > 0 ? [...terms, words] : terms;
}

/** The relation type as a concept of this catalogue. `words`: instead of its labels. */
export function relationRole(
  { around }: DeliveredView,
  { type, outgoing }: NamedLink,
  words: Labels = {},
): Concept {
  const [name, labels] = outgoing ? [type.name, type.label] : [type.inverse, type.inverse_label];
  return { uris: [`${around.baseUrl}/v1/relation-types/${name}`], terms: entriesOf({ ...labels, ...words }) };
}

/** @param worded the date as people wrote it; if empty, `written` (EDTF) is put into words */
function eventDate(written: readonly Entry[], worded: readonly Xml[]): Xml | null {
  const values = written.map(({ value }) => value);
  const inWords = languages().map((lang) => ({
    lang,
    value: values.map((value) => dateInWords(value, lang)).join(", "),
  }));
  const otherwise = values.length > 0 ? inWords.map((entry) => text("displayDate", entry)) : [];
  const span = dates(values);
  return holder(
    "eventDate",
    worded.length > 0 ? worded : otherwise,
    span && holder("date", span.earliest, span.latest),
  );
}
