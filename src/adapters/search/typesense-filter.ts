/**
 * What a caller may find, and which conditions hold, as one `filter_by`: the only place that writes one. Values come as
 * codes of small letters and digits (`typesense-codes.ts`) or as whole numbers, so there is nothing to escape.
 */
import type { FieldCondition, LinkCondition, SearchScope, SearchTerm } from "../../search-index.ts";
import {
  codeOf,
  containsCode,
  existsCode,
  idNumbers,
  isCode,
  LONGEST,
  linkCode,
  orderOf,
  phraseCodes,
  rangeFields,
  scopeCode,
  sortCode,
  startsCode,
} from "./typesense-codes.ts";
import { MOST_SPANS, wordCodes } from "./typesense-record.ts";

/** A condition; null is one that no record can fulfil. */
export type Filter = string | null;

/** Pairs of words that are asked for besides the first phrase: Typesense takes a hundred operands and operators. */
const MOST_PAIRS = 12;
/** Words by which hits are ordered, when the text search does not. */
const MOST_TITLE_TERMS = 8;
/** Operands and operators that Typesense takes. */
const MOST_OPERATIONS = 100;

/** Whatever statuses were asked for: what the public finds is public. */
export function scopeFilter({ audience, recordTypes, statuses, collectionStatuses }: SearchScope): Filter {
  const held = audience === "public" ? ["public"] : statuses;
  return anyCode(
    "scope",
    recordTypes.flatMap((type) =>
      held.flatMap((status) =>
        type === "object" && collectionStatuses !== null
          ? collectionStatuses.map((each) => scopeCode(type, status, each))
          : [scopeCode(type, status)],
      ),
    ),
  );
}

/** Everything of some kinds, for whoever builds a new generation. */
export function kindsFilter(recordTypes: readonly string[]): Filter {
  return anyCode(
    "scope",
    recordTypes.map((type) => scopeCode(type)),
  );
}

/**
 * What of the words the text search itself does not say: beginnings, stems, what must not be there, all phrases but the one
 * that is `said`. `everything`: nothing is left to the text search.
 */
export function termFilters(
  audience: SearchScope["audience"],
  terms: readonly SearchTerm[],
  said: SearchTerm | "everything" | null,
): Filter[] {
  const filters: Filter[] = [];
  let pairs = 0;
  for (const term of terms) {
    if (term.words.length === 0) continue;
    const codes = phraseCodes(term.words);
    const last = codes.length - 1;
    if (term.negated) {
      filters.push(
        anyOf(
          codes.map((code, at) =>
            notCode("words", alternatives(audience, code, term), term.prefix && at === last),
          ),
        ),
      );
    } else if (said === "everything" || !isText(term) || (term.words.length > 1 && term !== said)) {
      for (const [at, code] of codes.entries()) {
        if (at !== last && ++pairs > MOST_PAIRS) continue;
        filters.push(anyCode("words", alternatives(audience, code, term), term.prefix && at === last));
      }
    }
  }
  return filters;
}

/** Whether the text search can ask for it: words as they are. */
export function isText({ words, prefix, negated, stems = [] }: SearchTerm): boolean {
  return words.length > 0 && !negated && !prefix && stems.length === 0;
}

/** All that is asked for in what names the record; null where nothing is asked for. */
export function titleFilter(audience: SearchScope["audience"], terms: readonly SearchTerm[]): Filter {
  const asked = terms.filter(({ words, negated }) => words.length > 0 && !negated).slice(0, MOST_TITLE_TERMS);
  if (asked.length === 0) return null;
  return allOf(
    asked.map((term) => {
      const code = phraseCodes(term.words).at(-1)!;
      return anyCode("words", alternatives(audience, code, term, "title"), term.prefix);
    }),
  );
}

/** The word, or one of its stems. */
function alternatives(
  audience: SearchScope["audience"],
  code: string,
  { words, stems = [] }: SearchTerm,
  place: "word" | "title" = "word",
): string[] {
  const stem = place === "word" ? "stem" : "titleStem";
  return [
    ...wordCodes(audience, code, place),
    ...(words.length === 1 ? stems : []).flatMap((each) => wordCodes(audience, codeOf(each), stem)),
  ];
}

/** One of these words, whole. */
export function wordFilter(audience: SearchScope["audience"], word: string): Filter {
  return anyCode("words", wordCodes(audience, codeOf(word)));
}

/**
 * @param known names of Typesense's fields, which come with the records that have them.
 * @param ids of records that fulfil a condition on a field whose values Typesense does not have.
 */
export function conditionFilter(
  condition: FieldCondition,
  known: ReadonlySet<string>,
  ids: ReadonlyMap<FieldCondition, readonly string[]>,
  spans: "apart" | "together" = "apart",
): Filter {
  const { field } = condition;
  switch (condition.op) {
    case "exists":
      return anyCode("keys", [existsCode(field)]);
    case "missing":
      return notCode("keys", [existsCode(field)]);
    case "between":
      return betweenFilter(condition, known, spans);
  }
  const found = ids.get(condition);
  if (found) return idsFilter(found);
  if (condition.op === "is") {
    return anyCode(
      "keys",
      [field, ...(condition.also ?? [])].flatMap((name) =>
        condition.values.map((value) => isCode(name, value)),
      ),
    );
  }
  if (condition.words.length === 0) return null;
  return condition.op === "starts"
    ? anyCode("keys", [startsCode(field, condition.words)], true)
    : allOf(phraseCodes(condition.words).map((code) => anyCode("keys", [containsCode(field, code)])));
}

/** Records that have a value of the field that begins with these words. */
export function startsFilter(field: string, words: readonly string[]): Filter {
  return anyCode("keys", [startsCode(field, words)], true);
}

/** Records whose title begins so, as titles are sorted. */
export function titleStartFilter(start: string): Filter {
  return start === "" ? null : anyCode("sort_title", [sortCode(start).slice(0, LONGEST)], true);
}

/** A reader to whom relation types are named finds by what visitors may know of. */
export function linkFilter(link: LinkCondition, audience: SearchScope["audience"]): Filter {
  if ("among" in link) return idsFilter(link.among);
  const { ids, relationTypes } = link;
  const openOnly = audience === "public" || relationTypes !== null;
  return anyCode(
    "keys",
    ids
      .flatMap((id) => (openOnly ? [linkCode(id, true)] : [linkCode(id, true), linkCode(id, false)]))
      .filter(isPlain),
  );
}

/** Records whose id comes after this one. */
export function afterFilter(after: string): Filter {
  const [first, second, third] = idNumbers(after);
  return `(id_1:>${first} || (id_1:=${first} && (id_2:>${second} || (id_2:=${second} && id_3:>${third}))))`;
}

/** Records whose first number is this one or above. */
export function fromFilter(first: number): Filter {
  return `id_1:>=${first}`;
}

/** Records whose first number lies below this one. */
export function belowFilter(first: number): Filter {
  return `id_1:<${first}`;
}

export function allOf(filters: readonly Filter[]): Filter {
  if (filters.some((filter) => filter === null)) return null;
  return filters.length === 1 ? filters[0]! : filters.map((filter) => filter).join(" && ");
}

export function anyOf(filters: readonly Filter[]): Filter {
  const possible = filters.filter((filter) => filter !== null);
  if (possible.length === 0) return null;
  return possible.length === 1 ? possible[0]! : `(${possible.map((filter) => `(${filter})`).join(" || ")})`;
}

/** A record's spans are kept apart, so that a gap between two is a gap. */
function betweenFilter(
  { field, from, to }: FieldCondition & { op: "between" },
  known: ReadonlySet<string>,
  spans: "apart" | "together",
): Filter {
  const [first, last] = spans === "apart" ? [1, MOST_SPANS] : [0, 0];
  const touching: Filter[] = [];
  for (let place = first; place <= last; place++) {
    const names = rangeFields(field, place);
    if (known.has(names.from) && known.has(names.to)) {
      touching.push(`${names.from}:<=${orderOf(to, "down")} && ${names.to}:>=${orderOf(from, "up")}`);
    }
  }
  return anyOf(touching);
}

/** Whether it is more than Typesense takes, unless it was told to take more. */
export function isTooLong(filter: string): boolean {
  const operators = filter.match(/&&|\|\|/g)?.length ?? 0;
  return 2 * operators + 1 > MOST_OPERATIONS;
}

/** Records by their ids; what is no id is no record. */
export function idsFilter(ids: readonly string[]): Filter {
  const plain = ids.filter(isId);
  return plain.length === 0 ? null : `id:[${plain.join(",")}]`;
}

/** All records but these. */
export function otherIdsFilter(ids: readonly string[]): Filter[] {
  const plain = ids.filter(isId);
  return plain.length === 0 ? [] : [`id:!=[${plain.join(",")}]`];
}

function isId(id: string): boolean {
  return /^[0-9a-f-]{36}$/i.test(id);
}

function anyCode(
  field: "scope" | "words" | "keys" | "sort_title",
  codes: readonly string[],
  begins = false,
): Filter {
  if (codes.length === 0) return null;
  const safe = codes.map(checked);
  return begins
    ? anyOf(safe.map((code) => `${field}:${code}*`))
    : `${field}:${safe.length === 1 ? safe[0]! : `[${safe.join(",")}]`}`;
}

function notCode(field: "words" | "keys", codes: readonly string[], begins = false): Filter {
  const safe = codes.map(checked);
  return begins ? allOf(safe.map((code) => `${field}:! ${code}*`)) : `${field}:!=[${safe.join(",")}]`;
}

function checked(code: string): string {
  if (!isPlain(code)) throw new Error(`no code for a filter: ${JSON.stringify(code.slice(0, 100))}`);
  return code;
}

function isPlain(code: string): boolean {
  return /^[a-z0-9]+$/.test(code);
}
