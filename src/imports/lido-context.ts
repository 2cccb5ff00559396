/** What an import from LIDO needs to know about this catalogue: its fields, terms and relation types. */
import { wordsAlone } from "../records/attributions.ts";
import type { Kind } from "../records/kinds.ts";
import { currentSchema, type Field, fieldsOf, type Labels, type Schema } from "../records/schema.ts";
import type { Services } from "../services.ts";
import { fold } from "../text.ts";
import type { AdoptedTerm } from "../vocabularies/term-write.ts";
import { TermDraftShape } from "../vocabularies/vocabulary-shape.ts";
import type { ReadConcept } from "./lido-xml.ts";
import type { DoubtedDate } from "./mapped-row.ts";

export type LidoContext = {
  schema: Schema;
  baseUrl: string;
  /** The value of a vocabulary for a concept, found by its address (URI) or by one of its names. */
  word(vocabulary: string, uris: readonly string[], names: readonly string[]): string | undefined;
  /**
   * Keeps the address of the concept of a word: as a new term of its vocabulary (in `foreign`), else as a line in `notes`. Gives
   * the texts that are kept by it; "all" if the concept is known.
   */
  keepAddress(about: Vocabulary, word: string, concept: ReadConcept): readonly string[] | "all";
  /** New terms that are not saved yet. */
  foreign: AdoptedTerm[];
  notes: string[];
  /** Dates of the record that can be read in several ways. */
  doubted: DoubtedDate[];
};

/** Addresses of our own terms, subtypes and relation types. */
const OWN = /\/v1\/(vocabularies|subtypes|relation-types)\//;

/** `name`: of the field. `isOpen`: it accepts words that are not among its terms. */
export type Vocabulary = { name: string; vocabulary: string | null; isOpen: boolean };

type TermRow = { vocabulary: string; value: string; label: Labels; uri: string | null };

/** @param adopts whether new terms may be created */
export async function readLidoContext(
  { sql, config }: Pick<Services, "sql" | "config">,
  adopts: boolean,
): Promise<LidoContext> {
  const schema = await currentSchema(sql);
  const terms = await sql<
    TermRow[]
  >`select vocabulary, value, label, uri from vocabulary_terms order by sort_order`;
  const words = new Map<string, string>();
  const note = (key: string, value: string) => words.has(key) || words.set(key, value);
  const addressed = new Set(
    terms.filter(({ uri }) => uri !== null).map(({ vocabulary, value }) => `${vocabulary} ${value}`),
  );
  const foreign: AdoptedTerm[] = [];
  const notes: string[] = [];
  for (const { vocabulary, value } of terms) note(nameKey(vocabulary, value), value);
  for (const { vocabulary, value, label, uri } of terms) {
    if (uri !== null) note(uriKey(vocabulary, uri), value);
    for (const name of Object.values(label))
      for (const each of [name, wordsAlone(name)]) note(nameKey(vocabulary, each), value);
  }
  return {
    schema,
    baseUrl: config.baseUrl,
    foreign,
    notes,
    doubted: [],
    keepAddress({ name, vocabulary, isOpen }, value, { uris, terms }) {
      const others = uris.filter((uri) => !OWN.test(uri) && uri !== value);
      const [uri] = others;
      if (uri === undefined) return [];
      if (vocabulary !== null && others.some((each) => words.has(uriKey(vocabulary, each)))) return "all";
      const label = Object.fromEntries(
        terms
          .toReversed()
          .flatMap((each) => (each.lang && each.lang.length < 4 ? [[each.lang, each.value]] : [])),
      );
      const isFit = TermDraftShape.safeParse({ value, label, uri }).success;
      const key = `${vocabulary} ${value}`;
      if (vocabulary === null || !isOpen || !adopts || !isFit || addressed.has(key)) {
        notes.push(`${name}: ${value} <${uri}>`);
        return [uri];
      }
      foreign.push({ vocabulary, value, label, uri });
      addressed.add(key);
      for (const each of others) note(uriKey(vocabulary, each), value);
      return [uri, ...Object.values(label)];
    },
    word: (vocabulary, uris, names) =>
      [...uris.map((uri) => uriKey(vocabulary, uri)), ...names.map((name) => nameKey(vocabulary, name))]
        .map((key) => words.get(key))
        .find((value) => value !== undefined),
  };
}

const uriKey = (vocabulary: string, uri: string): string =>
  `${vocabulary} <${uri.replace(/^https?:/i, "").replace(/\/$/, "")}>`;
const nameKey = (vocabulary: string, name: string): string => `${vocabulary} ${fold(name)}`;

/** The field of a kind that has this pattern, the first if there are several. */
export function fieldBy({ schema }: LidoContext, kind: Kind, pattern: string): Field | undefined {
  return [...fieldsOf(schema, kind).values()].find(({ mapping }) => mapping.pattern === pattern);
}

/** A mapping with all targets that an import from LIDO can give, for the checks that every import makes. */
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

/** LIDO describes no procedures and storage locations: they are internal. */
const named = (kinds: readonly Kind[]): Kind[] =>
  kinds.filter((kind) => kind !== "storage_location" && kind !== "procedure");
