/** Building blocks of LIDO: texts in their languages, concepts, identifiers, names, dates. */
import { asIri } from "../../iri.ts";
import { parseEdtf } from "../../records/dates/edtf.ts";
import { type Entry, entriesOf } from "../../records/record.ts";
import type { Field } from "../../records/schema.ts";
import { nameOfRights, rightsIn, rightsIri } from "../../vocabularies/rights.ts";
import { type Attributes, type Content, element, wrap, type Xml } from "../../xml.ts";
import { valuesBy } from "../named.ts";
import type { DeliveredView } from "../view.ts";
import { ALTERNATE, ESTIMATED, EXACT, LOCAL, PREFERRED, URI } from "./lido-terms.ts";

export const lido = (name: string, ...content: readonly Content[]): Xml => lidoWith(name, {}, ...content);

export const lidoWith = (name: string, attributes: Attributes, ...content: readonly Content[]): Xml =>
  element(`lido:${name}`, attributes, ...content);

/** An element; null if it would be empty. */
export const holder = (name: string, ...content: readonly Content[]): Xml | null =>
  wrap(`lido:${name}`, content);

/** `lido:encodinganalog` names the field of this catalogue, so that imports recognise it. */
export const from = (field: Field | string): Attributes => ({
  "lido:encodinganalog": typeof field === "string" ? field : field.name,
});

export const text = (name: string, { value, lang }: Entry, attributes: Attributes = {}): Xml =>
  lidoWith(name, { ...attributes, "xml:lang": lang }, value);

/** Groups translations: the first text of each language, then the second of each, and so on. */
export function variants<One extends Entry>(entries: readonly One[]): One[][] {
  const groups: One[][] = [];
  const counts = new Map<string, number>();
  for (const entry of entries) {
    const language = entry.lang ?? "";
    const nth = counts.get(language) ?? 0;
    counts.set(language, nth + 1);
    groups[nth] = [...(groups[nth] ?? []), entry];
  }
  return groups;
}

export const uriId = (name: string, uri: string): Xml => lidoWith(name, { "lido:type": URI }, uri);
export const localId = (name: string, number: string): Xml => lidoWith(name, { "lido:type": LOCAL }, number);

export type Concept = { uris: readonly string[]; terms: readonly Entry[]; field?: string };

/** A field value as a concept, with the data of its term. An address is the concept itself; that of a licence has a name. */
export function conceptOf({ around }: DeliveredView, field: Field, entry: Entry): Concept {
  const { name, vocabulary } = field;
  const term = vocabulary === null ? undefined : around.term(vocabulary, entry.value);
  const rights = rightsIn(entry.value);
  const address = rights?.uri ?? (/^https?:/i.test(entry.value) ? asIri(entry.value) : null);
  const uri = term?.uri ? rightsIri(term.uri) : null;
  const said = entriesOf(term?.label ?? {});
  const labels = said.length === 0 && rights ? [{ value: nameOfRights(rights) }] : said;
  return {
    // the field contains the address, not its names
    ...(address ? {} : { field: name }),
    uris: [...new Set([uri, address].filter((each) => each !== null))],
    // the value of the field first
    terms:
      address && labels.length > 0 ? labels : [ownWord(entry, labels), ...labels.filter(otherThan(entry))],
  };
}

const otherThan =
  ({ value }: Entry) =>
  (label: Entry): boolean =>
    label.value !== value;

function ownWord(entry: Entry, labels: readonly Entry[]): Entry {
  return entry.lang === undefined ? (labels.find(({ value }) => value === entry.value) ?? entry) : entry;
}

export function concept(name: string, { uris, terms, field }: Concept, attributes: Attributes = {}): Xml {
  return lidoWith(
    name,
    attributes,
    uris.map((uri) => uriId("conceptID", uri)),
    terms.map((term, index) => text("term", term, index === 0 && field !== undefined ? from(field) : {})),
  );
}

/** Each value of the fields with this pattern as a text. */
export const textsBy = (view: DeliveredView, pattern: string, name: string): Xml[] =>
  valuesBy(view, view.record.row, pattern).flatMap(({ field, entries }) =>
    entries.map((entry) => text(name, entry, from(field))),
  );

/** Each value of the fields with this pattern as a concept. */
export const conceptsBy = (
  view: DeliveredView,
  pattern: string,
  name: string,
  attributes: Attributes = {},
): Xml[] =>
  valuesBy(view, view.record.row, pattern).flatMap(({ field, entries }) =>
    entries.map((entry) => concept(name, conceptOf(view, field, entry), attributes)),
  );

/** A name, perhaps of a field that imports must recognise. */
type Called = Entry & { field?: string };

/** Names of one thing. The first of each language is preferred. */
export function names(name: string, entries: readonly Called[], alternatives: readonly Called[] = []): Xml[] {
  const written = (group: readonly Called[], pref: string) =>
    lido(
      name,
      group.map((entry) =>
        text("appellationValue", entry, { "lido:pref": pref, "lido:encodinganalog": entry.field }),
      ),
    );
  return [
    ...variants(entries).map((group) => written(group, PREFERRED)),
    ...variants(alternatives).map((group) => written(group, ALTERNATE)),
  ];
}

type Span = { earliest: string | null; latest: string | null; isExact: boolean };

/** The span of several EDTF dates, in the shortest ISO 8601 form; null if none can be read. */
export function shortSpan(values: readonly string[]): Span | null {
  const read = values.map(parseEdtf).filter((date) => date !== null);
  if (read.length === 0) return null;
  const known = (bound: "earliest" | "latest", best: "min" | "max") => {
    const days = read.map((date) => date[`${bound}Day`]);
    if (days.includes(null)) return null;
    const day = Math[best](...(days as number[]));
    return read[days.indexOf(day)]![bound]!.replace("+", "");
  };
  const [earliest, latest] = shortened(known("earliest", "min"), known("latest", "max"));
  return {
    earliest,
    latest,
    isExact: read.every(({ approximate, uncertain }) => !approximate && !uncertain),
  };
}

/** The span as `earliestDate` and `latestDate`. */
export function dates(values: readonly string[]): { earliest: Xml | null; latest: Xml | null } | null {
  const span = shortSpan(values);
  if (!span) return null;
  const { earliest, latest } = span;
  const type = { "lido:type": span.isExact ? EXACT : ESTIMATED };
  return {
    earliest: earliest === null ? null : lidoWith("earliestDate", type, earliest),
    latest: latest === null ? null : lidoWith("latestDate", type, latest),
  };
}

/** Whole years as `1887`, whole months as `1887-06`. */
function shortened(earliest: string | null, latest: string | null): [string | null, string | null] {
  for (const [first, last] of [
    [/-01-01$/, /-12-31$/],
    [/-01$/, /-(28|29|30|31)$/],
  ] as const) {
    const begins = earliest === null || first.test(earliest);
    const ends = latest === null || (last.test(latest) && isLastOfMonth(latest));
    if (begins && ends) return [earliest?.replace(first, "") ?? null, latest?.replace(last, "") ?? null];
  }
  return [earliest, latest];
}

function isLastOfMonth(day: string): boolean {
  const next = parseEdtf(day.slice(0, -2) + String(Number(day.slice(-2)) + 1).padStart(2, "0"));
  return next === null;
}
