/** The public fields of a record as visitors read them. */
import { html } from "hono/html";
import { labelIn } from "../pages/labels.ts";
import { paragraphs, text } from "../pages/texts.ts";
import type { Html, View } from "../pages/view.ts";
import { dateInWords } from "../records/dates-in-words.ts";
import type { Entry } from "../records/record.ts";
import type { Field } from "../records/schema.ts";
import type { ShownEntry } from "../vocabularies/shown-fields.ts";
import type { RecordView } from "./record-view.ts";

export function fieldList(view: View, fields: RecordView["fields"]): Html {
  if (fields.length === 0) return html``;
  return html`<dl class="facts">${fields.map(
    ({ field, label, entries }) => html`<div><dt>${label}</dt><dd>${values(view, field, entries)}</dd></div>`,
  )}</dl>`;
}

function values(view: View, field: Field, entries: readonly ShownEntry[]): Html {
  if (field.field_type === "richtext") return paragraphsIn(view, entries);
  const [first] = entries;
  if (entries.length === 1 && first) return one(view, field, first);
  return html`<ul class="values">${entries.map((entry) => html`<li>${one(view, field, entry)}</li>`)}</ul>`;
}

function one(view: View, { field_type }: Field, entry: ShownEntry): Html {
  const { t } = view;
  const { value } = entry;
  if (field_type === "date") return html`<time>${dateInWords(value, t.language)}</time>`;
  if (field_type === "boolean") return html`${t(value === "true" ? "record.yes" : "record.no")}`;
  const word = entry.labels && labelIn(entry.labels, t.language, value);
  if (isAddress(value))
    return html`<a href="${value}" rel="noopener nofollow">${word ?? shortened(value)}</a>`;
  if (word !== undefined) return html`${word}`;
  return text("span", view, entry);
}

/** Only these two: an address of another scheme is text, not a link (`javascript:`). */
export const isAddress = (value: string): boolean => /^https?:\/\/\S+$/.test(value) && URL.canParse(value);

/** An address as people read it; the whole one is behind the link. */
export const shortened = (address: string): string =>
  address.replace(/^https?:\/\/(www\.)?/, "").replace(/\/$/, "");

/** A long text in each of these languages. */
export function paragraphsIn(view: View, entries: readonly Entry[]): Html {
  return html`${entries.map((entry) => paragraphs(view, entry))}`;
}
