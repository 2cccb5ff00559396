/** The public fields of a record as visitors read them. */

import { html } from "hono/html";
import { labelIn, labelText, named, paragraphs, text } from "../../pages/texts.ts";
import type { Html, View } from "../../pages/view.ts";
import { dateInWords } from "../../records/dates/in-words.ts";
import type { ShownEntry } from "../../records/public/terms.ts";
import type { Entry } from "../../records/record.ts";
import type { Field } from "../../records/schema.ts";
import { authorityIri } from "../../records/write/authority-ids.ts";
import { isAddress, shortened } from "../addresses.ts";
import { searchAddress } from "../search/address.ts";
import { nameIn, rightsAddress } from "./rights.ts";
import type { RecordView } from "./view.ts";

/** Label and value: a row of the list of facts. */
export function fieldRows(view: View, fields: RecordView["fields"]): Html[] {
  return fields.map(
    ({ field, label, entries }) =>
      html`<div><dt>${named(view, label)}</dt><dd>${values(view, field, entries)}</dd></div>`,
  );
}

export function values(view: View, field: Field, entries: readonly ShownEntry[]): Html {
  if (field.field_type === "richtext") return paragraphsIn(view, entries);
  const [first] = entries;
  if (entries.length === 1 && first) return one(view, field, first);
  const isLong = entries.some(({ value }) => value.length > LONG);
  return html`<ul class="values${isLong ? " long" : ""}">${entries.map((entry) => html`<li>${one(view, field, entry)}</li>`)}</ul>`;
}

/** A list with a longer value (in characters) shows each value on its own line. */
const LONG = 32;

/** Types of field whose values are not links to a search, because they are numbers or spans. */
const SPANS = ["date", "number"];

/** A value as plain text in the reader's language. */
export function wordsOf(view: View, { field_type: type }: Field, { value, labels }: ShownEntry): string {
  const { t, formats } = view;
  if (type === "date") return dateInWords(value, t.language);
  if (type === "boolean") return t(value === "true" ? "record.yes" : "record.no");
  if (type === "number") return formats.decimal(value);
  if (type === "measurement") return measureInWords(view, value);
  return labels ? labelIn(labels, t.language, value) : value;
}

function one(view: View, field: Field, entry: ShownEntry): Html {
  const { t, link } = view;
  const { value } = entry;
  const { field_type: type } = field;
  const plain = wordsOf(view, field, entry);
  if (type === "date") return html`<time>${plain}</time>`;
  if (type === "boolean" || type === "number") return html`${plain}`;
  if (type === "measurement") return text("span", view, { ...entry, value: plain });
  if (type === "authority") return authority(field, value);
  const word = entry.labels && named(view, labelText(entry.labels, t.language, value));
  const address = rightsAddress(value);
  if (address !== null)
    return html`<a href="${address}" rel="noopener nofollow">${word ?? nameIn(value)}</a>`;
  const shown = word === undefined ? text("span", view, entry) : html`${word}`;
  if (!field.is_facet || SPANS.includes(type)) return shown;
  const same = searchAddress({ type: field.record_type, filters: [[`meta_${field.name}`, value]] });
  return html`<a class="others" href="${link(same)}" rel="nofollow">${shown}</a>`;
}

export const DIMENSIONS = [
  "height",
  "width",
  "depth",
  "length",
  "diameter",
  "weight",
  "duration",
  "size",
] as const;

const SECONDS = /(?<![\d.,])(\d{2,9}) ?s$/;

/** `height: 62.5 cm` in the reader's language: names of dimensions, and the decimal sign. */
function measureInWords({ t, formats }: View, value: string): string {
  const [whole, name] = /^(\p{L}+)(?=\s*[:=]?\s*\d)/u.exec(value) ?? [];
  const dimension = DIMENSIONS.find((each) => each === name?.toLowerCase());
  const said = value.slice(dimension ? whole!.length : 0);
  const measure = formats.measure(
    dimension === "duration"
      ? said.replace(SECONDS, (_, seconds) => formats.duration(Number(seconds)))
      : said,
  );
  return dimension ? t(`dimension.${dimension}`) + measure.replace(/^: /, t("dimension.colon")) : measure;
}

/** An identifier of an authority file, as a link to its page there. */
function authority(field: Field, value: string): Html {
  const iri = authorityIri(field.name, value) ?? value;
  if (!isAddress(iri)) return html`${value}`;
  return html`<a href="${iri}" rel="noopener nofollow">${isAddress(value) ? shortened(value) : value}</a>`;
}

export function paragraphsIn(view: View, entries: readonly Entry[]): Html {
  return html`${entries.map((entry) => paragraphs(view, entry))}`;
}
