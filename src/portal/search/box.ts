/** The search box. With scripts, it suggests words while somebody types. */
import { html } from "hono/html";
import { icon } from "../../pages/icons.ts";
import type { Html, View } from "../../pages/view.ts";
import { kinds } from "../../records/kinds.ts";
import { SEARCH_TYPES } from "../../search/params.ts";
import { LONGEST_QUERY } from "./address.ts";

/** @param kept parameters that the search keeps when its words change */
export function searchBox(view: View, q: string, kept: readonly (readonly [string, string])[] = []): Html {
  const { t, link } = view;
  return html`<form action="${link("/search")}" role="search" class="search">
    ${hiddenInputs(kept)}
    <label class="hidden" for="q">${t("search.label")}</label>
    <span class="suggesting">
      <input id="q" type="search" name="q" value="${q}" maxlength="${LONGEST_QUERY}" placeholder="${t("search.label")}" autocomplete="off"
        data-suggest="${link("/portal/v1/search/suggest")}" data-base="${link("/")}" data-kinds="${kindWords(view)}" data-label="${t("search.suggestions")}"
        data-none="${t("search.suggestions.none")}" data-some="${t("search.suggestions.some", { count: "{count}" })}">
    </span>
    <button>${icon("search")}${t("search.button")}</button>
  </form>`;
}

/** The address and the name of each kind of record. */
const kindWords = ({ t }: View): string =>
  JSON.stringify(
    Object.fromEntries(
      SEARCH_TYPES.map((kind) => [kind, { path: kinds[kind].plural, kind: t(`kind.${kind}`) }]),
    ),
  );

export const hiddenInputs = (params: readonly (readonly [string, string])[]): Html =>
  html`${params.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`;

/** For the head of a page with the box. */
export const searchBoxHead = (view: View): Html =>
  html`<link rel="stylesheet" href="${view.asset("search.css")}"><script type="module" nonce="${view.nonce}" src="${view.asset("suggest.js")}"></script>`;
