/** Collects the field values of an object from LIDO: words, texts and dates. */
import type { Element, Node } from "slimdom";
import { shortSpan } from "../../formats/lido/lido-parts.ts";
import { ESTIMATED, EXACT } from "../../formats/lido/lido-terms.ts";
import { parseEdtf } from "../../records/dates/edtf.ts";
import { dateInWords } from "../../records/dates/in-words.ts";
import { LANGUAGES, readWrittenDate } from "../../records/dates/readings.ts";
import type { Metadata } from "../../records/record.ts";
import { type Field, fieldsOf } from "../../records/schema.ts";
import { rightsUri } from "../../vocabularies/rights.ts";
import { fieldBy, type LidoContext } from "./context.ts";
import {
  at,
  attribute,
  concept,
  type Found,
  inheritedLanguage,
  keep,
  origin,
  ownLanguage,
  type ReadConcept,
  saying,
  textOf,
} from "./xml.ts";

export class Values {
  readonly metadata: Metadata;
  readonly #known: LidoContext;
  readonly isTranslation: boolean;
  /** The language of the descriptive metadata, preferred if a word is given in several languages. */
  readonly lang: string | undefined;
  readonly #outside: string;

  /** @param original the values that these translate; of a translation, only texts with a language are added */
  constructor(known: LidoContext, lang: string | undefined, outside: string, original?: Values) {
    this.#known = known;
    this.metadata = original?.metadata ?? {};
    this.isTranslation = original !== undefined;
    this.lang = lang;
    this.#outside = outside;
  }

  /** Adds a value. If the field takes only one, a further text is appended to the first, and a further word is left out. */
  add(field: Field | undefined, { value, lang, from = [] }: Found): void {
    if (!field || value === "") return;
    const entry = lang !== undefined && isTranslatable(field) ? { value, lang } : { value };
    const entries = this.metadata[field.name] ?? [];
    const isThere = entries.some((each) => each.value === entry.value && each.lang === entry.lang);
    if (this.isTranslation && !isThere && entry.lang === undefined) return;
    this.metadata[field.name] = entries;
    const first = entries.find((each) => !field.is_translatable || each.lang === entry.lang);
    const isLong = field.field_type === "text" || field.field_type === "richtext";
    if (!isThere && !field.is_repeatable && first && !isLong) return;
    keep(from);
    if (isThere) return;
    if (field.is_repeatable || !first) entries.push(entry);
    else first.value += `\n${value}`;
  }

  /** Adds a text to the field with this pattern, or to the field that the element names as its origin. */
  text(element: Element, pattern: string): void {
    const field = this.fieldFor(element, pattern);
    const { value, lang, from } = this.entry(element);
    // only translatable fields take an inherited language
    const own = field?.is_translatable ? lang : ownLanguage(element);
    this.add(field, own === undefined ? { value, from } : { value, lang: own, from });
  }

  /** The text and its language. Texts of our own exports inherit no language, because they state their own. */
  entry(element: Element): Found {
    const lang = origin(element) === null ? inheritedLanguage(element, this.#outside) : ownLanguage(element);
    return { value: textOf(element), ...(lang === undefined ? {} : { lang }), from: [element] };
  }

  /** A text that the import composes, in the language of the record. */
  inLanguage(value: string, from: readonly Node[]): Found {
    return this.lang === undefined ? { value, from } : { value, lang: this.lang, from };
  }

  fieldFor(element: Element, pattern: string): Field | undefined {
    return this.named(origin(element)) ?? this.byPattern(pattern);
  }

  byPattern(pattern: string): Field | undefined {
    return fieldBy(this.#known, "object", pattern);
  }

  named(name: string | null): Field | undefined {
    const field = name === null ? undefined : fieldsOf(this.#known.schema, "object").get(name);
    return field?.field_type === "relation" ? undefined : field;
  }

  concept(element: Element, field: Field | undefined): void {
    if (!field) return;
    const word = wordOf(this.#known, field, concept(element), this.lang);
    if (word) this.add(field, word);
  }
}

/** Whether values of the field may have a language. Terms of vocabularies have none. */
export const isTranslatable = (field: Field): boolean =>
  field.is_translatable || field.field_type === "text" || field.field_type === "richtext";

/** The first of these that exists: the value that our own export wrote, a vocabulary term, the word in `lang`, any word, the URI. */
export function wordOf(
  known: LidoContext,
  field: Field,
  concept: ReadConcept,
  lang: string | undefined,
): Found | undefined {
  const word = chosenWord(known, field, concept, lang);
  if (!word) return undefined;
  const { name, vocabulary, mapping } = field;
  const isRight = mapping.pattern === "right";
  const isStatement = (text: string): boolean => {
    const statement = isRight ? rightsUri(text) : null;
    if (statement === null) return false;
    return [statement, known.word(vocabulary ?? "", [statement], [])].includes(word.value);
  };
  const kept = known.keepConcept(
    { name, vocabulary, isOpen: !isRight && field.field_type !== "vocab" },
    word.value,
    { ...concept, uris: concept.uris.filter((uri) => !isStatement(uri)) },
  );
  return { ...word, from: [...(word.from ?? []), ...saying(concept, isStatement), ...kept] };
}

function chosenWord(
  known: LidoContext,
  field: Field,
  { uris, terms, all }: ReadConcept,
  lang: string | undefined,
): Found | undefined {
  const names = terms.map(({ value }) => value);
  const plain = ({ value, lang: own, from }: ReadConcept["terms"][number]): Found => ({
    value,
    ...(own === undefined ? {} : { lang: own }),
    from,
  });
  const own = terms.find(({ origin: from }) => from === field.name);
  if (own) return plain(own);
  if (field.mapping.pattern === "right") {
    const statement = [...uris, ...names].map(rightsUri).find((uri) => uri !== null);
    if (statement) return { value: known.word(field.vocabulary ?? "", [statement], []) ?? statement };
  }
  const word = field.vocabulary === null ? undefined : known.word(field.vocabulary, uris, names);
  if (word !== undefined) return { value: word };
  const best = terms.find((each) => each.lang !== undefined && each.lang === lang) ?? terms[0];
  if (best) return plain(best);
  const [uri] = uris;
  return uri === undefined ? undefined : { value: uri, from: saying({ all }, (text) => text === uri) };
}

/** `from`: the nodes that `edtf` keeps. */
type ReadDate = { edtf: string | null; words: Found[]; from: readonly Node[] };

/**
 * The date of `eventDate` and similar elements. `edtf` is read from the display text if that means the same span as the date,
 * because words are more precise ("about 1600"). `words`: display texts that say more than `edtf`.
 */
export function dateOf(known: LidoContext, set: Element, entryOf: (element: Element) => Found): ReadDate {
  const displays = at(set, "displayDate");
  // our exports write the field for dates in words here, which says nothing about the field for dates
  const isOurs = displays.some((each) => origin(each) !== null);
  const display = displays.map(entryOf).filter(({ value }) => value !== "");
  const { edtf: span, from } = spanOf(at(set, "date")[0]);
  const written =
    isOurs && span === null
      ? []
      : display.flatMap(({ value, lang }) => readWrittenDate(value, languageOf(lang)) ?? []);
  const [first] = written;
  if (span === null && first?.readings) {
    const { text: value, readings, edtf } = first;
    known.doubted.push({ column: set.localName, value, readings, edtf });
  }
  const readings = written.flatMap(({ edtf, readings = [edtf] }) => readings);
  const edtf =
    span === null ? (first?.edtf ?? null) : (readings.find((each) => sameSpan(each, span)) ?? span);
  const isSame = ({ value, lang }: Found): boolean =>
    !isOurs && edtf !== null && (value === edtf || value === dateInWords(edtf, languageOf(lang) ?? "en"));
  return {
    edtf,
    words: display.filter((each) => !isSame(each)),
    from: [...from, ...display.filter(isSame).flatMap((each) => each.from ?? [])],
  };
}

/** The language, if dates can be read and written in it. */
const languageOf = (lang: string | undefined) => LANGUAGES.find((each) => lang?.startsWith(each));

const sameSpan = (one: string, other: string): boolean =>
  JSON.stringify(shortSpan([one])) === JSON.stringify(shortSpan([other]));

export function spanOf(date: Element | undefined): { edtf: string | null; from: readonly Node[] } {
  const sides = date ? ["earliestDate", "latestDate"].flatMap((name) => at(date, name).slice(0, 1)) : [];
  const read = sides.flatMap((element) => {
    const edtf = sideOf(element);
    return edtf === null ? [] : [{ edtf, element }];
  });
  if (read.length === 0) return { edtf: null, from: [] };
  const of = (name: string) => read.find(({ element }) => element.localName === name)?.edtf;
  const [earliest, latest] = [of("earliestDate"), of("latestDate")];
  const whole = earliest === latest ? earliest! : `${earliest ?? ".."}/${latest ?? ".."}`;
  const edtf = parseEdtf(whole)?.edtf ?? null;
  return { edtf, from: edtf === null ? [] : read.map(({ element }) => element) };
}

/** One end of a span as EDTF. LIDO requires ISO 8601, but written dates are read too. */
export function sideOf(element: Element | undefined): string | null {
  if (!element) return null;
  const text = textOf(element).replace(/T.*$/, "");
  const isEstimated =
    attribute(element, "type", (type) => type === EXACT || type === ESTIMATED) === ESTIMATED;
  const edtf = parseEdtf(text)?.edtf ?? readWrittenDate(text)?.edtf;
  if (edtf === undefined) return null;
  const isPlain = /^-?\d{4}(-\d\d){0,2}$/.test(edtf);
  return isPlain && isEstimated ? `${edtf}~` : edtf;
}

/** The word of a concept in this language, or else its first word. */
export function labelIn({ terms }: ReadConcept, lang: string | undefined): Found[] {
  const best = terms.find((each) => each.lang === lang) ?? terms[0];
  return best ? [{ value: best.value, from: best.from }] : [];
}
