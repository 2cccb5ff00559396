/** Texts in their own language and direction. */
import { html, raw } from "hono/html";
import type { Language } from "../messages/translate.ts";
import type { Html, View } from "./view.ts";

/** `lang`: BCP 47; missing if unknown. */
export type Text = { value: string; lang?: string };

/** The `lang` attribute, if the language differs from that of the page. */
export const langOf = ({ t }: View, { lang }: Pick<Text, "lang">): Html =>
  lang === undefined || lang === t.language ? html`` : html` lang="${lang}"`;

/** Longer headings (in characters) get a smaller font. */
const LONG_HEADING = 120;

export function text(tag: "h1" | "span" | "p" | "b" | "bdi", view: View, { value, lang }: Text): Html {
  // bdi needs no `dir`
  const dir = tag === "bdi" ? "" : html` dir="auto"`;
  const size = tag === "h1" && value.length > LONG_HEADING ? html` class="long"` : "";
  return html`<${raw(tag)}${dir}${size}${langOf(view, { lang })}>${value}</${raw(tag)}>`;
}

/** The title of a search hit. */
export const title = (
  tag: "b" | "bdi",
  view: View,
  { title: value, lang }: Omit<Text, "value"> & { title: string },
): Html => text(tag, view, { value, lang });

/** Isolates typed text, so that its direction does not change the text around it (U+2068, U+2069). */
export const typed = (value: string): string => `\u2068${value}\u2069`;

/** A text within a line, marked with its language only if that is not the reader's. */
export const named = (view: View, label: Text): Html =>
  label.lang === undefined || label.lang === view.t.language
    ? html`${label.value}`
    : text("bdi", view, label);

/** A long text: blank lines separate its paragraphs. */
export function paragraphs(view: View, { value, ...rest }: Text): Html {
  const parts = value.split(/\n\s*\n/).filter((part) => part.trim() !== "");
  return html`${parts.map((part) => text("p", view, { ...rest, value: part }))}`;
}

/** A label in the reader's language, else in English, else in any language, else `name`. */
export function labelText(labels: Readonly<Record<string, string>>, language: Language, name: string): Text {
  const lang = [language, "en", ...Object.keys(labels)].find((tag) => labels[tag] !== undefined);
  return lang === undefined ? { value: name } : { value: labels[lang]!, lang };
}

/** The same without its language. */
export const labelIn = (...args: Parameters<typeof labelText>): string => labelText(...args).value;

/** The text in the reader's language, else in English, else in any language; null if there is none. */
export function inOneLanguage({ t }: View, texts: Readonly<Record<string, string>>): Text | null {
  const text = labelText(texts, t.language, "");
  return text.lang === undefined ? null : text;
}
