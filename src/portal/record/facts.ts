/** The facts of a record in the order usual in museums: makers, fields, other links, number. None is shown twice. */

import { html } from "hono/html";
import { languages } from "../../messages/translate.ts";
import { labelText, named } from "../../pages/texts.ts";
import type { Html, View } from "../../pages/view.ts";
import { dateInWords } from "../../records/dates/in-words.ts";
import { MADE_BY } from "../../records/links/attributions.ts";
import { fold, wordsOf } from "../../text.ts";
import { linkRows } from "./links.ts";
import { fieldRows } from "./values.ts";
import { type RecordView, valuesOf } from "./view.ts";

type Shown = RecordView["fields"][number];

/** @param elsewhere fields that the page shows elsewhere */
export function factList(view: View, record: RecordView, elsewhere: readonly Shown[]): Html {
  const { t } = view;
  const { row, subtype } = record;
  const fields = record.fields
    .filter((shown) => !elsewhere.includes(shown))
    .map((shown) => ({ ...shown, entries: newEntries(view, record, shown) }))
    .filter(({ entries }) => entries.length > 0);
  const isOfMaker = ({ field }: Shown) => field.mapping.pattern === "creator_text";
  const namesSubtype = ({ field, entries }: Shown) =>
    field.is_facet &&
    entries.some(({ value, labels = {} }) =>
      isAlike(labelText(labels, t.language, value).value, subtype.value),
    );
  const isSubtypeShown = subtype.value === "" || fields.some(namesSubtype);
  const links = (isOfMakers: boolean) =>
    linkRows(
      view,
      record,
      record.links.filter(({ type }) => (type === MADE_BY) === isOfMakers),
    );
  const facts = [
    ...links(true),
    ...fieldRows(view, fields.filter(isOfMaker)),
    ...(isSubtypeShown
      ? []
      : [html`<div><dt>${t("search.subtype")}</dt><dd>${named(view, subtype)}</dd></div>`]),
    ...fieldRows(
      view,
      fields.filter((shown) => !isOfMaker(shown)),
    ),
    ...links(false),
  ];
  // if the number is the only fact, the heading is hidden
  return html`<section class="details" aria-labelledby="details"><h2 id="details"${facts.length > 0 ? "" : html` class="hidden"`}>${t("record.details")}</h2>
    <dl class="facts">${facts}<div><dt>${t("manifest.number")}</dt><dd class="number">${row.idno}</dd></div></dl></section>`;
}

/** "Voß, Carsten" is "Carsten Voß", but 4.1998 is not 1998.4. */
const inAnyOrder = (text: string): string =>
  /\d/.test(text) ? fold(text) : wordsOf(text).sort().join(" ") || fold(text);

const isAlike = (one: string, other: string): boolean => inAnyOrder(one) === inAnyOrder(other);

/** What other parts of the page may already say of a free-text field, by its pattern. */
const SHOWN_ELSEWHERE: Readonly<Record<string, (view: View, record: RecordView) => readonly string[]>> = {
  creator_text: (_, record) => linkedNames(record, MADE_BY),
  place_of_production_text: (_, record) => linkedNames(record, "made_at"),
  depicted_text: (_, record) => linkedNames(record, "depicts"),
  // "about 1890" tells no more to a reader of "hacia 1890"
  production_timespan_text: (_, record) =>
    valuesOf(record, "date").flatMap((value) => [
      value,
      ...languages().map((language) => dateInWords(value, language)),
    ]),
  identifier: (_, { row }) => [row.idno],
  alternative_title: (_, { title }) => [title.value],
  alternative_name: (_, { title }) => [title.value],
};

const linkedNames = ({ links }: RecordView, relation: string): string[] =>
  links.filter(({ type }) => type === relation).flatMap(({ items }) => items.map(({ title }) => title));

/** The values that the page does not show elsewhere in the same words. */
function newEntries(view: View, record: RecordView, { field, entries }: Shown): Shown["entries"] {
  const elsewhere = SHOWN_ELSEWHERE[String(field.mapping.pattern)]?.(view, record) ?? [];
  return entries.filter(({ value }) => !elsewhere.some((other) => isAlike(other, value)));
}
