/** Reads the records to which a LIDO record links: people, places, events and collections, with their descriptions. */

import type { Element, Node } from "slimdom";
import { CORPORATE_BODY, PERSON } from "../../formats/lido/lido-terms.ts";
import { UUID } from "../../ids.ts";
import type { DescribedEnd } from "../../records/batch/described-ends.ts";
import { type Kind, kinds } from "../../records/kinds.ts";
import type { Entry, Metadata } from "../../records/record.ts";
import { type Field, fieldsOf } from "../../records/schema.ts";
import { authorityFault, knownAuthority } from "../../records/write/authority-ids.ts";
import { fold, nameKey } from "../../text.ts";
import { fieldBy, type LidoContext } from "./context.ts";
import { type FoundLink, linkKey } from "./described.ts";
import { dateOf, isTranslatable, sideOf, wordOf } from "./values.ts";
import {
  at,
  attribute,
  concept,
  type Found,
  glimpse,
  identifiers,
  ownLanguage,
  ownName,
  textOf,
} from "./xml.ts";

/** Without `described`, `value` is the number of an existing record, and none is created. `from`: the nodes that it keeps. */
export type ReadEnd = { to_type: Kind; value: string; described?: DescribedEnd; from: readonly Node[] };
type Described = ReadEnd & { described: DescribedEnd };
export type Names = { preferred: Found[]; further: Found[] };
type Identifiers = ReturnType<typeof identifiers>;

/** The linked record that an element describes; null if it has no name. */
function endOf(
  known: LidoContext,
  kind: Kind,
  names: Names,
  { uris, locals }: Identifiers,
  more: Partial<Omit<DescribedEnd, "metadata" | "links">> & {
    metadata?: Record<string, readonly Found[]>;
    links?: readonly FoundLink[];
    from?: readonly Node[];
  } = {},
): Described | null {
  const [first] = names.preferred;
  if (!first) return null;
  const { metadata: found = {}, from: others = [], links: allLinks = [], ...rest } = more;
  const fields = fieldsOf(known.schema, kind);
  const metadata: Metadata = {};
  const said: { field: string; entry: Entry; from: readonly Node[] }[] = [];
  const add = (field: Field | undefined, { value, lang, from = [] }: Found) => {
    if (!field || value === "") return;
    const entries = metadata[field.name] ?? [];
    const entry = lang !== undefined && isTranslatable(field) ? { value, lang } : { value };
    const isFull = !field.is_repeatable && entries.some((each) => each.lang === entry.lang);
    if (!isFull && !has(entries, entry)) metadata[field.name] = [...entries, entry];
    said.push({ field: field.name, entry, from });
  };
  const title = fields.get(kinds[kind].titleField);
  const further = fieldBy(known, kind, "alternative_name") ?? fieldBy(known, kind, "alternative_title");
  for (const name of names.preferred) add(title, name);
  for (const name of names.further) add(further, name);
  const authorities = uris.flatMap(({ value, from }) => {
    const authority = knownAuthority(value);
    return authority ? [{ ...authority, from }] : [];
  });
  for (const { authority, iri, from } of authorities) {
    const field = [...fields.values()].find(
      ({ name, field_type }) =>
        field_type === "authority" && (name === authority || name.endsWith(`_${authority}`)),
    );
    if (field && authorityFault(field.name, iri) === null) add(field, { value: iri, from });
  }
  for (const [name, entries] of Object.entries(found))
    for (const entry of entries) add(fields.get(name), entry);
  const own = `${known.baseUrl}/${kinds[kind].plural}/`;
  const address = uris.find(({ value }) => value.startsWith(own));
  const id = address?.value.slice(own.length);
  const idno = locals.find(({ value }) => value.length <= 200);
  const key = authorities[0]?.iri ?? `${idno?.value ?? ""} ${nameKey(first.value)}`;
  const described: DescribedEnd = {
    ...rest,
    key,
    metadata,
    ...(id && UUID.test(id) ? { id } : {}),
    ...(idno ? { idno: idno.value } : {}),
  };
  // from a further description, only what is new or the same is kept
  const earlier = known.describedBefore(kind, described, allLinks);
  const whole = earlier
    ? { ...described, ...earlier.end, metadata: { ...metadata, ...earlier.end.metadata } }
    : described;
  const isSame = (name: "idno" | "lat" | "lon") => whole[name] === described[name];
  const links = allLinks.filter((link) => !earlier?.links.size || earlier.links.has(linkKey(link)));
  const from = [
    ...said
      .filter(({ field, entry }) => has(whole.metadata[field] ?? [], entry))
      .flatMap((each) => each.from),
    ...(address?.from ?? []),
    ...(isSame("idno") ? (idno?.from ?? []) : []),
    ...(isSame("lat") && isSame("lon") ? others : []),
    ...links.flatMap((link) => link.from),
  ];
  const ends = links.map(({ from: _, ...link }) => link);
  return {
    to_type: kind,
    value: first.value,
    described: links.length > 0 ? { ...described, links: ends } : described,
    from,
  };
}

const has = (entries: readonly Entry[], { value, lang }: Entry): boolean =>
  entries.some((each) => each.value === value && each.lang === lang);

const ALTERNATIVE = /alternat|lido00(170|526)$/;
const PREFERENCE = /prefer|lido00169$|alternat|lido00(170|526)$/;

/** Whether a name or title is not the preferred one. */
export const isAlternative = (element: Element): boolean =>
  ALTERNATIVE.test(attribute(element, "pref", (pref) => PREFERENCE.test(pref)) ?? "");

/** The names in an element. A name has a language only if it states one, because a name in a German record need not be German. */
export function namesIn(element: Element, set: string): Names {
  const all = at(element, `${set}/appellationValue`).map((each) => ({
    name: { value: textOf(each), lang: ownLanguage(each), from: [each] },
    further: isAlternative(each),
  }));
  const some = all.filter(({ name }) => name.value !== "");
  const preferred = some.filter(({ further }) => !further).map(({ name }) => name);
  const others = some.filter(({ further }) => further).map(({ name }) => name);
  return preferred.length > 0
    ? { preferred, further: others }
    : { preferred: others.slice(0, 1), further: others.slice(1) };
}

export function actorEnd(known: LidoContext, actor: Element): Described | null {
  const subtype = actorType(known, actor);
  const names = namesIn(actor, "nameActorSet");
  const isPerson = subtype === "person";
  const metadata: Record<string, Found[]> = {};
  const [life] = at(actor, "vitalDatesActor");
  const note = (pattern: string, element: Element | undefined) => {
    const field = fieldBy(known, "entity", pattern);
    const value = sideOf(element);
    if (field && value !== null) metadata[field.name] = [{ value, from: [element!] }];
  };
  if (life) {
    note(isPerson || !subtype ? "birth" : "formation", at(life, "earliestDate")[0]);
    note(isPerson || !subtype ? "death" : "dissolution", at(life, "latestDate")[0]);
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

/** Types of actors, by words that catalogues use. */
const ACTOR_TYPES: readonly (readonly [RegExp, string])[] = [
  [/^(person|personal|individual|individuum|einzelperson|personne)/, "person"],
  [/^(corporat|korperschaft|organi[sz]ation|institution|collectivite|firma|legal)/, "organisation"],
  [/^(famil)/, "family"],
  [/^(group|gruppe|groupe)/, "group"],
];

function actorType({ schema }: LidoContext, actor: Element): string | undefined {
  const type = glimpse(actor, "type");
  const known = schema.subtypes.get("entity");
  const wanted =
    type === null
      ? undefined
      : type === PERSON
        ? "person"
        : type === CORPORATE_BODY
          ? "organisation"
          : (ACTOR_TYPES.find(([pattern]) => pattern.test(fold(type)))?.[1] ?? type);
  if (wanted === undefined || !known?.has(wanted)) return undefined;
  attribute(actor, "type");
  return wanted;
}

export function placeEnd(known: LidoContext, place: Element): Described | null {
  const field = fieldBy(known, "place", "type");
  const types =
    field &&
    at(place, "placeClassification").flatMap((each) => wordOf(known, field, concept(each), "en") ?? []);
  return endOf(known, "place", namesIn(place, "namePlaceSet"), identifiers(place, "placeID"), {
    metadata: field && types?.length ? { [field.name]: types } : {},
    ...positionOf(place),
  });
}

function positionOf(place: Element): { lat?: number; lon?: number; from?: readonly Node[] } {
  const [gml] = at(place, "gml");
  const pos = gml?.children.flatMap((point) => point.children).find(({ localName }) => localName === "pos");
  const [lat, lon] = (pos ? textOf(pos) : "").split(/[\s,]+/).map(Number);
  const isThere = pos && Math.abs(lat!) <= 90 && Math.abs(lon!) <= 180;
  return isThere ? { lat: lat!, lon: lon!, from: [pos] } : {};
}

/** Somebody who took part in an event, with the roles in it. */
export type Participant = { end: Described; roles: readonly Found[] };

/** An event with a name, as an occurrence. */
export function occurrenceEnd(
  known: LidoContext,
  event: Element,
  subtype: string | undefined,
  { participants = [], notes = [] }: { participants?: readonly Participant[]; notes?: readonly Found[] } = {},
): Described | null {
  const field = fieldBy(known, "occurrence", "timespan");
  const description = fieldBy(known, "occurrence", "description");
  const [set] = at(event, "eventDate");
  const entryOf = (element: Element): Found => ({
    value: textOf(element),
    lang: ownLanguage(element),
    from: [element],
  });
  const date = set ? dateOf(known, set, entryOf) : { edtf: null, from: [] };
  const places = at(event, "eventPlace/place").flatMap((place) => placeEnd(known, place) ?? []);
  const isKnown = subtype !== undefined && known.schema.subtypes.get("occurrence")?.has(subtype);
  return endOf(known, "occurrence", namesIn(event, "eventName"), identifiers(event, "eventID"), {
    metadata: {
      ...(field && date.edtf !== null ? { [field.name]: [{ value: date.edtf, from: date.from }] } : {}),
      ...(description && notes.length > 0 ? { [description.name]: notes } : {}),
    },
    ...(isKnown ? { subtype } : {}),
    links: [
      ...places.map(({ to_type, described, from }) => ({
        relation_type: "took_place_at",
        to_type,
        end: described,
        from,
      })),
      ...participants.map(({ end: { to_type, described, from }, roles }) => ({
        relation_type: "participant",
        to_type,
        end: described,
        ...(roles.length > 0 ? { metadata: { role: roles.map(({ value }) => ({ value })) } } : {}),
        from: [...from, ...roles.flatMap((role) => role.from ?? [])],
      })),
    ],
  });
}

/** The collection, or other record, that an `object` element names. */
export const objectEnd = (known: LidoContext, kind: Kind, object: Element): ReadEnd | null =>
  endOf(known, kind, namesIn(object, "objectName"), identifiers(object, "objectID"), {
    from: at(object, "objectWebResource").filter((each) => textOf(each).includes(`/${kinds[kind].plural}/`)),
  });

export function repositoryEnd(known: LidoContext, body: Element): ReadEnd | null {
  const ids = identifiers(body, "legalBodyID");
  if (ids.uris.length + ids.locals.length === 0) return null;
  return endOf(known, "entity", namesIn(body, "legalBodyName"), ids, { subtype: "organisation" });
}

/** The relation type that one of our own URIs names. */
export const relationNamed = (uris: readonly (string | null)[]): string | null =>
  ownName(uris, "relation-types");
