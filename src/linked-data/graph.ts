/** Builds the graph of one record: by subject, in reading order. */
import type { ClassName, Datatype, Predicate } from "./names.ts";

/** `lang` in small letters, as RDF compares it. */
export type Literal = { readonly value: string; readonly lang?: string; readonly type?: Datatype };

/** What is said of a node. The object is an IRI when it is text; of `rdf:type` the name of a class. */
export type Statement = readonly [predicate: Predicate, object: string | Literal];

export class Graph {
  /** IRI of the record. */
  readonly about: string;
  /** By the IRI of the subject, the record first. */
  readonly described = new Map<string, Statement[]>();

  constructor(about: string) {
    this.about = about;
    this.described.set(about, []);
  }

  /** Says nothing twice. A node has few statements, so they are looked through: sets of all triples took twice as long. */
  add(subject: string, predicate: Predicate, object: string | Literal): void {
    const known = this.described.get(subject);
    if (!known) this.described.set(subject, [[predicate, object]]);
    else if (!known.some((each) => each[0] === predicate && isSame(each[1], object))) {
      known.push([predicate, object]);
    }
  }

  /** Adds the node's classes; returns its IRI. */
  node(iri: string, ...classes: readonly ClassName[]): string {
    for (const name of classes) this.add(iri, "rdf:type", name);
    return iri;
  }

  /** Answers a part of the record: a node that has no life of its own, at an address that stays. */
  part(name: string, ...classes: readonly ClassName[]): string {
    return this.node(`${this.about}#${name}`, ...classes);
  }
}

function isSame(one: string | Literal, other: string | Literal): boolean {
  if (typeof one === "string" || typeof other === "string") return one === other;
  return one.value === other.value && one.lang === other.lang && one.type === other.type;
}

/** Text with its language, when it has one. */
export const text = (value: string, lang?: string): Literal =>
  lang === undefined ? { value } : { value, lang: lang.toLowerCase() };

export const typed = (value: string, type: Datatype): Literal => ({ value, type });
