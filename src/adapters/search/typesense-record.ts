/** A record as Typesense keeps it, and the fields of a collection. */
import type { SearchDocument, SearchRange, SearchScope, WeightedText } from "../../search-index.ts";
import { searchWordsOf } from "../../text.ts";
import {
  codeOf,
  codesOfText,
  codesOfValue,
  existsCode,
  facetField,
  facetValue,
  idNumbers,
  linkCode,
  orderOf,
  rangeFields,
  scopeCode,
  sortCode,
} from "./typesense-codes.ts";

/** Spans of one field that are kept apart; where a record has more, those that lie closest become one. */
export const MOST_SPANS = 4;
/** Words, and pairs of words, of one record. */
const MOST_WORDS = 40_000;

type Part = "public" | "staff" | "linked";
type Place = "word" | "title" | "stem" | "titleStem";

/** What each audience may find a record by, and the letter before its words. */
const PARTS: Record<SearchScope["audience"], readonly Part[]> = {
  public: ["public"],
  limited: ["public", "staff"],
  staff: ["public", "staff", "linked"],
};
/** Before a word, before one that stands in what names the record, and before the stems of both. */
const LETTERS: Record<Part, Record<Place, string>> = {
  public: { word: "p", title: "a", stem: "d", titleStem: "g" },
  staff: { word: "s", title: "b", stem: "e", titleStem: "h" },
  linked: { word: "l", title: "c", stem: "f", titleStem: "i" },
};
const WEIGHTS: Record<WeightedText["weight"], number> = { A: 8, B: 4, C: 2, D: 1 };

export type StoredRecord = { id: string; record_type: string; status: string } & Record<
  string,
  string | number | readonly string[]
>;

export type CollectionField = {
  name: string;
  type: "string" | "string[]" | "int64";
  facet?: boolean;
  optional?: boolean;
  index?: boolean;
  sort?: boolean;
};

/** The fields that an audience is searched in, those of the most weight first. */
export function textFields(
  audience: SearchScope["audience"],
  weights: readonly WeightedText["weight"][] = ["A", "B", "C", "D"],
): { name: string; weight: number }[] {
  return weights.flatMap((weight) =>
    PARTS[audience].map((part) => ({ name: textField(part, weight), weight: WEIGHTS[weight] })),
  );
}

/** A word or a pair, as an audience may find it: the codes are alternatives. */
export function wordCodes(audience: SearchScope["audience"], code: string, place: Place = "word"): string[] {
  return PARTS[audience].map((part) => LETTERS[part][place] + code);
}

/** Of the audiences of several scopes the one that may find the most, or the least. */
export function audienceOf(
  scopes: readonly SearchScope[],
  which: "widest" | "narrowest",
): SearchScope["audience"] {
  const order = ["public", "limited", "staff"] as const;
  const places = scopes.map(({ audience }) => order.indexOf(audience));
  return order[which === "widest" ? Math.max(0, ...places) : Math.max(0, Math.min(...places))] ?? "public";
}

/** What every collection has, and what records bring with them: values of facet fields, spans. */
export function collectionFields(former: Iterable<string> = []): CollectionField[] {
  const texts = textFields("staff").map(({ name }) => name);
  const optional = true;
  return [
    ...texts.map((name): CollectionField => ({ name, type: "string[]", optional })),
    { name: "scope", type: "string[]" },
    { name: "words", type: "string[]", optional },
    { name: "keys", type: "string[]", optional },
    { name: "id_1", type: "int64" },
    { name: "id_2", type: "int64" },
    { name: "id_3", type: "int64" },
    { name: "created_at", type: "int64" },
    { name: "updated_at", type: "int64" },
    { name: "sort_idno", type: "string", sort: true },
    { name: "sort_title", type: "string", sort: true },
    { name: "record_type", type: "string", index: false, optional },
    { name: "status", type: "string", index: false, optional },
    // a new generation knows from its first moment what the one before it knew, so that a query finds its fields there
    ...[...former].map(recordField),
    recordField("f_.*"),
    recordField("r_.*"),
  ];
}

/** Whether a field came with records. */
export function isRecordField(name: string): boolean {
  return /^[fr]_/.test(name) && !name.endsWith(".*");
}

function recordField(name: string): CollectionField {
  return name.startsWith("f_")
    ? { name, type: "string[]", facet: true, optional: true }
    : { name, type: "int64", optional: true };
}

export function storedRecord(document: SearchDocument): StoredRecord {
  const { id, recordType, status, collectionStatus, sort } = document;
  const [id_1, id_2, id_3] = idNumbers(id);
  const stored: StoredRecord = {
    id,
    record_type: recordType,
    status,
    id_1,
    id_2,
    id_3,
    scope: [
      scopeCode(recordType),
      scopeCode(recordType, status),
      ...(collectionStatus === null ? [] : [scopeCode(recordType, status, collectionStatus)]),
    ],
    sort_idno: sortCode(sort.idno),
    sort_title: sortCode(sort.title),
    created_at: microseconds(sort.created_at),
    updated_at: microseconds(sort.updated_at),
  };
  const words = new Set<string>();
  // whoever built the document decided what is public; a record that is not public has no public text, whatever was built
  const texts: Record<Part, readonly WeightedText[]> =
    status === "public"
      ? { public: document.publicText, staff: document.staffText, linked: document.linkedText }
      : {
          public: [],
          staff: [...document.publicText, ...document.staffText],
          linked: document.linkedText,
        };
  for (const part of PARTS.staff) addTexts(stored, words, part, texts[part]);
  if (words.size > 0) stored.words = [...words];
  const keys = new Set<string>(document.present.map(existsCode));
  for (const { id: other, isPublic } of document.links) keys.add(linkCode(other, isPublic));
  for (const [field, values] of document.facets) {
    const kept = values.filter((value) => value !== "");
    for (const code of kept.flatMap((value) => codesOfValue(field, value))) keys.add(code);
    if (kept.length > 0) stored[facetField(field)] = [...new Set(kept.map(facetValue))];
  }
  if (keys.size > 0) stored.keys = [...keys];
  for (const [field, spans] of document.ranges) {
    if (spans.length === 0) continue;
    const whole = {
      from: Math.min(...spans.map(({ from }) => from)),
      to: Math.max(...spans.map(({ to }) => to)),
    };
    for (const [place, { from, to }] of [whole, ...apart(spans)].entries()) {
      const names = rangeFields(field, place);
      stored[names.from] = orderOf(from, "down");
      stored[names.to] = orderOf(to, "up");
    }
  }
  return stored;
}

function addTexts(
  stored: StoredRecord,
  words: Set<string>,
  part: Part,
  texts: readonly WeightedText[],
): void {
  const byField = new Map<string, string[]>();
  const add = (place: Place, code: string) => {
    if (words.size < MOST_WORDS) words.add(LETTERS[part][place] + code);
  };
  for (const { weight, text, stems = [] } of texts) {
    const coded = searchWordsOf(text).map(codeOf).join(" ");
    if (coded === "") continue;
    const field = textField(part, weight);
    byField.set(field, [...(byField.get(field) ?? []), coded]);
    for (const code of codesOfText(text)) {
      add("word", code);
      if (weight === "A") add("title", code);
    }
    for (const stem of stems) {
      add("stem", codeOf(stem));
      if (weight === "A") add("titleStem", codeOf(stem));
    }
  }
  for (const [field, values] of byField) stored[field] = values;
}

function textField(part: Part, weight: WeightedText["weight"]): string {
  return `${part}_${weight.toLowerCase()}`;
}

/** Spans that do not touch, in order, at most `MOST_SPANS`: what they cover is the same, or a little more. */
export function apart(spans: readonly SearchRange[]): SearchRange[] {
  const merged: SearchRange[] = [];
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from || a.to - b.to)) {
    const last = merged.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else merged.push({ from, to });
  }
  while (merged.length > MOST_SPANS) {
    const gaps = merged.slice(1).map(({ from }, index) => from - merged[index]!.to);
    const closest = gaps.indexOf(Math.min(...gaps));
    merged.splice(closest, 2, { from: merged[closest]!.from, to: merged[closest + 1]!.to });
  }
  return merged;
}

/** From 1970, of an ISO 8601 time in UTC with or without an offset. */
function microseconds(time: string): number {
  const [, moment, fraction = ""] = /^([^.Z+]*)(?:\.(\d+))?/.exec(time) ?? [];
  const milliseconds = Date.parse(`${moment}Z`);
  return Number.isNaN(milliseconds) ? 0 : milliseconds * 1_000 + Number(fraction.slice(0, 6).padEnd(6, "0"));
}
