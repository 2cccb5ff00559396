/** Texts in their own language and direction. */
import { html } from "hono/html";
import type { Language } from "../messages/translate.ts";
import type { Html, View } from "./view.ts";

/** `lang`: BCP 47; left out where nobody knows. */
export type Text = { value: string; lang?: string };

/** The attribute, where it is not the language of the page. */
export const langOf = ({ t }: View, { lang }: Pick<Text, "lang">): Html =>
  lang === undefined || lang === t.language ? html`` : html` lang="${lang}"`;

/** A heading of more characters is set smaller. */
const LONG_HEADING = 120;

export function text(tag: "h1" | "span" | "p" | "b" | "bdi", view: View, { value, lang }: Text): Html {
  const marks = langOf(view, lang === undefined ? {} : { lang });
  if (tag === "h1")
    return html`<h1 dir="auto"${value.length > LONG_HEADING ? html` class="long"` : ""}${marks}>${value}</h1>`;
  if (tag === "p") return html`<p dir="auto"${marks}>${value}</p>`;
  if (tag === "b") return html`<b dir="auto"${marks}>${value}</b>`;
  // its direction is its own already (HTML, the bdi element)
  return tag === "bdi" ? html`<bdi${marks}>${value}</bdi>` : html`<span dir="auto"${marks}>${value}</span>`;
}

/** The name of a record, as its search hit has it. */
export const title = (
  tag: "b" | "bdi",
  view: View,
  { title: value, lang }: Omit<Text, "value"> & { title: string },
): Html => text(tag, view, lang === undefined ? { value } : { value, lang });

/** What somebody typed, among words of ours: it turns nothing round that stands beside it (U+2068, U+2069). */
export const typed = (value: string): string => `\u2068${value}\u2069`;

/** Within a line: marked only where it is not of the reader's language. */
export const named = (view: View, label: Text): Html =>
  label.lang === undefined || label.lang === view.t.language
    ? html`${label.value}`
    : text("bdi", view, label);

/** A long text; a blank line parts its paragraphs. */
export function paragraphs(view: View, { value, ...rest }: Text): Html {
  const parts = value.split(/\n\s*\n/).filter((part) => part.trim() !== "");
  return html`${parts.map((part) => text("p", view, { ...rest, value: part }))}`;
}

/** A name in the reader's language; English, then any language, stands in for a missing one, `name` for none at all. */
export function labelText(labels: Readonly<Record<string, string>>, language: Language, name: string): Text {
  const lang = [language, "en", ...Object.keys(labels)].find((tag) => labels[tag] !== undefined);
  return lang === undefined ? { value: name } : { value: labels[lang]!, lang };
}

/** The same, where its language cannot be told. */
export const labelIn = (...args: Parameters<typeof labelText>): string => labelText(...args).value;

/** Of a text in several languages the reader's, else the English one, else any; null for none at all. */
export function inOneLanguage({ t }: View, texts: Readonly<Record<string, string>>): Text | null {
  const text = labelText(texts, t.language, "");
  return text.lang === undefined ? null : text;
}
