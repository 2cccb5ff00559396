/** Values of an object that is read from LIDO: words of its fields, dates, measurements. */
import type { Element } from "slimdom";
import { shortSpan } from "../aggregation/lido-parts.ts";
import { ESTIMATED } from "../aggregation/lido-terms.ts";
import { rightsUri } from "../aggregation/rights.ts";
import { readMeasured } from "../linked-data/thing-patterns.ts";
import { parseEdtf, readWrittenDate } from "../records/dates.ts";
import { dateInWords } from "../records/dates-in-words.ts";
import type { Entry, Metadata } from "../records/record.ts";
import { type Field, fieldsOf } from "../records/schema.ts";
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

/** The fields of one object as they fill up. */
export class Values {
  readonly metadata: Metadata = {};
  readonly #known: LidoContext;
  /** Of the descriptive metadata: in which words are taken where there are several. */
  readonly lang: string | undefined;
  readonly #outside: string;

  constructor(known: LidoContext, lang: string | undefined, outside: string) {
    this.#known = known;
    this.lang = lang;
    this.#outside = outside;
  }

  /** Where there may be one value only, further texts stand behind the first, and further words are left out. */
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

  /** By the pattern of the field, or by its name if the element says from which field of a catalogue it comes. */
  text(element: Element, pattern: string): void {
    const field = this.fieldFor(element, pattern);
    const { value, lang } = this.entry(element);
    // what is inherited says nothing of a text that is not translated
    const own = field?.is_translatable ? lang : ownLanguage(element);
    this.add(field, own === undefined ? { value } : { value, lang: own });
  }

  /** Our own texts say their language, where they have one. */
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

/** Words of a vocabulary are the same in every language. */
export const isTranslatable = (field: Field): boolean =>
  field.is_translatable || field.field_type === "text" || field.field_type === "richtext";

/** The catalogue's own word; that of its vocabulary; the one in the language of the record; the first; the address. */
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
 * `eventDate` and its like. The date of the words where they mean the same span, since they know more ("about 1600"); the
 * words are told where the date does not say as much.
 */
export function dateOf(set: Element, entryOf: (element: Element) => Entry): ReadDate {
  const display = at(set, "displayDate")
    .map(entryOf)
    .filter(({ value }) => value !== "");
  const span = spanOf(at(set, "date")[0]);
  const written = display.flatMap(({ value, lang }) => readWrittenDate(value, languageOf(lang))?.edtf ?? []);
  const edtf = span === null ? (written[0] ?? null) : (written.find((each) => sameSpan(each, span)) ?? span);
  const words = display.filter(({ value, lang }) => {
    const inWords = edtf === null ? null : dateInWords(edtf, languageOf(lang) ?? "en");
    return value !== inWords && value !== edtf;
  });
  return { edtf, words };
}

/** Those in which dates are written and read. */
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

/** One end: ISO 8601 as LIDO asks for it, or a date as people write it. */
export function sideOf(element: Element | undefined): string | null {
  if (!element) return null;
  const text = textOf(element).replace(/T.*$/, "");
  const edtf = parseEdtf(text)?.edtf ?? readWrittenDate(text)?.edtf;
  if (edtf === undefined) return null;
  const isPlain = /^-?\d{4}(-\d\d){0,2}$/.test(edtf);
  return isPlain && attribute(element, "type") === ESTIMATED ? `${edtf}~` : edtf;
}

/** `height: 62.5 cm` for each measurement; what is only displayed, as it is displayed. */
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
  // the words of our own exports, which say the same
  if (read.length === 1 && display[0] && sameMeasure(display[0], read[0]!)) return [display[0]];
  if (read.length === 0) return display;
  return read.map((text) => (part ? `${part}, ${text}` : text));
}

function sameMeasure(one: string, other: string): boolean {
  const [a, b] = [readMeasured(one), readMeasured(other)];
  return a !== null && b !== null && a.kind === b.kind && a.unit === b.unit && a.value === b.value;
}
