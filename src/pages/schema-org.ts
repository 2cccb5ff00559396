/** The museum in the words of https://schema.org, and how a page contains such data. */
import { html, raw } from "hono/html";
import { asIri } from "../iri.ts";
import { logoPath } from "../settings/settings.ts";
import type { Html, View } from "./view.ts";

/** For the head of a page. `<` is escaped, so that no text can end the script element. */
export const jsonLd = (value: unknown): Html =>
  html`<script type="application/ld+json">${raw(JSON.stringify(value).replaceAll("<", "\\u003c"))}</script>`;

export function museum(
  baseUrl: string,
  { name, settings: { homepage_url, logo } }: View,
): Record<string, unknown> {
  return {
    // in schema.org, a Museum alone is a place, which can neither provide nor publish
    "@type": ["Museum", "Organization"],
    name,
    url: asIri(homepage_url ?? baseUrl),
    logo: logo === null ? undefined : baseUrl + logoPath(logo),
  };
}
