/** Reads the people, places, events and collections that a LIDO record names, with their descriptions. */

import type { Element } from "slimdom";
import { CORPORATE_BODY, PERSON } from "../aggregation/lido-terms.ts";
import { UUID } from "../ids.ts";
import { authorityFault, knownAuthority } from "../records/authority-ids.ts";
import type { DescribedEnd } from "../records/described-ends.ts";
import { type Kind, kinds } from "../records/kinds.ts";
import type { Entry, Metadata } from "../records/record.ts";
import { type Field, fieldsOf } from "../records/schema.ts";
import { fold, nameKey } from "../text.ts";
import { fieldBy, type LidoContext } from "./lido-context.ts";
import { dateOf, isTranslatable, sideOf, wordOf } from "./lido-values.ts";
import { at, attribute, concept, identifiers, ownLanguage, ownName, textOf } from "./lido-xml.ts";

/** Without `described`: `value` is the number of an existing record; none is created. */
export type ReadEnd = { to_type: Kind; value: string; described?: DescribedEnd };
type Described = ReadEnd & { described: DescribedEnd };

/** The person or thing that an element describes; null if it has no name. */
function endOf(
  known: LidoContext,
  kind: Kind,
  names: { preferred: Entry[]; further: Entry[] },
  { uris, locals }: { uris: string[]; locals: string[] },
  more: Partial<DescribedEnd> & { metadata?: Metadata } = {},
): Described | null {
  const [first] = names.preferred;
  if (!first) return null;
  const fields = fieldsOf(known.schema, kind);
  const metadata: Metadata = {};
  const add = (field: Field | undefined, { value, lang }: Entry) => {
    if (!field || value === "") return;
    const entries = metadata[field.name] ?? [];
    const entry = lang !== undefined && isTranslatable(field) ? { value, lang } : { value };
    const isFull = !field.is_repeatable && entries.some((each) => each.lang === entry.lang);
    const isThere = entries.some((each) => each.value === entry.value && each.lang === entry.lang);
    if (!isFull && !isThere) metadata[field.name] = [...entries, entry];
  };
  const title = fields.get(kinds[kind].titleField);
  const further = fieldBy(known, kind, "alternative_name") ?? fieldBy(known, kind, "alternative_title");
  for (const name of names.preferred) add(title, name);
  for (const name of names.further) add(further, name);
  const authorities = uris.flatMap((uri) => knownAuthority(uri) ?? []);
  for (const { authority, iri } of authorities) {
    const field = [...fields.values()].find(
      ({ name, field_type }) =>
        field_type === "authority" && (name === authority || name.endsWith(`_${authority}`)),
    );
    if (field && authorityFault(field.name, iri) === null) add(field, { value: iri });
  }
  for (const [name, entries] of Object.entries(more.metadata ?? {}))
    for (const entry of entries) add(fields.get(name), entry);
  const own = `${known.baseUrl}/${kinds[kind].plural}/`;
  const id = uris.find((uri) => uri.startsWith(own))?.slice(own.length);
  const idno = locals.find((text) => text.length <= 200);
  const described: DescribedEnd = {
    ...more,
    key: authorities[0]?.iri ?? `${idno ?? ""} ${nameKey(first.value)}`,
    metadata,
    ...(id && UUID.test(id) ? { id } : {}),
    ...(idno ? { idno } : {}),
  };
  return { to_type: kind, value: first.value, described };
}

const isAlternate = (pref: string | null): boolean => pref !== null && /alternat|lido00(170|526)$/.test(pref);

/** Names of one thing. They have a language only if they state it: a name in a German record is not always German. */
export function namesIn(element: Element, set: string): { preferred: Entry[]; further: Entry[] } {
  const all = at(element, `${set}/appellationValue`).map((each) => ({
    name: { value: textOf(each), lang: ownLanguage(each) },
    further: isAlternate(attribute(each, "pref")),
  }));
  const some = all.filter(({ name }) => name.value !== "");
  const preferred = some.filter(({ further }) => !further).map(({ name }) => name);
  const others = some.filter(({ further }) => further).map(({ name }) => name);
  return preferred.length > 0
    ? { preferred, further: others }
    : { preferred: others.slice(0, 1), further: others.slice(1) };
}

export function actorEnd(known: LidoContext, actor: Element): ReadEnd | null {
  const subtype = actorType(known, actor);
  const names = namesIn(actor, "nameActorSet");
  const isPerson = subtype === "person";
  const metadata: Metadata = {};
  const [life] = at(actor, "vitalDatesActor");
  const note = (pattern: string, value: string | null) => {
    const field = fieldBy(known, "entity", pattern);
    if (field && value !== null) metadata[field.name] = [{ value }];
  };
  if (life) {
    note(isPerson || !subtype ? "birth" : "formation", sideOf(at(life, "earliestDate")[0]));
    note(isPerson || !subtype ? "death" : "dissolution", sideOf(at(life, "latestDate")[0]));
  }
  for (const [element, name] of [
    ["nationalityActor", "nationality"],
    ["genderActor", "gender"],
  ] as const) {
    const field = fieldsOf(known.schema, "entity").get(name);
    const words =
      field && at(actor, element).flatMap((each) => wordOf(known, field, concept(each), "en") ?? []);
    if (words?.length) metadata[name] = words;
  }
  return endOf(known, "entity", names, identifiers(actor, "actorID"), {
    metadata,
    ...(subtype ? { subtype } : {}),
  });
}

/** Types of actors, by the URI of LIDO or by words that catalogues use. */
const ACTOR_TYPES: readonly (readonly [RegExp, string])[] = [
  [/^(person|personal|individual|individuum|einzelperson|personne)/, "person"],
  [/^(corporat|korperschaft|organi[sz]ation|institution|collectivite|firma|legal)/, "organisation"],
  [/^(famil)/, "family"],
  [/^(group|gruppe|groupe)/, "group"],
];

function actorType({ schema }: LidoContext, actor: Element): string | undefined {
  const type = attribute(actor, "type");
  const known = schema.subtypes.get("entity");
  const wanted =
    type === null
      ? undefined
      : type === PERSON
        ? "person"
        : type === CORPORATE_BODY
          ? "organisation"
          : (ACTOR_TYPES.find(([pattern]) => pattern.test(fold(type)))?.[1] ?? type);
  return wanted !== undefined && known?.has(wanted) ? wanted : undefined;
}

export function placeEnd(known: LidoContext, place: Element): Described | null {
  const field = fieldBy(known, "place", "type");
  const types =
    field &&
    at(place, "placeClassification").flatMap((each) => wordOf(known, field, concept(each), "en") ?? []);
  const position = positionOf(place);
  return endOf(known, "place", namesIn(place, "namePlaceSet"), identifiers(place, "placeID"), {
    metadata: field && types?.length ? { [field.name]: types } : {},
    ...position,
  });
}

function positionOf(place: Element): { lat: number; lon: number } | Record<string, never> {
  const [gml] = at(place, "gml");
  const pos = gml?.children.flatMap((point) => point.children).find(({ localName }) => localName === "pos");
  const [lat, lon] = (pos ? textOf(pos) : "").split(/[\s,]+/).map(Number);
  const isThere = pos && Math.abs(lat!) <= 90 && Math.abs(lon!) <= 180;
  return isThere ? { lat: lat!, lon: lon! } : {};
}

/** An event with a name, as an occurrence. */
export function occurrenceEnd(
  known: LidoContext,
  event: Element,
  subtype: string | undefined,
): ReadEnd | null {
  const field = fieldBy(known, "occurrence", "timespan");
  const [set] = at(event, "eventDate");
  const date = set
    ? dateOf(known, set, (element) => ({ value: textOf(element), lang: ownLanguage(element) })).edtf
    : null;
  const places = at(event, "eventPlace/place").flatMap((place) => placeEnd(known, place) ?? []);
  const isKnown = subtype !== undefined && known.schema.subtypes.get("occurrence")?.has(subtype);
  return endOf(known, "occurrence", namesIn(event, "eventName"), identifiers(event, "eventID"), {
    metadata: field && date !== null ? { [field.name]: [{ value: date }] } : {},
    ...(isKnown ? { subtype } : {}),
    links: places.map(({ to_type, described }) => ({
      relation_type: "took_place_at",
      to_type,
      end: described,
    })),
  });
}

/** A collection, or anything else that an `object` element names. */
export const objectEnd = (known: LidoContext, kind: Kind, object: Element): ReadEnd | null =>
  endOf(known, kind, namesIn(object, "objectName"), identifiers(object, "objectID"));

export function repositoryEnd(known: LidoContext, body: Element): ReadEnd | null {
  const { uris, locals } = identifiers(body, "legalBodyID");
  if (uris.length + locals.length === 0) return null;
  return endOf(
    known,
    "entity",
    namesIn(body, "legalBodyName"),
    { uris, locals },
    { subtype: "organisation" },
  );
}

/** The relation type that one of our own concept addresses names. */
export const relationNamed = (uris: readonly (string | null)[]): string | null =>
  ownName(uris, "relation-types");
