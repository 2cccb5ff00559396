/** The graph of one record while it is made: triples in the order in which somebody would read them, none twice. */
import type { ClassName, Datatype, Predicate } from "./names.ts";

/** `lang` in small letters, as RDF compares it. */
export type Literal = { readonly value: string; readonly lang?: string; readonly type?: Datatype };

/** The object is an IRI when it is text; of `rdf:type` the name of a class. */
export type Triple = readonly [subject: string, predicate: Predicate, object: string | Literal];

export class Graph {
  /** IRI of the record. */
  readonly about: string;
  readonly triples: Triple[] = [];
  private readonly known = new Set<string>();

  constructor(about: string) {
    this.about = about;
  }

  add(subject: string, predicate: Predicate, object: string | Literal): void {
    const told = typeof object === "string" ? object : `${object.lang ?? object.type ?? ""}"${object.value}`;
    const key = `${subject} ${predicate} ${told}`;
    if (this.known.has(key)) return;
    this.known.add(key);
    this.triples.push([subject, predicate, object]);
  }

  /** Says what the node is; answers its IRI. */
  node(iri: string, ...classes: readonly ClassName[]): string {
    for (const name of classes) this.add(iri, "rdf:type", name);
    return iri;
  }

  /** Answers a part of the record: a node that has no life of its own, at an address that stays. */
  part(name: string, ...classes: readonly ClassName[]): string {
    return this.node(`${this.about}#${name}`, ...classes);
  }
}

/** Text with its language, when it has one. */
export const text = (value: string, lang?: string): Literal =>
  lang === undefined ? { value } : { value, lang: lang.toLowerCase() };

export const typed = (value: string, type: Datatype): Literal => ({ value, type });
