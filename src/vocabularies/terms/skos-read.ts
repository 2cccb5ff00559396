/** A SKOS file (https://www.w3.org/TR/skos-reference/) as concepts. The reader reports the statements that it did not use. */
import { Parser, type Quad } from "n3";
import { type Said, said } from "../../messages/said.ts";
import { invalidAt, type Problem } from "../../problem.ts";
import type { Labels } from "../../records/schema.ts";
import { beginning } from "../../text.ts";
import { NO_LANGUAGE, SKOS, TYPE } from "./skos-write.ts";
import type { Texts } from "./store.ts";

const MOST_CONCEPTS = 2_000;

/** Statements of one kind that were not taken. `path`: their predicate; `example`: what one of them says. */
export type Unread = { path: string; count: number; example: string };

export type Concept = {
  iri: string;
  value: string;
  label: Labels;
  alt_label: Texts;
  hidden_label: Texts;
  definition: Labels;
  scope_note: Labels;
  /** Addresses of concepts of the file, or of terms that there are. */
  broader: string[];
};

/** What there is already. */
export type Known = {
  /** Whether a term has this address. */
  isTerm(iri: string): boolean;
  /** The address of the vocabulary, and what it is called and defined as. */
  scheme: string;
  label: Labels;
  description: Labels;
};

/** @throws 422 with the line where the file cannot be read, or what it has too few or too many of */
export function readSkos(text: string, known: Known): { concepts: Concept[]; unread: Unread[] } {
  const left = new Statements(parse(text));
  const iris = new Set(
    left.take(null, TYPE, ({ object }) => object.value === `${SKOS}Concept`).map(subjectOf),
  );
  if (iris.size === 0) throw unusable(said("fault.skos.empty"));
  if (iris.size > MOST_CONCEPTS) throw unusable(said("fault.skos.too_many", { most: MOST_CONCEPTS }));
  takeScheme(left, known);
  const broader = takeBroader(left, iris, known);
  const concepts = [...iris].map((iri): Concept => {
    const { "": plain, ...label } = firsts(left.texts(iri, "prefLabel", 1, ""));
    const value = plain ?? label.en ?? Object.values(label)[0];
    if (value === undefined) throw unusable(said("fault.skos.unlabelled", { iri: beginning(iri, 200) }));
    return {
      ...{ iri, value, label },
      alt_label: left.texts(iri, "altLabel"),
      hidden_label: left.texts(iri, "hiddenLabel"),
      definition: firsts(left.texts(iri, "definition", 1)),
      scope_note: firsts(left.texts(iri, "scopeNote", 1)),
      broader: [...broader.get(iri)!],
    };
  });
  return { concepts, unread: left.unread() };
}

const unusable = (detail: Said): Problem => invalidAt("", detail);
const firsts = (texts: Texts): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([lang, [first]]) => [lang, first!]));
const subjectOf = ({ subject }: Quad): string => subject.value;

function parse(text: string): Quad[] {
  try {
    return new Parser({ baseIRI: "urn:file:" }).parse(text);
  } catch (error) {
    throw unusable(said("fault.skos.not_turtle", { why: beginning((error as Error).message, 200) }));
  }
}

/** All concepts come into one vocabulary, so one scheme says nothing else. Its texts count if the vocabulary has them. */
function takeScheme(left: Statements, { scheme: own, label, description }: Known): void {
  const schemes = left
    .see(null, TYPE)
    .filter(({ object }) => object.value === `${SKOS}ConceptScheme`)
    .map(subjectOf);
  const scheme = schemes.includes(own)
    ? own
    : (schemes[0] ?? left.see(null, `${SKOS}inScheme`)[0]?.object.value);
  if (scheme === undefined) return;
  left.take(scheme, TYPE);
  left.take(scheme, `${SKOS}hasTopConcept`);
  for (const name of ["inScheme", "topConceptOf"])
    left.take(null, SKOS + name, ({ object }) => object.value === scheme);
  const has = (texts: Labels) => (quad: Quad) => Object.values(texts).includes(quad.object.value);
  for (const name of ["prefLabel", "altLabel"]) left.take(scheme, SKOS + name, has(label));
  left.take(scheme, `${SKOS}definition`, has(description));
}

/** What lies directly above each concept, in the order of the file. Links to what is not here are left. */
function takeBroader(
  left: Statements,
  iris: ReadonlySet<string>,
  { isTerm }: Known,
): Map<string, Set<string>> {
  const broader = new Map<string, Set<string>>([...iris].map((iri) => [iri, new Set()]));
  const canTake = (below: string, above: string) => iris.has(below) && (iris.has(above) || isTerm(above));
  for (const { subject, object } of left.take(null, `${SKOS}broader`, ({ subject, object }) =>
    canTake(subject.value, object.value),
  ))
    broader.get(subject.value)!.add(object.value);
  for (const { subject, object } of left.take(null, `${SKOS}narrower`, ({ subject, object }) =>
    canTake(object.value, subject.value),
  ))
    broader.get(object.value)!.add(subject.value);
  return broader;
}

/** The statements of a file that were not taken yet. */
class Statements {
  readonly #left: Set<Quad>;
  /** By predicate, and by subject and predicate. */
  readonly #by = new Map<string, Quad[]>();

  constructor(quads: readonly Quad[]) {
    this.#left = new Set(quads);
    for (const quad of quads) {
      for (const key of [quad.predicate.value, keyOf(quad.subject.value, quad.predicate.value)]) {
        const known = this.#by.get(key);
        if (known) known.push(quad);
        else this.#by.set(key, [quad]);
      }
    }
  }

  /** @param subject null: any */
  see(subject: string | null, predicate: string): readonly Quad[] {
    return this.#by.get(subject === null ? predicate : keyOf(subject, predicate)) ?? [];
  }

  take(subject: string | null, predicate: string, isTaken: (quad: Quad) => boolean = () => true): Quad[] {
    const taken = this.see(subject, predicate).filter(isTaken);
    for (const quad of taken) this.#left.delete(quad);
    return taken;
  }

  /**
   * Takes the texts of each language, without blank ones.
   * @param most of one language, more are left; @param noLanguage the key of texts without one
   */
  texts(
    iri: string,
    name: string,
    most = Number.POSITIVE_INFINITY,
    noLanguage = NO_LANGUAGE,
  ): Record<string, string[]> {
    const texts = new Map<string, Set<string>>();
    this.take(iri, SKOS + name, ({ object }) => {
      if (object.termType !== "Literal") return false;
      const lang = usualCase(object.language) || noLanguage;
      const known = texts.get(lang) ?? new Set<string>();
      const text = object.value.trim();
      if (text !== "" && known.size < most) texts.set(lang, known.add(text));
      return text === "" || known.has(text);
    });
    return Object.fromEntries([...texts].map(([lang, all]) => [lang, [...all]]));
  }

  unread(): Unread[] {
    const unread = new Map<string, Unread>();
    for (const { predicate, object } of this.#left) {
      const path = predicate.value.startsWith(SKOS)
        ? predicate.value.replace(SKOS, "skos:")
        : predicate.value;
      const known = unread.get(path);
      if (known) known.count++;
      else unread.set(path, { path, count: 1, example: beginning(object.value, 200) });
    }
    return [...unread.values()].sort((a, b) => b.count - a.count);
  }
}

const keyOf = (subject: string, predicate: string): string => `${predicate} ${subject}`;

/** RDF knows no case in language tags, and readers lower it: `pt-BR`, `zh-Hant` (RFC 5646 §2.1.1). */
function usualCase(tag: string): string {
  return tag
    .toLowerCase()
    .replace(/(?<!(?:^|-)\w(?:-.*)?)-[a-z]{2}(?=-|$)/g, (region) => region.toUpperCase())
    .replace(/(?<!(?:^|-)\w(?:-.*)?)-[a-z](?=[a-z]{3}(?:-|$))/g, (start) => start.toUpperCase());
}
