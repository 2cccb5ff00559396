/**
 * Vocabularies as SKOS (https://www.w3.org/TR/skos-reference/), in Turtle and in JSON-LD. The label without a language is the
 * value that records hold; concepts say what lies above them with skos:broader. Other texts whose language is not known
 * (`und`) have none.
 */
import { DataFactory, type Quad, Writer } from "n3";
import { asIri } from "../../iri.ts";
import { isLanguageTag } from "../../language-tag.ts";
import type { Labels } from "../../records/schema.ts";
import { broaderOf, type TermRow, type Texts } from "./store.ts";
import type { VocabularyRow } from "./vocabulary-store.ts";

export const SKOS = "http://www.w3.org/2004/02/skos/core#";
export const TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type";

/** The language of a text whose language is not known. */
export const NO_LANGUAGE = "und";

const { literal, namedNode, quad } = DataFactory;

/** Where the terms of a vocabulary are that have no address elsewhere. */
export const ownAddress = (base: string, vocabulary: string, id = ""): string =>
  `${base}/v1/vocabularies/${vocabulary}/terms/${id}`;

export const schemeAddress = ({ uri, name }: VocabularyRow, base: string): string =>
  asIri(uri ?? "") ?? `${base}/v1/vocabularies/${name}`;

export const SKOS_FORMATS = {
  turtle: { ending: "ttl", type: "text/turtle; charset=utf-8", write: turtle },
  jsonld: { ending: "jsonld", type: "application/ld+json", write: jsonLd },
} as const;

/** @param base of the service's addresses, without a slash at its end */
export function skosOf(vocabulary: VocabularyRow, terms: readonly TermRow[], base: string): Quad[] {
  const scheme = namedNode(schemeAddress(vocabulary, base));
  const addresses = new Map(
    terms.map(({ id, uri }) => [id, asIri(uri ?? "") ?? ownAddress(base, vocabulary.name, id)]),
  );
  const quads: Quad[] = [];
  const say = (subject: ReturnType<typeof namedNode>, name: string, object: Quad["object"]) =>
    quads.push(quad(subject, namedNode(name === TYPE ? TYPE : SKOS + name), object));
  const names = (subject: ReturnType<typeof namedNode>, labels: Labels) => {
    for (const [lang, text] of Object.entries(labels)) {
      // a term may have only one prefLabel without a language: its value
      if (isLanguageTag(lang)) say(subject, "prefLabel", literal(text, lang));
      else say(subject, "altLabel", literal(text));
    }
  };
  const texts = (subject: ReturnType<typeof namedNode>, name: string, said: Labels | Texts) => {
    for (const [lang, text] of Object.entries(said))
      for (const each of [text].flat())
        say(subject, name, isLanguageTag(lang) && lang !== NO_LANGUAGE ? literal(each, lang) : literal(each));
  };
  say(scheme, TYPE, namedNode(`${SKOS}ConceptScheme`));
  names(scheme, vocabulary.label);
  texts(scheme, "definition", vocabulary.description);
  for (const term of terms) {
    const concept = namedNode(addresses.get(term.id)!);
    say(concept, TYPE, namedNode(`${SKOS}Concept`));
    say(concept, "inScheme", scheme);
    say(concept, "prefLabel", literal(term.value));
    names(concept, term.label);
    texts(concept, "altLabel", term.alt_label);
    texts(concept, "hiddenLabel", term.hidden_label);
    texts(concept, "definition", term.definition);
    texts(concept, "scopeNote", term.scope_note);
    const broader = broaderOf(term).flatMap((id) => addresses.get(id) ?? []);
    for (const address of broader) say(concept, "broader", namedNode(address));
    if (broader.length === 0) say(concept, "topConceptOf", scheme);
  }
  return quads;
}

function turtle(quads: readonly Quad[]): string {
  const writer = new Writer({ prefixes: { skos: SKOS } });
  for (const each of quads) writer.addQuad(each);
  let text = "";
  writer.end((error: Error | null, result: string) => {
    if (error) throw error;
    text = result;
  });
  return text;
}

/** Every name is one of SKOS, so that programs which read JSON alone have short keys. */
function jsonLd(quads: readonly Quad[]): string {
  const nodes = new Map<string, Record<string, unknown>>();
  for (const { subject, predicate, object } of quads) {
    const node = nodes.get(subject.value) ?? { "@id": subject.value };
    nodes.set(subject.value, node);
    const short = object.value.replace(SKOS, "");
    if (predicate.value === TYPE) node["@type"] = short;
    else {
      const key = predicate.value.replace(SKOS, "");
      const value =
        object.termType !== "Literal"
          ? { "@id": object.value }
          : object.language === ""
            ? object.value
            : { "@value": object.value, "@language": object.language };
      const isList = object.termType === "Literal" || key === "broader";
      node[key] = isList ? [...((node[key] as unknown[]) ?? []), value] : value;
    }
  }
  return `${JSON.stringify({ "@context": { "@vocab": SKOS }, "@graph": [...nodes.values()] }, null, 2)}\n`;
}
