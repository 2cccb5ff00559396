/** Reads the elements of LIDO 1.0 and 1.1: texts, languages, identifiers, concepts. */
import type { Element } from "slimdom";
import { namedLanguage } from "../records/fields.ts";
import type { Entry } from "../records/record.ts";

export const LIDO = "http://www.lido-schema.org";
const SKOS = "http://www.w3.org/2004/02/skos/core#";
const RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
const XML = "http://www.w3.org/XML/1998/namespace";

/** The elements at the end of a path of LIDO names, such as `eventWrap/eventSet/event`. */
export function at(element: Element, path: string): Element[] {
  let found = [element];
  for (const name of path.split("/")) {
    found = found.flatMap((each) =>
      each.children.filter((child) => child.localName === name && child.namespaceURI === LIDO),
    );
  }
  return found;
}

export const attribute = (element: Element, name: string): string | null =>
  element.getAttributeNS(LIDO, name)?.trim() || null;

/** The field from which the source exported the value. */
export const origin = (element: Element): string | null => attribute(element, "encodinganalog");

/** Characters. A longer text is refused anyway, and tidying it would take long. */
const LONGEST = 1_000_000;

/** The text with normal blanks: line breaks inside a paragraph are removed, an empty line between two stays. Texts of our own exports stay as they are. */
export function textOf(element: Element): string {
  const text = (element.textContent ?? "").trim();
  if (origin(element) !== null || text.length > LONGEST) return text;
  return text
    .split(/\n[ \t\r]*\n/)
    .map((paragraph) => paragraph.replace(/[ \t\r\n]+/g, " ").trim())
    .filter((paragraph) => paragraph !== "")
    .join("\n\n");
}

/** The `xml:lang` of the element itself. */
export const ownLanguage = (element: Element): string | undefined =>
  namedLanguage(element.getAttributeNS(XML, "lang"));

/** The `xml:lang` of the nearest element that has one; else `outside`, that of the elements around the record. */
export function inheritedLanguage(element: Element, outside: string): string | undefined {
  for (let each: Element | null = element; each; each = each.parentElement) {
    const tag = each.getAttributeNS(XML, "lang");
    if (tag !== null) return namedLanguage(tag);
  }
  return namedLanguage(outside);
}

export const isUri = (text: string): boolean => /^https?:\/\/\S+$/i.test(text);

/** The identifiers of this element name: addresses, and numbers that are only known to the source. */
export function identifiers(element: Element, name: string): { uris: string[]; locals: string[] } {
  const all = at(element, name)
    .map(textOf)
    .filter((text) => text !== "");
  return { uris: all.filter(isUri), locals: all.filter((text) => !isUri(text)) };
}

export type ReadConcept = { uris: string[]; terms: (Entry & { origin: string | null })[] };

/**
 * As `conceptID` and `term` (LIDO 1.0) or `skos:Concept` (1.1). Search terms that were added are left out, except the first
 * one of a concept whose only term is its number: `23 D 42 spring`, before the number alone.
 */
export function concept(element: Element): ReadConcept {
  const all = [element, ...element.children.filter(isSkosConcept)];
  const ids = all.flatMap((each) => at(each, "conceptID").map(textOf));
  const uris = all.flatMap((each) => [
    each.getAttributeNS(RDF, "about")?.trim() ?? "",
    ...each.children.filter((child) => /^(exactMatch|mappingRelation)$/.test(child.localName)).map(textOf),
  ]);
  const word = (child: Element) => ({
    value: textOf(child),
    lang: ownLanguage(child),
    origin: origin(child),
  });
  const added: ReadConcept["terms"] = [];
  const terms: ReadConcept["terms"] = [];
  for (const child of all.flatMap((each) => each.children)) {
    const isLabel = child.localName === "prefLabel" && child.namespaceURI === SKOS;
    if (child.localName !== "term" && !isLabel) continue;
    const isAdded = !isLabel && attribute(child, "addedSearchTerm") === "yes";
    (isAdded ? added : terms).push(word(child));
  }
  // some elements may contain the word itself
  if (element.children.length === 0) terms.push(word(element));
  const [only, ...others] = terms;
  const explanation = added.find(({ value }) => value !== "");
  if (only && others.length === 0 && explanation && ids.includes(only.value))
    terms.unshift({ ...only, value: `${only.value} ${explanation.value}` });
  return {
    uris: [...new Set([...uris, ...ids].filter(isUri))],
    terms: terms.filter(({ value }) => value !== ""),
  };
}

const isSkosConcept = ({ localName, namespaceURI }: Element): boolean =>
  localName === "Concept" && namespaceURI === SKOS;

/** The name at the end of an address of one of our relation types, subtypes or fields. */
export function ownName(uris: readonly (string | null)[], room: string): string | null {
  const pattern = new RegExp(`/v1/${room}/([a-z][a-z0-9_]*)$`);
  return uris.map((uri) => (uri ? pattern.exec(uri)?.[1] : undefined)).find((name) => name) ?? null;
}
