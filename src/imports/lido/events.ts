/** Reads the events of a LIDO record: production, find, acquisition, exhibition and others. */
import type { Element } from "slimdom";
import type { EventName } from "../../formats/lido/lido-terms.ts";
import { isMaker, isOfMaking } from "../../records/links/makers.ts";
import { relationTypeNamed } from "../../records/schema.ts";
import { fold } from "../../text.ts";
import { type Attribution, attributionOf, isExplained, wordsIn } from "./attribution.ts";
import type { LidoContext } from "./context.ts";
import { actorEnd, occurrenceEnd, type Participant, placeEnd, type ReadEnd, relationNamed } from "./ends.ts";
import { isKnownType, typeNamed, typeOf } from "./event-types.ts";
import { materials } from "./materials.ts";
import { dateOf, labelIn, type Values } from "./values.ts";
import { at, concept, type Found, isKept, keep, NOTHING, type ReadConcept, saying, textOf } from "./xml.ts";

/** What an event says about a person: the roles, and how certain it is that the object is by that person. */
export type Part = { roles?: readonly Found[]; attribution?: Attribution; isOurs?: boolean };
export type Link = (relation_type: string, end: ReadEnd | null, part?: Part) => void;

/** Events whose date, place, materials and people become those of the object's production. */
const MAKING: readonly (EventName | undefined)[] = ["production", "creation"];
/** Events whose people ordered or published the object. The event names their role. */
const MADE_BY_OTHERS: readonly EventName[] = ["commissioning", "publication"];
const PREPARATORY: readonly EventName[] = ["designing", "planning", ...MADE_BY_OTHERS];
const FINDING: readonly (EventName | undefined)[] = ["finding", "excavation", "collecting"];

/** Roles of people from whom the object came. */
const GIVERS =
  /donor|donat|seller|vend|former owner|previous owner|source|schenk|stifter|spender|verkauf|verausser|vorbesitz|lieferant|einlieferer|testator|bequea|erblasser|legateur|ancien/;

type Reading = { known: LidoContext; event: Element; type: ReadConcept; values: Values; link: Link };

/** @param set an `eventSet`: an event, and perhaps a display text for it */
export function readEvent(known: LidoContext, set: Element, values: Values, link: Link): void {
  const notes = at(set, "displayEvent");
  const [event] = at(set, "event");
  if (!event) {
    for (const note of notes) values.text(note, "provenance");
    return;
  }
  notes.push(...at(event, "eventDescriptionSet/descriptiveNoteValue"));
  const [typed] = at(event, "eventType");
  const type = typed ? concept(typed) : NOTHING;
  const relation = relationNamed(type.uris);
  const name = typeOf(type);
  keep(relation ? type.all : saying(type, (text) => name !== undefined && typeNamed(text) === name));
  // URIs of the LIDO terminology need not be kept
  const word = type.terms[0]?.value ?? name;
  if (!relation && word !== undefined && !type.uris.some((uri) => isKnownType(uri)))
    keep(known.keepConcept({ name: "event", vocabulary: null, isOpen: false }, word, type));
  const hasName = at(event, "eventName/appellationValue").some((each) => textOf(each) !== "");
  const reading = { known, event, type, values, link };
  if (relation && relationTypeNamed(known.schema, relation)) eventOfRelation(reading, relation, notes);
  else if (MAKING.includes(name)) production(reading, notes);
  else if (name === "acquisition") acquisition(reading, notes);
  else if (hasName) {
    const participants = participantsIn(reading);
    const relationType = name === "exhibition" ? "exhibited_in" : "related_to";
    link(
      relationType,
      occurrenceEnd(known, event, name, { participants, notes: notes.map((each) => values.entry(each)) }),
    );
  } else if (name !== undefined && PREPARATORY.includes(name)) contribution(reading, name, notes);
  else otherEvent(reading, name, notes);
}

export const participantsIn = (reading: Omit<Reading, "type" | "link">): Participant[] =>
  actors(reading).flatMap(({ end, roles }) => (end ? [{ end, roles }] : []));

function contribution(reading: Reading, name: EventName, notes: readonly Element[]): void {
  const { event, type, values, link } = reading;
  const isByOthers = MADE_BY_OTHERS.includes(name);
  const [label] = labelIn(type, values.lang);
  const did = label && !(isByOthers && isOfMaking(label.value)) ? label : { value: name };
  const people = actors(reading);
  for (const { end, roles, attribution } of people) {
    // such people are not makers of the object
    const as = roles.map((role) =>
      isByOthers && isOfMaking(role.value) ? { ...role, value: `${did.value}: ${role.value}` } : role,
    );
    link("created_by", end, {
      roles: as.length > 0 ? as : [did],
      attribution,
    });
  }
  const others = displayedActors(reading, people, !isByOthers);
  if ([...at(event, "eventDate"), ...at(event, "eventPlace"), ...notes, ...others].length > 0)
    addProvenance(reading, notes);
}

/** An event without a name. Its people and places become links, the rest becomes a line of the provenance. */
function otherEvent(reading: Reading, name: EventName | undefined, notes: readonly Element[]): void {
  const { known, event, link } = reading;
  const found = FINDING.includes(name);
  for (const end of places(known, event)) link(found ? "found_at" : "related_to", end);
  let isTold = found && at(event, "eventDate").length + notes.length === 0;
  for (const { end, relation } of actors(reading)) {
    const isOurs = relation !== null && relationTypeNamed(known.schema, relation) !== null;
    link(isOurs ? relation : "related_to", end);
    isTold = isOurs;
  }
  if (!isTold) addProvenance(reading, notes);
}

/** An event with which our own exports write a link for which LIDO has no element. */
function eventOfRelation(reading: Reading, relation: string, notes: readonly Element[]): void {
  const { known, event, link } = reading;
  const people = actors(reading);
  for (const { end, ...part } of people) link(relation, end, part);
  const others = displayedActors(reading, people, relation === "created_by");
  for (const end of places(known, event)) link(relation, end);
  if (notes.length + others.length > 0) addProvenance(reading, notes);
}

function production(reading: Reading, notes: readonly Element[]): void {
  const { known, event, values, link } = reading;
  const people = actors(reading);
  for (const { end, ...part } of people) link("created_by", end, part);
  const others = displayedActors(reading, people, true);
  for (const set of at(event, "eventDate")) {
    const { edtf, words, from } = dateOf(known, set, (element) => values.entry(element));
    if (edtf !== null) values.add(values.byPattern("production_timespan"), { value: edtf, from });
    for (const word of words) values.add(values.byPattern("production_timespan_text"), word);
  }
  for (const end of places(known, event)) link("made_at", end);
  for (const set of at(event, "eventPlace")) {
    const named = at(set, "place/namePlaceSet/appellationValue").map(textOf);
    for (const display of at(set, "displayPlace"))
      if (named.includes(textOf(display))) keep([display]);
      else values.text(display, "place_of_production_text");
  }
  for (const element of at(event, "culture")) values.concept(element, values.byPattern("culture"));
  for (const element of at(event, "periodName")) values.concept(element, values.byPattern("style"));
  for (const element of at(event, "eventMethod")) values.concept(element, values.byPattern("technique"));
  for (const set of at(event, "eventMaterialsTech")) materials(set, values);
  for (const note of [...notes, ...others]) values.text(note, "production_note");
}

/** Keeps display texts for people, if they say more than the elements. Returns those about people who made nothing. */
function displayedActors({ event, values }: Reading, people: readonly Actor[], isMaking: boolean): Element[] {
  return at(event, "eventActor").flatMap((set) => {
    const [inRole] = at(set, "actorInRole");
    const person = people.find((each) => each.set === set);
    const covered = person?.attribution.covered ?? [];
    return at(set, "displayActorInRole").filter((display) => {
      if (inRole && isExplained(display, [...covered, ...wordsIn(inRole, isKept)])) keep([display]);
      // if all elements together say the same, the report lists what of them is not kept
      else if (!inRole || !isExplained(display, [...covered, ...wordsIn(inRole)])) {
        if (!isMaking || !isMaker({ role: person?.roles ?? [] })) return true;
        values.text(display, "creator_text");
      }
      return false;
    });
  });
}

function acquisition(reading: Reading, notes: readonly Element[]): void {
  const { known, event, values, link } = reading;
  const [set] = at(event, "eventDate");
  const date = set ? dateOf(known, set, (element) => values.entry(element)) : null;
  if (date && date.edtf !== null)
    values.add(values.byPattern("acquisition_date"), { value: date.edtf, from: date.from });
  for (const method of at(event, "eventMethod"))
    values.concept(method, values.byPattern("acquisition_method"));
  let isTold = date === null || (date.edtf !== null && date.words.length === 0);
  for (const { end, roles, relation } of actors(reading)) {
    const gave = relation === "acquired_from" || roles.some(({ value }) => GIVERS.test(fold(value)));
    link(gave ? "acquired_from" : "related_to", end, gave ? { roles } : {});
    if (!gave) isTold = false;
  }
  for (const note of notes) values.text(note, "acquisition_note");
  if (!isTold || at(event, "eventPlace").length > 0) addProvenance(reading, []);
}

type Actor = {
  set: Element;
  end: ReturnType<typeof actorEnd>;
  roles: Found[];
  relation: string | null;
  attribution: Attribution;
  /** The link comes from one of our own exports. */
  isOurs: boolean;
};

function actors({ known, event, values }: Pick<Reading, "known" | "event" | "values">): Actor[] {
  return at(event, "eventActor").flatMap((set): Actor[] => {
    const [inRole] = at(set, "actorInRole");
    if (!inRole) return [];
    const [actor] = at(inRole, "actor");
    const all = at(inRole, "roleActor").map(concept);
    const { attribution, extents } = attributionOf(known, set, (element) => values.entry(element));
    const relation = relationNamed(all.flatMap(({ uris }) => uris));
    for (const role of all) if (relationNamed(role.uris)) keep(role.all);
    return [
      {
        set,
        end: actor ? actorEnd(known, actor) : null,
        roles: [...all.flatMap((role) => roleOf(known, role)), ...extents],
        relation,
        attribution,
        isOurs: all.some(({ terms }) => terms.some(({ origin: from }) => from === "role")),
      },
    ];
  });
}

function roleOf(known: LidoContext, role: ReadConcept): Found[] {
  if (relationNamed(role.uris)) return [];
  const names = role.terms.map(({ value }) => value);
  const word = known.word("role", role.uris, names);
  const used = role.terms.find(({ origin: from }) => from === "role") ?? role.terms[0];
  const value = used?.origin === "role" ? used.value : (word ?? used?.value);
  if (value === undefined) return [];
  const kept = known.keepConcept({ name: "role", vocabulary: "role", isOpen: true }, value, role);
  return [{ value, from: [...(value === used?.value ? used.from : []), ...kept] }];
}

const places = (known: LidoContext, event: Element): (ReadEnd | null)[] =>
  at(event, "eventPlace/place").map((place) => placeEnd(known, place));

/** Adds a line to the provenance for an event without a field of its own: what happened, when, where, and who took part. */
function addProvenance({ known, event, type, values }: Reading, notes: readonly Element[]): void {
  // the line is made from the first language only
  if (values.isTranslation) return;
  const [set] = at(event, "eventDate");
  const date = set ? dateOf(known, set, (element) => values.entry(element)) : null;
  const when = date ? (date.words[0] ?? { value: date.edtf ?? "", from: date.from }) : { value: "" };
  const where = at(event, "eventPlace").map((place) =>
    firstText(place, ["displayPlace", "place/namePlaceSet/appellationValue"]),
  );
  const who = at(event, "eventActor").map((actor) => {
    const display = firstText(actor, ["displayActorInRole"]);
    if (display.value !== "") return display;
    const name = firstText(actor, ["actorInRole/actor/nameActorSet/appellationValue"]);
    const [role] = at(actor, "actorInRole/roleActor").flatMap((each) => concept(each).terms);
    return role
      ? { value: `${name.value} (${role.value})`, from: [...(name.from ?? []), ...role.from] }
      : name;
  });
  const told = notes.map((each) => values.entry(each));
  const parts: Found[] = [when, ...where, ...who, ...told].filter(({ value }) => value !== "");
  if (parts.length === 0) return;
  const [what] = labelIn(type, values.lang);
  const line = `${what ? `${what.value}: ` : ""}${parts.map(({ value }) => value).join(", ")}`;
  const from = [...(what ? [what] : []), ...parts].flatMap((part) => part.from ?? []);
  values.add(values.byPattern("provenance"), values.inLanguage(line, from));
}

function firstText(parent: Element, paths: readonly string[]): Found {
  const [element] = paths.flatMap((path) => at(parent, path));
  return element ? { value: textOf(element), from: [element] } : { value: "" };
}
