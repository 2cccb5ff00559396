/** Tells search engines the address of a page in each language (https://www.rfc-editor.org/rfc/rfc6596, hreflang of HTML). */
import { html } from "hono/html";
import { languages } from "../messages/translate.ts";
import type { Html, View } from "./view.ts";

/** @param address the full address of the page without a language */
export function alternates({ languageAsked }: View, address: string): Html {
  const inLanguage = (language: string) => `${address}${address.includes("?") ? "&" : "?"}lang=${language}`;
  return html`<link rel="canonical" href="${languageAsked === null ? address : inLanguage(languageAsked)}">
    ${languages().map((language) => html`<link rel="alternate" hreflang="${language}" href="${inLanguage(language)}">`)}
    <link rel="alternate" hreflang="x-default" href="${address}">`;
}
