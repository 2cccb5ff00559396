/**
 * The JSON-LD context of the exports, served at /contexts/v1.json. It never changes; new keys would be a new version.
 * Its keys are the names of CIDOC CRM and LRMoo.
 */
import { CLASSES, PROPERTIES, type Property } from "../patterns/crm.ts";
import { type Datatype, iriOf, PREFIXES, type Predicate } from "../patterns/names.ts";

export const CONTEXT_PATH = "/contexts/v1.json";

/** Keys for properties of other vocabularies. */
const OTHER_KEYS = {
  "rdfs:label": "label",
  "owl:sameAs": "sameAs",
  "skos:prefLabel": "prefLabel",
  "skos:exactMatch": "exactMatch",
  "skos:broader": "broader",
  "la:digitally_available_via": "digitally_available_via",
  "la:access_point": "access_point",
  "dc:format": "format",
  "dcterms:conformsTo": "conformsTo",
} as const satisfies Partial<Record<Predicate, string>>;

const isOther = (predicate: string): predicate is keyof typeof OTHER_KEYS =>
  Object.hasOwn(OTHER_KEYS, predicate);

export const keyOf = (predicate: Predicate): string =>
  isOther(predicate) ? OTHER_KEYS[predicate] : predicate;

/** Properties whose texts are grouped by language. */
const TEXTS: readonly string[] = ["rdfs:label", "skos:prefLabel", "P190_has_symbolic_content"];

/** Whether the value is an object: language → texts, with `@none` for text without a language. */
export const isByLanguage = (predicate: Predicate): boolean => TEXTS.includes(predicate);

const DATATYPES: Partial<Record<Predicate, Datatype>> = {
  P57_has_number_of_parts: "xsd:integer",
  P81a_end_of_the_begin: "xsd:dateTime",
  P81b_begin_of_the_end: "xsd:dateTime",
  P82a_begin_of_the_begin: "xsd:dateTime",
  P82b_end_of_the_end: "xsd:dateTime",
  P90_has_value: "xsd:decimal",
  P168_place_is_defined_by: "geo:wktLiteral",
  P170i_time_is_defined_by: "edtf:EDTF",
};

/** The datatype that the context gives to the values of a key. */
export const datatypeOf = (predicate: Predicate): Datatype | undefined => DATATYPES[predicate];

function termOf(predicate: Predicate): unknown {
  const id = iriOf(predicate);
  if (isByLanguage(predicate)) return { "@id": id, "@container": "@language" };
  const type = DATATYPES[predicate];
  if (type) return { "@id": id, "@type": iriOf(type) };
  const isText =
    predicate === "dc:format" ||
    (predicate in PROPERTIES && PROPERTIES[predicate as Property][1] === "Literal");
  return isText ? id : { "@id": id, "@type": "@id" };
}

export function context(): Record<string, unknown> {
  const predicates = [...Object.keys(PROPERTIES), ...Object.keys(OTHER_KEYS)] as Predicate[];
  return {
    "@context": {
      "@version": 1.1,
      ...PREFIXES,
      id: "@id",
      type: "@type",
      ...Object.fromEntries(
        (Object.keys(CLASSES) as (keyof typeof CLASSES)[]).map((name) => [name, iriOf(name)]),
      ),
      ...Object.fromEntries(predicates.map((predicate) => [keyOf(predicate), termOf(predicate)])),
    },
  };
}
