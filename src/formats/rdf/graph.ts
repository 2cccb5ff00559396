/** Builds the graph of one record: by subject, in reading order. */
import { isLanguageTag } from "../../language-tag.ts";
import type { ClassName, Datatype, Predicate } from "./patterns/names.ts";

/** `lang` in lower case, as RDF compares it. */
export type Literal = { readonly value: string; readonly lang?: string; readonly type?: Datatype };

/** A property and its value. A string is an IRI, or for `rdf:type` the name of a class. */
export type Statement = readonly [predicate: Predicate, object: string | Literal];

export class Graph {
  /** IRI of the record. */
  readonly about: string;
  /** IRI of the subject → its statements. The record comes first. */
  readonly described = new Map<string, Statement[]>();

  constructor(about: string) {
    this.about = about;
    this.described.set(about, []);
  }

  /** Adds a statement once. A node has few statements, so searching them is faster than a set. */
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

  /** Returns the IRI of a node that is part of the record. The same name gives the same IRI. */
  part(name: string, ...classes: readonly ClassName[]): string {
    return this.node(`${this.about}#${name}`, ...classes);
  }
}

function isSame(one: string | Literal, other: string | Literal): boolean {
  if (typeof one === "string" || typeof other === "string") return one === other;
  return one.value === other.value && one.lang === other.lang && one.type === other.type;
}

/** A catalogue may still hold texts with invalid tags, for which strict readers would refuse the whole file. */
export const text = (value: string, lang?: string): Literal =>
  lang === undefined || !isLanguageTag(lang) ? { value } : { value, lang: lang.toLowerCase() };

export const typed = (value: string, type: Datatype): Literal => ({ value, type });
