/** Reads the events of a LIDO record: production, find, acquisition, exhibitions and others. */
import type { Element } from "slimdom";
import { EVENT_TYPES, type EventName, MATERIAL, TECHNIQUE } from "../aggregation/lido-terms.ts";
import type { Entry } from "../records/record.ts";
import { relationTypeNamed } from "../records/schema.ts";
import { fold } from "../text.ts";
import type { LidoContext } from "./lido-context.ts";
import { actorEnd, occurrenceEnd, placeEnd, type ReadEnd, relationNamed } from "./lido-ends.ts";
import { dateOf, type Values } from "./lido-values.ts";
import { at, attribute, concept, type ReadConcept, textOf } from "./lido-xml.ts";

export type Link = (relation_type: string, end: ReadEnd | null, roles?: readonly Entry[]) => void;

/** German and French names of event types. `EVENT_TYPES` has the English and the usual German ones. */
const WORDS: Readonly<Record<string, EventName>> = Object.fromEntries(
  (
    [
      [
        "production",
        "Entstehung|Anfertigung|Fertigung|Herstellungsprozess|Bau|Erbauung|Druck|Guss|Aufnahme|Fabrication|Réalisation|Exécution|Making|Manufacture",
      ],
      ["creation", "Schöpfung|Erschaffung|Création|Konzeption"],
      ["acquisition", "Erwerb|Ankauf|Schenkung|Eingang|Zugang|Accession|Inventarisierung"],
      ["finding", "Auffindung|Gefunden|Funde|Find|Découverte|Fund (Ereignis)"],
      ["excavation", "Grabung|Fouille|Fouilles"],
      ["collecting", "Sammlung|Gesammelt|Collecte|Collected"],
      ["exhibition", "Exposition|Ausgestellt"],
      ["use", "Verwendung|Gebraucht|Nutzung|Utilisation"],
      ["designing", "Entwurf|Design|Conception|Dessin"],
      ["publication", "Publikation|Herausgabe|Erscheinen|Verlag|Édition"],
      ["commissioning", "Auftrag|Bestellung|Commande"],
      ["modification", "Umarbeitung|Änderung|Bearbeitung|Überarbeitung"],
      ["restoration", "Restauration|Konservierung|Conservation"],
      ["provenance", "Besitz|Eigentum|Vorbesitz|Ownership"],
      ["loss", "Perte|Kriegsverlust"],
      ["destruction", "Vernichtung"],
    ] as const
  ).flatMap(([name, words]) => words.split("|").map((word) => [fold(word), name])),
);
for (const [name, { en, de }] of Object.entries(EVENT_TYPES))
  Object.assign(WORDS, { [fold(en)]: name, [fold(de)]: name, [fold(name)]: name });

const BY_URI = new Map(Object.entries(EVENT_TYPES).map(([name, { uri }]) => [uri, name as EventName]));

const plainUri = (uri: string): string => uri.replace(/^https:/, "http:");

function typeOf({ uris, terms }: ReadConcept): EventName | undefined {
  const known = uris.map((uri) => BY_URI.get(plainUri(uri))).find((name) => name);
  return known ?? terms.map(({ value }) => WORDS[fold(value)]).find((name) => name);
}

/** Events whose date, place, materials and people become date, place of making, materials and makers of the object. */
const MAKING: readonly (EventName | undefined)[] = ["production", "creation"];
/** Events whose people took part in the production, in the role that the event names. */
const PREPARATORY: readonly (EventName | undefined)[] = [
  "designing",
  "planning",
  "commissioning",
  "publication",
];
const FINDING: readonly (EventName | undefined)[] = ["finding", "excavation", "collecting"];

/** Roles of people from whom the object came. */
const GIVERS =
  /donor|donat|seller|vend|former owner|previous owner|source|schenk|stifter|spender|verkauf|verausser|vorbesitz|lieferant|einlieferer|testator|bequea|erblasser|legateur|ancien/;

export function readEvent(known: LidoContext, event: Element, values: Values, link: Link): void {
  const [typed] = at(event, "eventType");
  const type = typed ? concept(typed) : { uris: [], terms: [] };
  const relation = relationNamed(type.uris);
  const name = typeOf(type);
  // event types of the LIDO terminology are known, so their addresses need not be kept
  const word = type.terms[0]?.value ?? name;
  if (!relation && word !== undefined && !type.uris.some((uri) => BY_URI.has(plainUri(uri))))
    known.keepAddress({ name: "event", vocabulary: null, isOpen: false }, word, type);
  const hasName = at(event, "eventName/appellationValue").some((each) => textOf(each) !== "");
  if (relation && relationTypeNamed(known.schema, relation)) eventOfRelation(known, event, relation, link);
  else if (MAKING.includes(name)) production(known, event, values, link);
  else if (name === "acquisition") acquisition(known, event, type, values, link);
  else if (hasName)
    link(name === "exhibition" ? "exhibited_in" : "related_to", occurrenceEnd(known, event, name));
  else if (PREPARATORY.includes(name)) contribution(known, event, type, values, link);
  else otherEvent(known, event, { type, name }, values, link);
}

function contribution(
  known: LidoContext,
  event: Element,
  type: ReadConcept,
  values: Values,
  link: Link,
): void {
  const role = label(type, values.lang);
  for (const { end, roles } of actors(known, event)) link("created_by", end, roles.length > 0 ? roles : role);
  if (at(event, "eventDate").length + at(event, "eventPlace").length > 0)
    addProvenance(known, event, type, values);
}

/** An event without a name: its people and places become links, the rest a line of the provenance. */
function otherEvent(
  known: LidoContext,
  event: Element,
  { type, name }: { type: ReadConcept; name: EventName | undefined },
  values: Values,
  link: Link,
): void {
  const found = FINDING.includes(name);
  for (const end of places(known, event)) link(found ? "found_at" : "related_to", end);
  let isTold = found && at(event, "eventDate").length + at(event, "eventDescriptionSet").length === 0;
  for (const { end, relation } of actors(known, event)) {
    const isOurs = relation !== null && relationTypeNamed(known.schema, relation) !== null;
    link(isOurs ? relation : "related_to", end);
    isTold = isOurs;
  }
  if (!isTold) addProvenance(known, event, type, values);
}

/** An event by which our own exports express a link that LIDO cannot express. */
function eventOfRelation(known: LidoContext, event: Element, relation: string, link: Link): void {
  for (const { end, roles } of actors(known, event)) link(relation, end, roles);
  for (const end of places(known, event)) link(relation, end);
}

function production(known: LidoContext, event: Element, values: Values, link: Link): void {
  for (const { end, roles } of actors(known, event)) link("created_by", end, roles);
  for (const set of at(event, "eventActor")) {
    if (at(set, "actorInRole").length === 0)
      for (const display of at(set, "displayActorInRole")) values.text(display, "creator_text");
  }
  for (const set of at(event, "eventDate")) {
    const { edtf, words } = dateOf(known, set, (element) => values.entry(element));
    if (edtf !== null) values.add(values.byPattern("production_timespan"), { value: edtf });
    for (const word of words) values.add(values.byPattern("production_timespan_text"), word);
  }
  for (const end of places(known, event)) link("made_at", end);
  for (const set of at(event, "eventPlace")) {
    if (at(set, "place/namePlaceSet/appellationValue").length === 0)
      for (const display of at(set, "displayPlace")) values.text(display, "place_of_production_text");
  }
  for (const element of at(event, "culture")) values.concept(element, values.byPattern("culture"));
  for (const element of at(event, "periodName")) values.concept(element, values.byPattern("style"));
  for (const element of at(event, "eventMethod")) values.concept(element, values.byPattern("technique"));
  for (const set of at(event, "eventMaterialsTech")) materials(set, values);
}

/** Materials and techniques of an event or of the object. A text for display counts as a material, unless its label names only the technique. */
export function materials(set: Element, values: Values): void {
  const terms = at(set, "materialsTech/termMaterialsTech");
  for (const term of terms) {
    const type = attribute(term, "type") ?? "";
    const pattern =
      type === TECHNIQUE || (type !== MATERIAL && namesTechnique(type)) ? "technique" : "material";
    values.concept(term, values.byPattern(pattern));
  }
  if (terms.length === 0)
    for (const display of at(set, "displayMaterialsTech"))
      values.text(display, namesTechnique(attribute(display, "label") ?? "") ? "technique" : "material");
}

/** Whether a label or a type names the technique and not also the material, as "Material/Technik" does. */
const namesTechnique = (label: string): boolean => /techni/i.test(label) && !/mat(er|ér|ièr)/i.test(label);

function acquisition(
  known: LidoContext,
  event: Element,
  type: ReadConcept,
  values: Values,
  link: Link,
): void {
  const [set] = at(event, "eventDate");
  const date = set ? dateOf(known, set, (element) => values.entry(element)) : null;
  if (date && date.edtf !== null) values.add(values.byPattern("acquisition_date"), { value: date.edtf });
  for (const method of at(event, "eventMethod"))
    values.concept(method, values.byPattern("acquisition_method"));
  let isTold = date === null || date.edtf !== null;
  for (const { end, roles, relation } of actors(known, event)) {
    const gave = relation === "acquired_from" || roles.some(({ value }) => GIVERS.test(fold(value)));
    link(gave ? "acquired_from" : "related_to", end, gave ? roles : []);
    if (!gave) isTold = false;
  }
  if (!isTold || at(event, "eventPlace").length > 0) addProvenance(known, event, type, values);
}

type Actor = { end: ReadEnd | null; roles: Entry[]; relation: string | null };

function actors(known: LidoContext, event: Element): Actor[] {
  return at(event, "eventActor/actorInRole").flatMap((set) => {
    const [actor] = at(set, "actor");
    const roles = at(set, "roleActor").map(concept);
    return {
      end: actor ? actorEnd(known, actor) : null,
      roles: roles.flatMap((role) => {
        if (relationNamed(role.uris)) return [];
        const word = known.word(
          "role",
          role.uris,
          role.terms.map(({ value }) => value),
        );
        const own = role.terms.find(({ origin: from }) => from === "role");
        const value = own?.value ?? word ?? role.terms[0]?.value;
        if (value === undefined) return [];
        known.keepAddress({ name: "role", vocabulary: "role", isOpen: true }, value, role);
        return [{ value }];
      }),
      relation: relationNamed(roles.flatMap(({ uris }) => uris)),
    };
  });
}

const places = (known: LidoContext, event: Element): (ReadEnd | null)[] =>
  at(event, "eventPlace/place").map((place) => placeEnd(known, place));

function label({ terms }: ReadConcept, lang: string | undefined): Entry[] {
  const best = terms.find((each) => each.lang === lang) ?? terms[0];
  return best ? [{ value: best.value }] : [];
}

/** Adds a line to the provenance for an event that has no field of its own: what happened, when, where, by whom. */
function addProvenance(known: LidoContext, event: Element, type: ReadConcept, values: Values): void {
  const [set] = at(event, "eventDate");
  const date = set ? dateOf(known, set, (element) => values.entry(element)) : null;
  const where = at(event, "eventPlace").map(
    (place) =>
      at(place, "displayPlace").map(textOf)[0] ??
      at(place, "place/namePlaceSet/appellationValue").map(textOf)[0] ??
      "",
  );
  const who = at(event, "eventActor").map((set) => {
    const display = at(set, "displayActorInRole").map(textOf)[0];
    const [actor] = at(set, "actorInRole/actor");
    const role = at(set, "actorInRole/roleActor").map((each) => concept(each).terms[0]?.value);
    const name = (actor && actorEnd(known, actor)?.value) ?? "";
    return display ?? (role[0] ? `${name} (${role[0]})` : name);
  });
  const notes = at(event, "eventDescriptionSet/descriptiveNoteValue").map(textOf);
  const parts = [date?.words[0]?.value ?? date?.edtf ?? "", ...where, ...who, ...notes].filter(
    (part) => part !== "",
  );
  if (parts.length === 0) return;
  const [what] = label(type, values.lang);
  const line = `${what ? `${what.value}: ` : ""}${parts.join(", ")}`;
  values.add(
    values.byPattern("provenance"),
    values.lang === undefined ? { value: line } : { value: line, lang: values.lang },
  );
}
