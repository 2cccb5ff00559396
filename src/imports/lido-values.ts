/** Reads the values of an object from LIDO: words, texts, dates, measurements. */
import type { Element } from "slimdom";
import { shortSpan } from "../aggregation/lido-parts.ts";
import { ESTIMATED } from "../aggregation/lido-terms.ts";
import { readMeasured } from "../linked-data/thing-patterns.ts";
import { readWrittenDate } from "../records/date-readings.ts";
import { dateInWords } from "../records/dates-in-words.ts";
import { parseEdtf } from "../records/edtf.ts";
import type { Entry, Metadata } from "../records/record.ts";
import { type Field, fieldsOf } from "../records/schema.ts";
import { rightsUri } from "../vocabularies/rights.ts";
import { fieldBy, type LidoContext } from "./lido-context.ts";
import {
  at,
  attribute,
  concept,
  inheritedLanguage,
  origin,
  ownLanguage,
  type ReadConcept,
  textOf,
} from "./lido-xml.ts";

/** Collects the field values of one object. */
export class Values {
  readonly metadata: Metadata = {};
  readonly #known: LidoContext;
  /** The language of the descriptive metadata, preferred if a word is there in several languages. */
  readonly lang: string | undefined;
  readonly #outside: string;

  constructor(known: LidoContext, lang: string | undefined, outside: string) {
    this.#known = known;
    this.lang = lang;
    this.#outside = outside;
  }

  /** If the field takes only one value, a further text is appended to the first, and a further word is left out. */
  add(field: Field | undefined, { value, lang }: Entry): void {
    if (!field || value === "") return;
    const entry = lang !== undefined && isTranslatable(field) ? { value, lang } : { value };
    const entries = this.metadata[field.name] ?? [];
    this.metadata[field.name] = entries;
    if (entries.some((each) => each.value === entry.value && each.lang === entry.lang)) return;
    const first = entries.find((each) => !field.is_translatable || each.lang === entry.lang);
    if (field.is_repeatable || !first) entries.push(entry);
    else if (field.field_type === "text" || field.field_type === "richtext") first.value += `\n${value}`;
  }

  /** Adds a text to the field with this pattern, or to the field that the element names as its origin. */
  text(element: Element, pattern: string): void {
    const field = this.fieldFor(element, pattern);
    const { value, lang } = this.entry(element);
    // a field without translations gets no inherited language
    const own = field?.is_translatable ? lang : ownLanguage(element);
    this.add(field, own === undefined ? { value } : { value, lang: own });
  }

  /** The text and its language. Texts of our own exports inherit no language: they state it if they have one. */
  entry(element: Element): Entry {
    const lang = origin(element) === null ? inheritedLanguage(element, this.#outside) : ownLanguage(element);
    return { value: textOf(element), ...(lang === undefined ? {} : { lang }) };
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

/** Whether values of the field have a language; terms of vocabularies have none. */
export const isTranslatable = (field: Field): boolean =>
  field.is_translatable || field.field_type === "text" || field.field_type === "richtext";

/** The first that exists: the value that our own export wrote; a term of the vocabulary; the word in `lang`; any word; the address. */
export function wordOf(
  known: LidoContext,
  field: Field,
  concept: ReadConcept,
  lang: string | undefined,
): Entry | undefined {
  const word = chosenWord(known, field, concept, lang);
  if (word && field.mapping.pattern !== "right") {
    const { name, vocabulary } = field;
    known.keepAddress({ name, vocabulary, isOpen: field.field_type !== "vocab" }, word.value, concept);
  }
  return word;
}

function chosenWord(
  known: LidoContext,
  field: Field,
  { uris, terms }: ReadConcept,
  lang: string | undefined,
): Entry | undefined {
  const plain = ({ value, lang: own }: Entry): Entry =>
    own === undefined ? { value } : { value, lang: own };
  const own = terms.find(({ origin: from }) => from === field.name);
  if (own) return plain(own);
  const names = terms.map(({ value }) => value);
  if (field.mapping.pattern === "right") {
    const statement = [...uris, ...names].map(rightsUri).find((uri) => uri !== null);
    if (statement) return { value: known.word(field.vocabulary ?? "", [statement], []) ?? statement };
  }
  const word = field.vocabulary === null ? undefined : known.word(field.vocabulary, uris, names);
  if (word !== undefined) return { value: word };
  const best = terms.find((each) => each.lang !== undefined && each.lang === lang) ?? terms[0];
  return best ? plain(best) : uris[0] === undefined ? undefined : { value: uris[0] };
}

type ReadDate = { edtf: string | null; words: Entry[] };

/**
 * The date of `eventDate` and similar elements. `edtf`: read from the words if they mean the same span as the date, since words are
 * more precise ("about 1600"). `words`: those that say more than `edtf`.
 */
export function dateOf(known: LidoContext, set: Element, entryOf: (element: Element) => Entry): ReadDate {
  const display = at(set, "displayDate")
    .map(entryOf)
    .filter(({ value }) => value !== "");
  const span = spanOf(at(set, "date")[0]);
  const written = display.flatMap(({ value, lang }) => readWrittenDate(value, languageOf(lang)) ?? []);
  const [first] = written;
  if (span === null && first?.readings) {
    const { text: value, readings, edtf } = first;
    known.doubted.push({ column: set.localName, value, readings, edtf });
  }
  const readings = written.flatMap(({ edtf, readings = [edtf] }) => readings);
  const edtf =
    span === null ? (first?.edtf ?? null) : (readings.find((each) => sameSpan(each, span)) ?? span);
  const words = display.filter(({ value, lang }) => {
    const inWords = edtf === null ? null : dateInWords(edtf, languageOf(lang) ?? "en");
    return value !== inWords && value !== edtf;
  });
  return { edtf, words };
}

/** The language, if dates can be written and read in it. */
const languageOf = (lang: string | undefined) =>
  (["en", "de", "fr"] as const).find((each) => lang?.startsWith(each));

const sameSpan = (one: string, other: string): boolean =>
  JSON.stringify(shortSpan([one])) === JSON.stringify(shortSpan([other]));

/** `earliestDate` and `latestDate` as EDTF. */
export function spanOf(date: Element | undefined): string | null {
  if (!date) return null;
  const [earliest, latest] = ["earliestDate", "latestDate"].map((name) => sideOf(at(date, name)[0]));
  if (!earliest && !latest) return null;
  const whole = earliest === latest ? earliest! : `${earliest ?? ".."}/${latest ?? ".."}`;
  return parseEdtf(whole)?.edtf ?? null;
}

/** One end of a span as EDTF: LIDO requires ISO 8601, but written dates are read as well. */
export function sideOf(element: Element | undefined): string | null {
  if (!element) return null;
  const text = textOf(element).replace(/T.*$/, "");
  const edtf = parseEdtf(text)?.edtf ?? readWrittenDate(text)?.edtf;
  if (edtf === undefined) return null;
  const isPlain = /^-?\d{4}(-\d\d){0,2}$/.test(edtf);
  return isPlain && attribute(element, "type") === ESTIMATED ? `${edtf}~` : edtf;
}

/** `height: 62.5 cm` for each measurement; if there are only display texts, these. */
export function measurementsOf(set: Element): string[] {
  const display = at(set, "displayObjectMeasurements")
    .map(textOf)
    .filter((text) => text !== "");
  const read = at(set, "objectMeasurements/measurementsSet").flatMap((each) => {
    const [type, unit, value] = ["measurementType", "measurementUnit", "measurementValue"].map((name) => {
      const [element] = at(each, name);
      return element ? (concept(element).terms[0]?.value ?? textOf(element)) : "";
    });
    return value ? [`${type ? `${type}: ` : ""}${value} ${unit}`.trim()] : [];
  });
  const extent = at(set, "objectMeasurements/extentMeasurements").map(
    (each) => concept(each).terms[0]?.value,
  );
  const [part] = extent;
  // our own exports write the measurement as the display text, too
  if (read.length === 1 && display[0] && sameMeasure(display[0], read[0]!)) return [display[0]];
  if (read.length === 0) return display;
  return read.map((text) => (part ? `${part}, ${text}` : text));
}

function sameMeasure(one: string, other: string): boolean {
  const [a, b] = [readMeasured(one), readMeasured(other)];
  return a !== null && b !== null && a.kind === b.kind && a.unit === b.unit && a.value === b.value;
}
