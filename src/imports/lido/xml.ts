/** Reads elements of LIDO 1.0 and 1.1: texts, languages, identifiers and concepts. */
import { type Attr, type Element, Node } from "slimdom";
import { LOCAL, URI } from "../../formats/lido/lido-terms.ts";
import type { Entry } from "../../records/record.ts";
import { namedLanguage } from "../../records/write/fields.ts";
import { fold } from "../../text.ts";

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

/** The texts and attributes of records that the import keeps or understands. `unmappedIn` finds the rest. */
const kept = new WeakSet<Node>();
export const isKept: Pick<ReadonlySet<Node>, "has"> = kept;

/** Marks these nodes as kept. For an element, this means its own text. */
export function keep(nodes: readonly Node[]): void {
  for (const node of nodes) {
    kept.add(node);
    for (const child of node.childNodes) if (child.nodeType !== Node.ELEMENT_NODE) kept.add(child);
  }
}

/** An element and everything in it, with the attributes that identify concepts. */
export function allIn(element: Element): Node[] {
  const about = element.getAttributeNodeNS(RDF, "about");
  return [element, ...(about ? [about] : []), ...typeOf(element), ...element.children.flatMap(allIn)];
}

/** The value of an attribute. Marks it as kept if it is `understood`. */
export function attribute(element: Element, name: string, understood = (_: string) => true): string | null {
  const found = element.getAttributeNodeNS(LIDO, name);
  const value = found?.value.trim() || null;
  if (found && value !== null && understood(value)) kept.add(found);
  return value;
}

/** The value of an attribute, which does not count as kept. */
export const glimpse = (element: Element, name: string): string | null =>
  element.getAttributeNS(LIDO, name)?.trim() || null;

/** The field from which a source, such as our own export, took the value. */
export const origin = (element: Element): string | null =>
  attribute(element, "encodinganalog", (field) => /^[a-z][a-z0-9_]*$/.test(field));

/** Characters. A longer text is refused anyway, so it need not be tidied. */
const LONGEST = 1_000_000;

/** The text without line breaks, except empty lines between paragraphs. Texts of our own exports stay as they are. */
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

/** The `xml:lang` of the nearest element that has one, or else `outside`, which the record inherits. */
export function inheritedLanguage(element: Element, outside: string): string | undefined {
  for (let each: Element | null = element; each; each = each.parentElement) {
    const tag = each.getAttributeNS(XML, "lang");
    if (tag !== null) return namedLanguage(tag);
  }
  return namedLanguage(outside);
}

export const isUri = (text: string): boolean => /^https?:\/\/\S+$/i.test(text);

export type Identifier = { value: string; from: readonly Node[] };

/** The identifiers of this element name: URIs, and numbers of the source. */
export function identifiers(element: Element, name: string): { uris: Identifier[]; locals: Identifier[] } {
  const all = at(element, name)
    .map((each) => ({ value: textOf(each), from: [each, ...typeOf(each)] }))
    .filter(({ value }) => value !== "");
  return {
    uris: all.filter(({ value }) => isUri(value)),
    locals: all.filter(({ value }) => !isUri(value)),
  };
}

/** The attribute `type` of an identifier, if it says only whether the value is a URI, which the value itself shows. */
export const typeOf = (element: Element): Attr[] => {
  const type = element.getAttributeNodeNS(LIDO, "type");
  return type && (type.value === URI || type.value === LOCAL || /^(ur[il]|local)$/i.test(type.value))
    ? [type]
    : [];
};

/** A text with the nodes that it comes from. */
export type Found = Entry & { from?: readonly Node[] };

/**
 * A concept. `further`: its other names. `all`: every node of it. For one of our own concepts, all these nodes count as kept;
 * for any other, only those that the catalogue knows (`saying`).
 */
export type ReadConcept = {
  uris: string[];
  terms: (Entry & { origin: string | null; from: readonly Node[] })[];
  further: Entry[];
  all: readonly Node[];
};

export const NOTHING: ReadConcept = { uris: [], terms: [], further: [], all: [] };

/** The nodes of a concept whose text `isKnown`. */
export const saying = ({ all }: Pick<ReadConcept, "all">, isKnown: (text: string) => boolean): Node[] =>
  all.flatMap((node) => {
    const isElement = node.nodeType === Node.ELEMENT_NODE;
    const text = isElement ? textOf(node as Element) : (node as Attr).value.trim();
    if (text === "" || (isElement && (node as Element).children.length > 0) || !isKnown(text)) return [];
    return [node, ...(isElement ? typeOf(node as Element) : [])];
  });

/** The form in which names and URIs are compared. */
export const textKey = (text: string): string =>
  isUri(text) ? text.replace(/^https?:/i, "").replace(/\/$/, "") : fold(text);

/**
 * Reads a concept from `conceptID` and `term` (LIDO 1.0) or `skos:Concept` (1.1). Added search terms are left out, with one
 * exception: if the only term is a number, the first of them is put after it, as in `23 D 42 spring`.
 */
export function concept(element: Element): ReadConcept {
  const all = [element, ...element.children.filter(isSkosConcept)];
  const ids = all.flatMap((each) => at(each, "conceptID").map(textOf));
  const uris = all.flatMap((each) => [
    each.getAttributeNS(RDF, "about")?.trim() ?? "",
    ...each.children.filter((child) => /^(exactMatch|mappingRelation)$/.test(child.localName)).map(textOf),
  ]);
  const word = (child: Element) => ({
    from: [child],
    value: textOf(child),
    lang: ownLanguage(child),
    origin: origin(child),
  });
  const added: ReadConcept["terms"] = [];
  const terms: ReadConcept["terms"] = [];
  const others: Entry[] = [];
  for (const child of all.flatMap((each) => each.children)) {
    const isLabel = child.localName === "prefLabel" && child.namespaceURI === SKOS;
    if (child.localName === "altLabel" && child.namespaceURI === SKOS) others.push(word(child));
    if (child.localName !== "term" && !isLabel) continue;
    const isAdded = !isLabel && attribute(child, "addedSearchTerm") === "yes";
    (isAdded ? added : terms).push(word(child));
  }
  // some elements contain the word itself
  if (element.children.length === 0) terms.push(word(element));
  const nodes = allIn(element);
  const [only] = terms;
  const explanation = added.find(({ value }) => value !== "");
  if (only && terms.length === 1 && explanation && ids.includes(only.value))
    terms.unshift({
      ...only,
      value: `${only.value} ${explanation.value}`,
      from: [...saying({ all: nodes }, (text) => text === only.value), ...explanation.from],
    });
  return {
    uris: [...new Set([...uris, ...ids].filter(isUri))],
    terms: terms.filter(({ value }) => value !== ""),
    further: [...others, ...added].filter(({ value }) => value !== ""),
    all: nodes,
  };
}

const isSkosConcept = ({ localName, namespaceURI }: Element): boolean =>
  localName === "Concept" && namespaceURI === SKOS;

/** The name at the end of a URI of one of our relation types, subtypes or fields. */
export function ownName(uris: readonly (string | null)[], room: string): string | null {
  const pattern = new RegExp(`/v1/${room}/([a-z][a-z0-9_]*)$`);
  return uris.map((uri) => (uri ? pattern.exec(uri)?.[1] : undefined)).find((name) => name) ?? null;
}
