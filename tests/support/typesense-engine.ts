/** Collections that are held in memory and searched as Typesense's documentation says, as far as the adapter asks. */
import { changes } from "../../src/nearest.ts";
import { type FieldType, parseFilter, Refused, type Stored, wordsIn } from "./typesense-filter-by.ts";

type Field = FieldType & { name: string; facet: boolean; optional: boolean; sort: boolean };
export type Collection = {
  name: string;
  createdAt: number;
  patterns: Field[];
  fields: Map<string, Field>;
  documents: Map<string, Stored>;
};
type Asked = Record<string, unknown> & { q: string };
type Match = { document: Stored; score: number; highlight: Record<string, unknown> };

export function newCollection(name: string, given: readonly Partial<Field>[]): Collection {
  const collection: Collection = {
    name,
    createdAt: 0,
    patterns: [],
    fields: new Map(),
    documents: new Map(),
  };
  for (const { name: own, type, facet = false, optional = false, index = true, sort } of given) {
    if (!index && !optional)
      throw new Refused(400, `Field \`${own}\` must be optional, since it is not indexed.`);
    const field = { name: own!, type: type!, facet, optional, index, sort: sort ?? type!.startsWith("int") };
    if (/[*.]/.test(own!)) collection.patterns.push(field);
    else collection.fields.set(own!, field);
  }
  return collection;
}

/** As the API shows it, with what was made of patterns. */
export function shownCollection({ name, createdAt, patterns, fields, documents }: Collection, whole = true) {
  return {
    name,
    num_documents: documents.size,
    created_at: createdAt,
    ...(whole ? { fields: [...patterns, ...fields.values()] } : {}),
  };
}

/** `dirty_values=reject`: what is not of its field's type is refused. */
export function takeIn(collection: Collection, document: Stored): void {
  for (const name of Object.keys(document)) {
    if (name === "id" || collection.fields.has(name)) continue;
    const pattern = collection.patterns.find((each) => new RegExp(`^${each.name}$`).test(name));
    if (pattern) collection.fields.set(name, { ...pattern, name });
  }
  for (const { name, type, optional } of collection.fields.values()) {
    const value = document[name];
    if (value === undefined) {
      if (!optional)
        throw new Refused(400, `Field \`${name}\` has been declared in the schema, but is not found.`);
    } else if (!isOf(type, value)) throw new Refused(400, `Field \`${name}\` must be a ${type}.`);
  }
  collection.documents.set(document.id as string, structuredClone(document));
}

function isOf(type: string, value: unknown): boolean {
  if (type === "int64") return Number.isSafeInteger(value);
  if (type === "string") return typeof value === "string";
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

export function documentsBy(collection: Collection, filter: string): Stored[] {
  return [...collection.documents.values()].filter(parseFilter(filter, collection.fields));
}

export function searchIn(collection: Collection, asked: Asked): Record<string, unknown> {
  const {
    filter_by,
    offset = 0,
    limit = 10,
  } = asked as { filter_by?: string; offset?: number; limit?: number };
  const within =
    filter_by === undefined ? [...collection.documents.values()] : documentsBy(collection, filter_by);
  const matches = asked.q === "*" ? within.map(unscored) : matching(collection, asked, within);
  matches.sort(order(collection, String(asked.sort_by ?? "_text_match:desc")));
  const shown = matches.slice(offset, offset + limit);
  return {
    facet_counts: String(asked.facet_by ?? "")
      .split(",")
      .filter((name) => name !== "")
      .map((name) => facetCounts(collection, name, matches, Number(asked.max_facet_values ?? 10))),
    found: matches.length,
    hits: shown.map(({ document, score, highlight }) => ({
      document: only(document, asked.include_fields as string | undefined),
      highlight: asked.highlight_fields === "none" ? {} : highlight,
      highlights: [],
      ...(asked.q === "*" ? {} : { text_match: score, text_match_info: {} }),
    })),
    out_of: collection.documents.size,
    page: 1,
    request_params: {},
    search_cutoff: false,
    search_time_ms: 0,
  };
}

const unscored = (document: Stored): Match => ({ document, score: 0, highlight: {} });

/** Words to the letter first; then with one error in each, then with two, as soon as anything is found. */
function matching(collection: Collection, asked: Asked, within: readonly Stored[]): Match[] {
  const names = String(asked.query_by ?? "").split(",");
  const weights = String(asked.query_by_weights ?? names.map(() => 1))
    .split(",")
    .map(Number);
  if (weights.length !== names.length)
    throw new Refused(400, "Number of weights must match the fields of `query_by`.");
  for (const name of names) {
    const field = collection.fields.get(name);
    if (!field?.index) throw new Refused(404, `Could not find a field named \`${name}\` in the schema.`);
    if (!field.type.startsWith("string"))
      throw new Refused(400, `Field \`${name}\` should be a string or a string array.`);
  }
  const phrases = [...asked.q.matchAll(/"([^"]*)"/g)].map(([, phrase]) => wordsIn(phrase!));
  // of several, the server does not ask for those that are in no record
  if (phrases.length > 1) throw new Refused(400, "more than one phrase");
  const words = wordsIn(asked.q.replace(/"[^"]*"/g, " "));
  if (asked.q.split(/\s+/).some((word) => word.startsWith("-"))) throw new Refused(400, "an exclusion");
  const lengths = [Number(asked.min_len_1typo ?? 4), Number(asked.min_len_2typo ?? 7)] as const;
  for (let errors = 0; errors <= Number(asked.num_typos ?? 2); errors++) {
    const found = within.flatMap((document) => {
      const match = matchOf(document, {
        names,
        weights,
        words,
        phrases,
        errors,
        lengths,
        prefix: asked.prefix !== false,
      });
      return match ? [match] : [];
    });
    if (found.length > 0) return found;
  }
  return [];
}

type Wanted = {
  names: readonly string[];
  weights: readonly number[];
  words: readonly string[];
  phrases: readonly string[][];
  errors: number;
  /** From which on a word may have one error, and two. */
  lengths: readonly [number, number];
  prefix: boolean;
};

function matchOf(
  document: Stored,
  { names, weights, words, phrases, errors, lengths, prefix }: Wanted,
): Match | null {
  const highlight: Record<string, { matched_tokens: string[]; snippet: string }[]> = {};
  let best = 0;
  const isFoundBy = (test: (tokens: string[]) => string[]): boolean => {
    let isFound = false;
    for (const [index, name] of names.entries()) {
      const elements = (document[name] ?? []) as string[];
      for (const [place, element] of elements.entries()) {
        const matched = test(wordsIn(element));
        if (matched.length === 0) continue;
        isFound = true;
        best = Math.max(best, weights[index]!);
        highlight[name] ??= elements.map((snippet) => ({ matched_tokens: [], snippet }));
        highlight[name][place]!.matched_tokens.push(...matched);
      }
    }
    return isFound;
  };
  const all =
    phrases.every((phrase) =>
      isFoundBy((tokens) =>
        tokens.some((_, at) => phrase.every((word, index) => tokens[at + index] === word)) ? phrase : [],
      ),
    ) &&
    words.every((word, index) => {
      const goesOn = prefix && index === words.length - 1;
      const room = Math.min(errors, word.length >= lengths[1] ? 2 : word.length >= lengths[0] ? 1 : 0);
      return isFoundBy((tokens) =>
        tokens.filter((token) =>
          room === 0 ? token === word || (goesOn && token.startsWith(word)) : changes(token, word) <= room,
        ),
      );
    });
  return all ? { document, score: 5e17 + best * 1e15, highlight } : null;
}

const SORT_KEY = /(?:(\w+)|_eval\((.*?)\)):(asc|desc)(?:,|$)/y;

/** Fields, the score of the text, and `_eval(…)`: first or last what a filter finds. At most three. */
function order(collection: Collection, sortBy: string): (a: Match, b: Match) => number {
  const keys: { value: (match: Match) => string | number; sign: number }[] = [];
  SORT_KEY.lastIndex = 0;
  while (SORT_KEY.lastIndex < sortBy.length) {
    const [, name, filter, direction] = SORT_KEY.exec(sortBy) ?? [];
    if (direction === undefined) throw new Refused(400, `no sort_by: ${sortBy}`);
    const sign = direction === "desc" ? -1 : 1;
    if (filter !== undefined) {
      const meets = parseFilter(filter, collection.fields);
      keys.push({ value: ({ document }) => (meets(document) ? 1 : 0), sign });
    } else if (name === "_text_match") keys.push({ value: ({ score }) => score, sign });
    else if (collection.fields.get(name!)?.sort) {
      keys.push({ value: ({ document }) => document[name!] as string | number, sign });
    } else throw new Refused(404, `Could not find a field named \`${name}\` in the schema for sorting.`);
  }
  if (keys.length > 3) throw new Refused(400, "Only upto 3 sort_by fields can be specified.");
  return (a, b) => {
    for (const { value, sign } of keys) {
      const [left, right] = [value(a), value(b)];
      if (left !== right) return left < right ? -sign : sign;
    }
    return 0;
  };
}

function facetCounts(collection: Collection, name: string, matches: readonly Match[], most: number) {
  if (!collection.fields.get(name)?.facet) {
    throw new Refused(404, `Could not find a facet field named \`${name}\` in the schema.`);
  }
  const counts = new Map<string, number>();
  for (const { document } of matches) {
    for (const value of new Set((document[name] ?? []) as string[]))
      counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return {
    counts: [...counts]
      .sort((a, b) => b[1] - a[1])
      .slice(0, most)
      .map(([value, count]) => ({ count, highlighted: value, value })),
    field_name: name,
    sampled: false,
    stats: { total_values: counts.size },
  };
}

function only(document: Stored, included = "*"): Stored {
  if (included === "*") return document;
  const names = included.split(",");
  return Object.fromEntries(Object.entries(document).filter(([name]) => names.includes(name)));
}
