/** The qualifier of a link to a maker, as staff read and change it. */
import { html } from "hono/html";
import type { Translate } from "../../messages/translate.ts";
import { csrfField, option } from "../../pages/forms.ts";
import { labelIn } from "../../pages/texts.ts";
import type { Html, View } from "../../pages/view.ts";
import { attributed, qualifierOf, readsAsMaker } from "../../records/links/attributions.ts";
import type { RelationJson } from "../../records/links/relations.ts";
import { bestEntry, type Metadata, type RecordRow, sameLanguage } from "../../records/record.ts";
import type { Schema } from "../../records/schema.ts";
import { nameOf } from "../record-names.ts";
import { linkLabel } from "./link-words.ts";

/**
 * The name of a link and of the record that it leads to. The qualifier is added to the maker's name or, on the page of the
 * maker, to the name of the link. @param row the record from which the link is read
 */
export function wordsOfLink(
  view: View,
  schema: Schema,
  row: RecordRow,
  { relation_type, metadata_, to_title, to_idno }: RelationJson,
): { label: string; end: string } {
  const { t } = view;
  const called = linkLabel(view, schema, row, relation_type, metadata_);
  const end = to_title || to_idno;
  const qualifier = qualifierOf(schema, metadata_, t.language);
  if (qualifier === null) return { label: called, end };
  if (!schema.relationTypes.has(relation_type))
    return { label: attributed(t, qualifier, nameOf(view, schema, row)), end };
  const isMaker = readsAsMaker(relation_type, metadata_);
  return { label: isMaker ? t("attribution.maker") : called, end: attributed(t, qualifier, end) };
}

/** Changes or removes the qualifier of a link to a maker. */
export function qualifyForm(view: View, schema: Schema, path: string, { metadata_ }: RelationJson): Html {
  return html`<details class="qualify"><summary>${view.t("admin.link.qualify")}</summary><form class="filters" method="post" action="${path}/qualify">${csrfField(view)}
    ${qualifierInputs(view, schema, metadata_)}<button class="quiet small">${view.t("admin.save")}</button></form></details>`;
}

/** A select for the term. */
export const qualifierSelect = (
  { t }: View,
  { qualifiers }: Schema,
  name: string,
  chosen: string | undefined,
): Html =>
  html`<span>${t("admin.link.qualify")}</span><select name="${name}"><option value="">${t("admin.link.noQualifier")}</option>${[
    ...qualifiers,
  ].map(([value, label]) => option(value, labelIn(label, t.language, value), chosen))}</select>`;

/** A select for the term, and an input for words to use instead of its name. */
export function qualifierInputs(view: View, schema: Schema, metadata: Metadata = {}): Html {
  const { t } = view;
  return html`<label>${qualifierSelect(view, schema, "qualifier", metadata.qualifier?.[0]?.value)}</label>
    <label class="wide"><span>${t("admin.link.qualifierText")}</span><input name="qualifier_text" maxlength="500" value="${bestEntry(metadata.qualifier_text, [t.language])?.value ?? ""}"></label>`;
}

/** The qualifier in the form. Keeps unchanged words, and those in other languages. */
export function qualifierOfForm(
  t: Translate,
  fields: ReadonlyMap<string, string>,
  old: Metadata = {},
): Metadata {
  const [value, words] = ["qualifier", "qualifier_text"].map((name) => (fields.get(name) ?? "").trim());
  const { qualifier_text: all = [] } = old;
  const shown = bestEntry(all, [t.language]);
  const isOther = shown?.lang !== undefined && !sameLanguage(shown.lang, t.language);
  const lang = shown && !isOther ? shown.lang : t.language;
  const changed = words ? [{ value: words, ...(lang === undefined ? {} : { lang }) }] : [];
  const kept = all.filter((entry) => entry !== shown || (isOther && words !== ""));
  return {
    qualifier: value ? [{ value }] : [],
    qualifier_text: words === (shown?.value ?? "") ? all : [...changed, ...kept],
  };
}
