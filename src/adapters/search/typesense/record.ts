/**
 * Translates a record into a Typesense document, and defines the fields of a collection.
 *
 * Text is stored as folded words (`text.ts`) separated by blanks, so that both search indexes split text in the same way, even
 * in scripts without blanks. Text for staff is in separate fields, one for each record type. So the fields that a search
 * names decide what its reader can find.
 */
import { createHash } from "node:crypto";
import type { CollectionFieldSchema } from "typesense/lib/Typesense/Collection.js";
import type { SearchDocument, SearchScope, WeightedText } from "../../../ports/search-index.ts";
import { END_OF_NUMBER, searchWordsOf } from "../../../text.ts";

type Weight = WeightedText["weight"];

const WEIGHTS: Record<Weight, number> = { A: 8, B: 4, C: 2, D: 1 };
const ALL_WEIGHTS = Object.keys(WEIGHTS) as Weight[];
/** Characters of a facet value that are kept, as in the tables of the database. */
const LONGEST_VALUE = 1_000;

/** A date or number range of the field that `field` is the code of. */
type StoredSpan = { field: string; from: number; to: number };
export type StoredRecord = { id: string; record_type: string; status: string } & Record<
  string,
  string | number | readonly string[] | readonly StoredSpan[]
>;

/**
 * The text fields that a reader with these scopes may search.
 * @param languages whose word stems are searched, too
 */
export function textFields(
  scopes: readonly SearchScope[],
  weights: readonly Weight[] = ALL_WEIGHTS,
  languages: readonly string[] = [],
): { name: string; weight: number }[] {
  const parts = new Set(["public"]);
  for (const { audience, recordTypes } of scopes) {
    for (const type of recordTypes) {
      if (audience !== "public") parts.add(`staff_${type}`);
      if (audience === "staff") parts.add(`linked_${type}`);
    }
  }
  return [
    ...weights.flatMap((weight) =>
      [...parts].map((part) => ({ name: textField(part, weight), weight: WEIGHTS[weight] })),
    ),
    ...languages.flatMap((language) =>
      [...parts].map((part) => ({ name: stemField(part, language), weight: 1 })),
    ),
  ];
}

const textField = (part: string, weight: Weight): string => `${part}_${weight.toLowerCase()}`;
const stemField = (part: string, language: string): string => `stem_${language}_${part}`;

/** The Typesense field with the values of a facet. Dots in names of facets (`date.decade`) would mean nesting there. */
export const facetField = (facet: string): string => `facet_${facet.replace(/[^a-z0-9_]/g, "X")}`;

/** Collections of older versions do not have it. */
export const PUBLIC_AT = "shown_at";

/** Collections of older versions do not have it. Records without a date have the number 0, and lack the code `DATED`. */
export const FIRST_DAY = "first_day";

/** The language of a stem (`en:photograph`). */
export const languageOf = (stem: string): string => stem.slice(0, stem.indexOf(":"));

/** Fields whose names end with `.*` are created by Typesense when the first record has them. */
export function collectionFields(languages: readonly string[]): CollectionFieldSchema[] {
  const text = { type: "string[]", optional: true } as const;
  return [
    { name: "record_type", type: "string" },
    { name: "status", type: "string" },
    { name: "collection_status", type: "string", optional: true },
    { name: "codes", ...text },
    { name: "spans", type: "object[]", optional: true },
    { name: "spans.field", ...text },
    { name: "spans.from", type: "int64[]", optional: true },
    { name: "spans.to", type: "int64[]", optional: true },
    { name: "id_1", type: "int64" },
    { name: "id_2", type: "int64" },
    { name: "created_at", type: "int64" },
    { name: "updated_at", type: "int64" },
    { name: PUBLIC_AT, type: "int64" },
    { name: FIRST_DAY, type: "int64" },
    { name: "sort_idno", type: "string", sort: true },
    { name: "sort_title", type: "string", sort: true },
    ...ALL_WEIGHTS.map((weight) => ({ name: textField("public", weight), ...text })),
    { name: "staff_.*", ...text },
    { name: "linked_.*", ...text },
    ...languages.map((locale) => ({ name: stemField(".*", locale), ...text, stem: true, locale })),
    { name: "facet_.*", ...text, facet: true },
  ];
}

export function storedRecord(document: SearchDocument): StoredRecord {
  const { id, recordType, status, collectionStatus, publicText, staffText, sort } = document;
  const [id_1, id_2] = idNumbers(id);
  const codes = new Set([...document.present.map(presenceCode), ...startsOf(sort.idno).map(numberCode)]);
  if (sort.date !== null) codes.add(DATED);
  if (recordType === "entity") codes.add(nameCode(sort.title));
  for (const { id: other, isPublic } of document.links) codes.add(linkCode(other, isPublic));
  const stored: StoredRecord = {
    id,
    record_type: recordType,
    status,
    ...(collectionStatus === null ? {} : { collection_status: collectionStatus }),
    id_1,
    id_2,
    sort_idno: sortCode(sort.idno),
    sort_title: sortCode(sort.title),
    created_at: microseconds(sort.created_at),
    updated_at: microseconds(sort.updated_at),
    [PUBLIC_AT]: microseconds(sort.public_at),
    [FIRST_DAY]: sort.date ?? 0,
    ...facetsOf(document, codes),
    ...textsOf("public", status === "public" ? publicText : []),
    // all text of a record that is not public is for staff
    ...textsOf(`staff_${recordType}`, status === "public" ? staffText : [...publicText, ...staffText]),
    ...textsOf(`linked_${recordType}`, document.linkedText),
  };
  const spans = [...document.ranges].flatMap(([field, ranges]) =>
    ranges.map(({ from, to }) => ({
      field: spanCode(field),
      from: thousandths(from, "down"),
      to: thousandths(to, "up"),
    })),
  );
  if (codes.size > 0) stored.codes = [...codes];
  if (spans.length > 0) stored.spans = spans;
  return stored;
}

/** Facet values by Typesense field. The code of each value is added to `codes`. */
function facetsOf({ facets }: SearchDocument, codes: Set<string>): Record<string, string[]> {
  const stored: Record<string, string[]> = {};
  for (const [field, values] of facets) {
    const present = values.filter((value) => value !== "");
    for (const value of present) codes.add(valueCode(field, value));
    if (present.length > 0)
      stored[facetField(field)] = [...new Set(present.map((value) => value.slice(0, LONGEST_VALUE)))];
  }
  return stored;
}

function textsOf(part: string, texts: readonly WeightedText[]): Record<string, string[]> {
  const stored: Record<string, string[]> = {};
  for (const { weight, text, stems = [] } of texts) {
    const words = searchWordsOf(text).join(" ");
    if (words === "") continue;
    const languages = new Set(stems.map(languageOf));
    for (const name of [textField(part, weight), ...[...languages].map((each) => stemField(part, each))]) {
      stored[name] ??= [];
      stored[name].push(words);
    }
  }
  return stored;
}

/** What a query may call the number with this sort key: the whole, its words with their end, and each beginning of them that has digits. */
function startsOf(key: string): string[] {
  const words = key.slice(0, key.indexOf(END_OF_NUMBER));
  const ends = [...words.matchAll(/:*\d+|[^:\d ]+/g)].map(({ 0: part, index }) => index + part.length);
  const beginnings = ends.map((end) => words.slice(0, end)).filter((start) => /\d/.test(start));
  return [key, words + END_OF_NUMBER, ...beginnings];
}

/** Filters use codes instead of values: Typesense ignores case and punctuation, and backticks cannot be escaped. */
function code(...parts: readonly string[]): string {
  return createHash("sha256").update(parts.join("\u0000")).digest("hex").slice(0, 24);
}

export const valueCode = (field: string, value: string): string =>
  code("value", field, value.slice(0, LONGEST_VALUE));
export const presenceCode = (field: string): string => code("presence", field);
export const DATED = code("dated");
export const nameCode = (key: string): string => code("name", key);
export const numberCode = (start: string): string => code("number", start);
export const spanCode = (field: string): string => code("span", field);
export const linkCode = (id: string, isPublic: boolean): string =>
  code(isPublic ? "public link" : "staff link", id.toLowerCase());

/**
 * An identifier as two whole numbers that sort like it. JSON numbers are exact up to 53 bits. The last 24 bits are left out,
 * because the bits before them are random enough.
 */
export function idNumbers(id: string): [number, number] {
  const digits = id.replaceAll("-", "").padEnd(32, "0");
  return [Number.parseInt(digits.slice(0, 13), 16), Number.parseInt(digits.slice(13, 26), 16)];
}

/** The largest whole number that JSON keeps exactly. */
const LARGEST = Number.MAX_SAFE_INTEGER;

/** A number (or infinity) in thousandths, rounded to a whole number. Typesense's floats have only seven digits. */
export function thousandths(number: number, rounded: "down" | "up"): number {
  const whole = rounded === "down" ? Math.floor(number * 1_000) : Math.ceil(number * 1_000);
  return Math.min(Math.max(whole, -LARGEST), LARGEST);
}

/** A text that sorts by its bytes. How Typesense sorts case and punctuation is not documented. */
export function sortCode(text: string): string {
  return Buffer.from(text, "utf8").toString("hex").slice(0, 480);
}

/** From 1970, of a time in UTC as the database gives it: `2026-01-31T12:00:00.123456`. */
const microseconds = (time: string): number =>
  Date.parse(`${time.slice(0, 23)}Z`) * 1_000 + Number(time.slice(23, 26));
