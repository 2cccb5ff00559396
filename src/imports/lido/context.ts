/** What a LIDO import knows about this catalogue: its fields, terms and relation types. */
import type { Node } from "slimdom";
import type { Kind } from "../../records/kinds.ts";
import { wordsAlone } from "../../records/links/attributions.ts";
import { currentSchema, type Field, fieldsOf, type Schema } from "../../records/schema.ts";
import type { Services } from "../../services.ts";
import { TermDraftShape } from "../../vocabularies/terms/vocabulary-shape.ts";
import type { AdoptedTerm } from "../../vocabularies/terms/write.ts";
import type { DoubtedDate } from "../mapping/mapped-row.ts";
import { createDescriptions, type Remember } from "./described.ts";
import { type ReadConcept, saying, textKey } from "./xml.ts";

export type LidoContext = {
  schema: Schema;
  baseUrl: string;
  /** The vocabulary value for a concept, found by one of its URIs or names. */
  word(vocabulary: string, uris: readonly string[], names: readonly string[]): string | undefined;
  /**
   * Keeps the URI and the names of a word's concept, as a new term of its vocabulary (`newTerms`) or else as a line in `notes`.
   * Returns the nodes of the concept whose text the catalogue then has as a name or URI of the word.
   */
  keepConcept(about: Vocabulary, word: string, concept: ReadConcept): readonly Node[];
  /** The same without keeping anything. */
  nodesOf(about: Vocabulary, word: string, concept: ReadConcept): readonly Node[];
  /** What this file said earlier about the same person, place or event. Remembers what is new in this description. */
  describedBefore: Remember;
  /** The same without remembering anything. */
  recall: Remember;
  /** New terms that are not saved yet. */
  newTerms: AdoptedTerm[];
  notes: string[];
  /** Dates of the record that can be read in more than one way. */
  doubted: DoubtedDate[];
};

/** URIs of our own terms, subtypes and relation types. */
const OWN = /\/v1\/(vocabularies|subtypes|relation-types)\//;

/** `name`: the field. `isOpen`: it accepts words that are not among its terms. */
export type Vocabulary = { name: string; vocabulary: string | null; isOpen: boolean };

type TermRow = Omit<AdoptedTerm, "uri"> & { uri: string | null };

/** @param adopts whether new terms may be created */
export async function readLidoContext(
  { sql, config }: Pick<Services, "sql" | "config">,
  adopts: boolean,
): Promise<LidoContext> {
  const schema = await currentSchema(sql);
  const terms = await sql<
    TermRow[]
  >`select vocabulary, value, label, alt_label, uri from vocabulary_terms order by sort_order`;
  const words = new Map<string, string>();
  /** By vocabulary and value: whether the term has a URI, and everything that the catalogue calls it. */
  const known = new Map<string, { isAddressed: boolean; texts: Set<string> }>();
  const key = (vocabulary: string | null, text: string) => `${vocabulary} ${textKey(text)}`;
  const note = (vocabulary: string, text: string, value: string) => {
    const found = key(vocabulary, text);
    if (!words.has(found)) words.set(found, value);
  };
  const learn = ({ vocabulary, value, label, alt_label, uri }: TermRow) => {
    const names = Object.values(label);
    const texts = [
      value,
      ...names,
      ...names.map(wordsAlone),
      ...Object.values(alt_label).flat(),
      ...(uri ? [uri] : []),
    ];
    known.set(`${vocabulary} ${value}`, { isAddressed: uri !== null, texts: new Set(texts.map(textKey)) });
    for (const text of texts) note(vocabulary, text, value);
  };
  const newTerms: AdoptedTerm[] = [];
  const notes: string[] = [];
  // values take precedence over labels, and labels over alternative labels
  for (const { vocabulary, value } of terms) note(vocabulary, value, value);
  for (const { vocabulary, value, label } of terms)
    for (const name of Object.values(label))
      for (const each of [name, wordsAlone(name)]) note(vocabulary, each, value);
  for (const term of terms) learn(term);
  const merged = await sql<{ vocabulary: string; value: string; uri: string | null; now: string }[]>`
    select vocabulary, value, uri, now from merged_terms order by at desc`;
  for (const { vocabulary, value, uri, now } of merged)
    for (const text of [value, ...(uri ? [uri] : [])]) note(vocabulary, text, now);

  /** Adds a term or a URI to a term if the vocabulary allows it, else a note. Returns the URI that was noted. */
  function adopt({ name, vocabulary, isOpen }: Vocabulary, value: string, concept: ReadConcept): string[] {
    const others = concept.uris.filter((uri) => !OWN.test(uri) && uri !== value);
    const [uri] = others;
    if (uri === undefined) return [];
    if (vocabulary !== null && others.some((each) => words.has(key(vocabulary, each)))) return [];
    const earlier = known.get(`${vocabulary} ${value}`);
    const term = { value, ...namesOf(concept), uri };
    const isFit = TermDraftShape.safeParse(term).success;
    if (vocabulary === null || !isOpen || !adopts || !isFit || earlier?.isAddressed) {
      notes.push(`${name}: ${value} <${uri}>`);
      return [uri];
    }
    const fresh = { vocabulary, ...term };
    newTerms.push(fresh);
    // an existing term gets only the URI
    if (earlier) Object.assign(earlier, { isAddressed: true, texts: earlier.texts.add(textKey(uri)) });
    else learn(fresh);
    for (const each of others) note(vocabulary, each, value);
    return [];
  }

  function nodesOf({ vocabulary }: Vocabulary, value: string, concept: ReadConcept): Node[] {
    const texts = known.get(`${vocabulary} ${value}`)?.texts;
    return saying(concept, (text) => texts?.has(textKey(text)) === true);
  }

  return {
    schema,
    baseUrl: config.baseUrl,
    newTerms,
    notes,
    doubted: [],
    ...createDescriptions(),
    nodesOf,
    keepConcept(about, value, concept) {
      const noted = new Set(adopt(about, value, concept).map(textKey));
      return [...saying(concept, (text) => noted.has(textKey(text))), ...nodesOf(about, value, concept)];
    },
    word: (vocabulary, uris, names) =>
      [...uris, ...names]
        .map((text) => words.get(key(vocabulary, text)))
        .find((value) => value !== undefined),
  };
}

/** The names of a concept by language: the first is the label, the others are alternatives. */
function namesOf({ terms, further }: ReadConcept): Pick<AdoptedTerm, "label" | "alt_label"> {
  const label: Record<string, string> = {};
  const alt_label: Record<string, string[]> = {};
  for (const { value, lang } of [...terms, ...further]) {
    if (!isShortTag(lang) || label[lang] === value) continue;
    if (terms.some((term) => term.value === value) && label[lang] === undefined) label[lang] = value;
    else alt_label[lang] = [...new Set([...(alt_label[lang] ?? []), value])];
  }
  return { label, alt_label };
}

const isShortTag = (lang: string | undefined): lang is string => lang !== undefined && /^\w{2,3}$/.test(lang);

/** A context that learns no terms and keeps no notes, for translations that add only texts. */
export const withoutLearning = (known: LidoContext): LidoContext => ({
  ...known,
  keepConcept: known.nodesOf,
  describedBefore: known.recall,
  newTerms: [],
  notes: [],
  doubted: [],
});

/** The first field of this record type with this pattern. */
export function fieldBy({ schema }: LidoContext, kind: Kind, pattern: string): Field | undefined {
  return [...fieldsOf(schema, kind).values()].find(({ mapping }) => mapping.pattern === pattern);
}

/** A mapping with all targets that a LIDO import can fill, for the checks that every import makes. */
export function lidoMapping({ schema }: LidoContext): Record<string, unknown> {
  const fields = [...fieldsOf(schema, "object").values()].filter(
    ({ field_type }) => field_type !== "relation",
  );
  const links = [...schema.relationTypes.values()].flatMap((type) => [
    ...(type.from_types.includes("object") ? [[type.name, named(type.to_types)] as const] : []),
    ...(type.to_types.includes("object") ? [[type.inverse, named(type.from_types)] as const] : []),
  ]);
  return {
    __idno__: "__idno__",
    __type__: "__type__",
    __media__: "__media__",
    ...Object.fromEntries(fields.map(({ name }) => [name, name])),
    ...Object.fromEntries(
      links
        .filter(([, kinds]) => kinds.length > 0)
        .map(([name, kinds]) => [`__${name}__`, kinds.map((kind) => `__relation:${name}:${kind}__`)]),
    ),
  };
}

/** LIDO does not describe procedures and storage locations, which are internal. */
const named = (kinds: readonly Kind[]): Kind[] =>
  kinds.filter((kind) => kind !== "storage_location" && kind !== "procedure");
