/** Collections in memory, searched as Typesense's documentation describes, as far as the adapter needs it. */
import { stemmer as nl } from "@orama/stemmers/dutch";
import { stemmer as en } from "@orama/stemmers/english";
import { stemmer as fr } from "@orama/stemmers/french";
import { stemmer as de } from "@orama/stemmers/german";
import { stemmer as it } from "@orama/stemmers/italian";
import { stemmer as es } from "@orama/stemmers/spanish";
import { changes } from "../../../src/text/nearest.ts";
import { type Field, parseFilter, Refused, type Stored, wordsIn } from "./typesense-filter-by.ts";

export type Collection = {
  name: string;
  /** Fields whose name is a pattern. */
  patterns: Field[];
  fields: Map<string, Field>;
  documents: Map<string, Stored>;
};
/** The server has the stems in its index. */
function remembered(stem: (word: string) => string): (word: string) => string {
  const known = new Map<string, string>();
  return (word) => {
    const stemmed = known.get(word) ?? stem(word);
    known.set(word, stemmed);
    return stemmed;
  };
}
const STEMMERS: Record<string, (word: string) => string> = {
  en: remembered(en),
  de: remembered(de),
  fr: remembered(fr),
  it: remembered(it),
  es: remembered(es),
  nl: remembered(nl),
};
type Parameters = Record<string, unknown> & { q: string };
type Match = { document: Stored; score: number; highlight: Record<string, Highlight[]> };
type Highlight = { matched_tokens: string[]; snippet: string };

export function newCollection(name: string, given: readonly Partial<Field>[]): Collection {
  const all = given.map(({ name: own, type, facet = false, optional = false, stem = false, sort }) => {
    const { locale = "en" } = given.find((each) => each.name === own) as { locale?: string };
    if (stem && !STEMMERS[locale]) throw new Refused(400, "The double has no stems of this language.");
    return { name: own!, type: type!, facet, optional, stem, locale, sort: sort ?? type! === "int64" };
  });
  return {
    name,
    patterns: all.filter((field) => field.name.includes("*")),
    fields: new Map(all.filter((field) => !field.name.includes("*")).map((field) => [field.name, field])),
    documents: new Map(),
  };
}

/** As the API shows it, with the fields created from patterns. */
export function shownCollection({ name, patterns, fields, documents }: Collection, withFields = true) {
  return {
    name,
    num_documents: documents.size,
    created_at: 0,
    ...(withFields ? { fields: [...patterns, ...fields.values()] } : {}),
  };
}

/** With `dirty_values=reject`, values that do not match the type of their field are refused. */
export function importDocument(collection: Collection, document: Stored): void {
  for (const name of Object.keys(document)) {
    if (name === "id" || collection.fields.has(name)) continue;
    const pattern = collection.patterns.find((each) => new RegExp(`^${each.name}$`).test(name));
    if (pattern) collection.fields.set(name, { ...pattern, name });
  }
  for (const { name, type, optional } of collection.fields.values()) {
    const [parent, child] = name.split(".") as [string, string?];
    const value = document[parent];
    if (value === undefined) {
      if (!optional)
        throw new Refused(
          400,
          `Field \`${name}\` has been declared in the schema, but is not found in the document.`,
        );
    } else if (child !== undefined) {
      for (const object of value as Stored[])
        if (!isOf(type.replace("[]", ""), object[child]))
          throw new Refused(400, `Field \`${name}\` must be a ${type}.`);
    } else if (!isOf(type, value)) throw new Refused(400, `Field \`${name}\` must be a ${type}.`);
  }
  collection.documents.set(document.id as string, structuredClone(document));
}

function isOf(type: string, value: unknown): boolean {
  if (type.endsWith("[]"))
    return Array.isArray(value) && value.every((each) => isOf(type.slice(0, -2), each));
  if (type === "int64") return Number.isSafeInteger(value);
  return typeof value === type;
}

export function documentsBy(collection: Collection, filter: string): Stored[] {
  return [...collection.documents.values()].filter(parseFilter(filter, collection.fields));
}

export function searchIn(collection: Collection, search: Parameters): Record<string, unknown> {
  const {
    filter_by,
    page = 1,
    per_page = 10,
  } = search as { filter_by?: string; page?: number; per_page?: number };
  const within =
    filter_by === undefined ? [...collection.documents.values()] : documentsBy(collection, filter_by);
  const matches =
    search.q === "*"
      ? within.map((document) => ({ document, score: 0, highlight: {} }))
      : matching(collection, search, within);
  matches.sort(order(collection, String(search.sort_by ?? "_text_match:desc")));
  return {
    facet_counts: String(search.facet_by ?? "")
      .split(",")
      .filter((name) => name !== "")
      .map((name) => facetCounts(collection, name, matches, search)),
    found: matches.length,
    hits: matches.slice((page - 1) * per_page, page * per_page).map(({ document, score, highlight }) => ({
      document: only(document, String(search.include_fields ?? "*")),
      // fields that are not in the answer are highlighted only if they are named
      highlight: only(highlight, String(search.highlight_fields ?? search.include_fields ?? "*")),
      ...(search.q === "*" ? {} : { text_match: score }),
    })),
    out_of: collection.documents.size,
    search_cutoff: false,
  };
}

function fieldOf(collection: Collection, name: string, purpose: string): Field {
  const field = collection.fields.get(name);
  if (!field) throw new Refused(404, `Could not find a ${purpose} named \`${name}\` in the schema.`);
  return field;
}

type Query = {
  fields: { field: Field; weight: number }[];
  phrases: string[][];
  words: string[];
  /** Phrases and words that must not occur in a searched field. */
  excluded: string[][];
  prefix: boolean;
};

function matching(collection: Collection, search: Parameters, within: readonly Stored[]): Match[] {
  const names = String(search.query_by ?? "").split(",");
  const weights = String(search.query_by_weights ?? names.map(() => 1)).split(",");
  if (weights.length !== names.length)
    throw new Refused(
      400,
      "Number of weights in `query_by_weights` does not match number of `query_by` fields.",
    );
  const fields = names.map((name, index) => {
    const field = fieldOf(collection, name, "field");
    if (!field.type.startsWith("string"))
      throw new Refused(400, `Field \`${name}\` should be a string or a string array.`);
    return { field, weight: Number(weights[index]) };
  });
  const query: Query = { fields, phrases: [], words: [], excluded: [], prefix: search.prefix !== false };
  for (const [, minus, phrase, word] of search.q.matchAll(/(-?)(?:"([^"]*)"|(\S+))/g)) {
    const words = wordsIn(phrase ?? word!);
    if (minus) query.excluded.push(words);
    else if (phrase !== undefined) query.phrases.push(words);
    else query.words.push(...words);
  }
  // more typing errors are allowed as long as nothing is found (`typo_tokens_threshold` is 1)
  for (let errors = 0; errors <= Number(search.num_typos ?? 2); errors++) {
    const found = within.flatMap((document) => matchOf(document, query, errors) ?? []);
    if (found.length > 0) return found;
  }
  return [];
}

function matchOf(document: Stored, query: Query, errors: number): Match | null {
  const highlight: Match["highlight"] = {};
  let best = 0;
  /** Looks at every text; `test` answers the words of a text that match. */
  const isFound = (test: (words: string[], stem: (word: string) => string) => string[]): boolean => {
    let found = false;
    for (const { field, weight } of query.fields) {
      const texts = [document[field.name] ?? []].flat() as string[];
      for (const [index, text] of texts.entries()) {
        const matched = test(wordsIn(text), field.stem ? STEMMERS[field.locale!]! : (word) => word);
        if (matched.length === 0) continue;
        found = true;
        best = Math.max(best, weight);
        highlight[field.name] ??= texts.map((snippet) => ({ matched_tokens: [], snippet }));
        highlight[field.name]![index]!.matched_tokens.push(...matched);
      }
    }
    return found;
  };
  const hasPhrase = (phrase: string[]) =>
    isFound((words, stem) => {
      // phrases are not stemmed, single excluded words are
      const same = phrase.length > 1 ? (word: string) => word : stem;
      const at = words.findIndex((_, start) =>
        phrase.every((word, n) => same(words[start + n] ?? "") === same(word)),
      );
      return at < 0 ? [] : phrase;
    });
  const hasWord = (word: string, index: number) =>
    isFound((words, stem) => {
      // Typesense's defaults of `min_len_1typo` and `min_len_2typo`
      const most = Math.min(errors, word.length >= 7 ? 2 : word.length >= 4 ? 1 : 0);
      const goesOn = query.prefix && index === query.words.length - 1;
      return words.filter(
        (own) =>
          stem(own) === stem(word) ||
          (goesOn && own.startsWith(word)) ||
          (most > 0 && typingErrors(own, word) <= most),
      );
    });
  if (query.excluded.some(hasPhrase) || !query.phrases.every(hasPhrase) || !query.words.every(hasWord))
    return null;
  return { document, score: 5e17 + best * 1e15, highlight };
}

/** Two letters that have changed places are one error, but two at the beginning. */
function typingErrors(own: string, word: string): number {
  const isTurned = own[0] !== own[1] && own[0] === word[1] && own[1] === word[0];
  return changes(own, word) + (isTurned ? 1 : 0);
}

function order(collection: Collection, sortBy: string): (a: Match, b: Match) => number {
  const keys = sortBy.split(/,(?![^[]*\])/).map((key) => {
    const [, conditions] = /^_eval\(\[(.+)\]\):desc$/.exec(key) ?? [];
    if (conditions !== undefined) return conditionsOf(collection, conditions);
    const [, single] = /^_eval\((\w+:=[^[\],]+)\):desc$/.exec(key) ?? [];
    if (single !== undefined) return conditionsOf(collection, `(${single}):1`);
    const [, name, direction] = /^(\w+):(asc|desc)$/.exec(key) ?? [];
    if (!name) throw new Refused(400, "Parameter `sort_by` is malformed.");
    const isScore = name === "_text_match";
    if (!isScore && !fieldOf(collection, name, "field").sort)
      throw new Refused(404, `Could not find a field named \`${name}\` in the schema for sorting.`);
    const value = ({ document, score }: Match) => (isScore ? score : (document[name] as string | number));
    return { value, sign: direction === "desc" ? -1 : 1 };
  });
  if (keys.length > 3) throw new Refused(400, "Only upto 3 sort_by fields can be specified.");
  return (a, b) => {
    for (const { value, sign } of keys) {
      const [left, right] = [value(a), value(b)];
      if (left !== right) return left < right ? -sign : sign;
    }
    return 0;
  };
}

/** `(filter):score,…`: the score of the first condition that holds. */
function conditionsOf(collection: Collection, text: string) {
  const all = text.split(/,(?=\()/).map((one) => {
    const [, filter, score] = /^\((.+)\):(\d+)$/.exec(one) ?? [];
    if (!filter) throw new Refused(400, "The eval expression in sort_by is malformed.");
    return { holds: parseFilter(filter, collection.fields), score: Number(score) };
  });
  const value = ({ document }: Match) => all.find(({ holds }) => holds(document))?.score ?? 0;
  return { value, sign: -1 };
}

/** `facet_query`: values with a word that begins with its last word, and that contain its other words. */
function facetCounts(collection: Collection, name: string, matches: readonly Match[], search: Parameters) {
  if (!fieldOf(collection, name, "facet field").facet)
    throw new Refused(404, `Could not find a facet field named \`${name}\` in the schema.`);
  const [, queried, text = ""] = /^(\w+):(.*)$/.exec(String(search.facet_query ?? "")) ?? [];
  if (queried !== undefined && queried !== name)
    throw new Refused(
      400,
      `Facet query refers to a facet field \`${queried}\` that is not part of \`facet_by\`.`,
    );
  const wanted = wordsIn(text);
  const isWanted = (value: string) =>
    wanted.every((word, index) =>
      wordsIn(value).some((own) => (index === wanted.length - 1 ? own.startsWith(word) : own === word)),
    );
  const counts = new Map<string, number>();
  for (const { document } of matches)
    for (const value of new Set((document[name] ?? []) as string[]))
      if (isWanted(value)) counts.set(value, (counts.get(value) ?? 0) + 1);
  return {
    counts: [...counts]
      .sort((a, b) => b[1] - a[1])
      .slice(0, Number(search.max_facet_values ?? 10))
      .map(([value, count]) => ({ count, highlighted: value, value })),
    field_name: name,
  };
}

function only(document: Stored, included: string): Stored {
  if (included === "*") return document;
  const names = included.split(",");
  return Object.fromEntries(Object.entries(document).filter(([name]) => names.includes(name)));
}
