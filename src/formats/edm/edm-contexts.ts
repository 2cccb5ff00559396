/** The contextual classes of EDM: people, places, times and concepts that an object names, each once. */
import { asIri } from "../../iri.ts";
import { languages } from "../../messages/translate.ts";
import { dateInWords } from "../../records/dates/in-words.ts";
import { isQualified } from "../../records/links/attributions.ts";
import { isMaker } from "../../records/links/makers.ts";
import type { Named } from "../../records/public/beyond-links.ts";
import type { Link } from "../../records/public/loaded.ts";
import { type Entry, entriesOf } from "../../records/record.ts";
import type { Field } from "../../records/schema.ts";
import { wordSet } from "../../text.ts";
import { rightsIri } from "../../vocabularies/rights.ts";
import { type Content, element, type Xml } from "../../xml.ts";
import { pageAddress } from "../addresses.ts";
import { shortSpan } from "../lido/lido-parts.ts";
import { authoritiesOf, calledIn, entriesBy, iriOfNamed, namesOf, positionOf } from "../named.ts";
import type { DeliveredView } from "../view.ts";

export const resource = (name: string, iri: string): Xml => element(name, { "rdf:resource": iri });
export const literal = (name: string, { value, lang }: Entry): Xml =>
  element(name, { "xml:lang": lang }, value);

/** Relation type → property. */
const OUTGOING: Readonly<Record<string, string>> = {
  created_by: "dc:creator",
  made_at: "dcterms:spatial",
  found_at: "dcterms:spatial",
  depicts: "dc:subject",
  about: "dc:subject",
  part_of: "dcterms:isPartOf",
  in_collection: "dcterms:isPartOf",
  acquired_from: "dcterms:provenance",
  owned_by: "dcterms:provenance",
};
/** Properties that the schema allows as text only: an identifier that is an address is still the text that was given. */
const TEXTS = wordSet("dc:identifier dc:language dc:title dcterms:alternative");
const INCOMING: Readonly<Record<string, string>> = { part_of: "dcterms:hasPart" };
const OTHERWISE: Readonly<Record<string, string>> = { entity: "edm:hasMet", place: "dcterms:spatial" };

export class Contexts {
  readonly #view: DeliveredView;
  readonly #nodes = new Map<string, Xml>();

  constructor(view: DeliveredView) {
    this.#view = view;
  }

  written(): Xml[] {
    return [...this.#nodes.values()];
  }

  /** A value of a field as a reference to its concept or time-span, or as text. */
  value(name: string, field: Field, entry: Entry): Xml {
    const { around } = this.#view;
    const term = field.vocabulary === null ? undefined : around.term(field.vocabulary, entry.value);
    if (TEXTS.has(name)) return literal(name, entry);
    const same = term?.uri ? asIri(term.uri) : null;
    if (term && name !== "dc:rights" && Object.keys(term.label).length > 0) {
      const iri = same ?? `${around.baseUrl}/v1/vocabularies/${term.vocabulary}/terms/${term.id}`;
      this.#add(iri, () =>
        element("skos:Concept", { "rdf:about": iri }, [
          ...entriesOf(term.label).map((label) => literal("skos:prefLabel", label)),
          ...Object.entries(term.alt_label).flatMap(([lang, names]) =>
            names.map((value) => literal("skos:altLabel", { value, lang })),
          ),
        ]),
      );
      return resource(name, iri);
    }
    if (field.field_type === "date") return this.#date(name, entry.value) ?? literal(name, entry);
    const address = /^https?:/i.test(entry.value)
      ? (name === "dc:rights" ? rightsIri : asIri)(entry.value)
      : null;
    return address ? resource(name, address) : literal(name, entry);
  }

  /**
   * The property of a link, with the record at its other end; null if that is not public. A qualified maker is given in words
   * only, because the agent would count as the maker.
   */
  link(link: Link): { property: string; content: Content } | null {
    const { relation_type, outgoing, other } = link;
    const named = this.#view.named.get(other.id);
    if (!named) return null;
    const usual = (outgoing ? OUTGOING : INCOMING)[relation_type];
    const known = usual === "dc:creator" && !isMaker(link.metadata) ? "dc:contributor" : usual;
    if (isQualified(link.metadata)) {
      const property = known ?? "dc:contributor";
      return {
        property,
        content: calledIn(this.#view, link, named).map((entry) => literal(property, entry)),
      };
    }
    const iri = iriOfNamed(this.#view, named);
    if (named.record_type === "entity") this.#add(iri, () => this.#agent(named, iri));
    if (named.record_type === "place") this.#add(iri, () => this.#place(named, iri));
    const property = known ?? OTHERWISE[named.record_type] ?? "dc:relation";
    return { property, content: resource(property, iri) };
  }

  #add(iri: string, write: () => Xml): void {
    if (!this.#nodes.has(iri)) this.#nodes.set(iri, write());
  }

  #date(name: string, value: string): Xml | null {
    const span = shortSpan([value]);
    if (!span) return null;
    const iri = `${pageAddress(this.#view)}#${encodeURIComponent(value)}`;
    this.#add(iri, () =>
      element(
        "edm:TimeSpan",
        { "rdf:about": iri },
        languages().map((lang) => literal("skos:prefLabel", { lang, value: dateInWords(value, lang) })),
        span.earliest && element("edm:begin", {}, span.earliest),
        span.latest && element("edm:end", {}, span.latest),
      ),
    );
    return resource(name, iri);
  }

  #agent(named: Named, iri: string): Xml {
    const view = this.#view;
    const one = (property: string, pattern: string) => {
      const [entry] = entriesBy(view, named, pattern);
      return entry && element(`rdaGr2:${property}`, {}, entry.value);
    };
    return element(
      "edm:Agent",
      { "rdf:about": iri },
      this.#names(named),
      one("dateOfBirth", "birth"),
      one("dateOfDeath", "death"),
      one("dateOfEstablishment", "formation"),
      one("dateOfTermination", "dissolution"),
      this.#same(named),
    );
  }

  #place(named: Named, iri: string): Xml {
    const position = positionOf(this.#view, named);
    return element(
      "edm:Place",
      { "rdf:about": iri },
      position && [
        element("wgs84_pos:lat", {}, String(position.lat)),
        element("wgs84_pos:long", {}, String(position.lon)),
      ],
      this.#names(named),
      this.#same(named),
    );
  }

  /** The first name in each language is preferred, the others are alternatives. */
  #names(named: Named): Xml[] {
    const seen = new Set<string>();
    const preferred: Entry[] = [];
    const others = [...entriesBy(this.#view, named, "alternative_name")];
    for (const entry of namesOf(named)) {
      (seen.has(entry.lang ?? "") ? others : preferred).push(entry);
      seen.add(entry.lang ?? "");
    }
    return [
      ...preferred.map((entry) => literal("skos:prefLabel", entry)),
      ...others.map((entry) => literal("skos:altLabel", entry)),
    ];
  }

  #same(named: Named): Xml[] {
    return authoritiesOf(this.#view, named).map((authority) => resource("owl:sameAs", authority));
  }
}
