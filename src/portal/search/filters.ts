/** The filters of the search page: kinds of record, facets, dates; chosen values as chips. */
import { html } from "hono/html";
import { icon } from "../../pages/icons.ts";
import { named, type Text, text } from "../../pages/texts.ts";
import type { Html, View } from "../../pages/view.ts";
import { dateInWords } from "../../records/dates/in-words.ts";
import type { Kind } from "../../records/kinds.ts";
import type { Years } from "../../search/buckets.ts";
import { asParams, edtfYear, type Filter, OFFERED, type SearchState, searchAddress } from "./address.ts";
import { hiddenInputs } from "./box.ts";
import type { Facet, FacetValue } from "./facets.ts";
import { type Bar, histogram } from "./histogram.ts";

/** The values of a facet that are shown at first. */
const FEW = 7;
/** The number of facets that are open at first. */
const OPEN = 5;

export type Dates = { field: string; label: Text; bars: Bar[]; chosen: Years | null };

/** @param to the same search of another kind */
export function kindTabs(
  view: View,
  { kinds, everything }: { kinds: readonly { kind: Kind; count: number }[]; everything: number },
  state: SearchState,
  to: (kind: Kind | "") => string,
): Html {
  const { t, formats } = view;
  const chosen = state.type;
  const shown = kinds.filter(({ kind, count }) => kind === chosen || (count > 0 && OFFERED.includes(kind)));
  // the tabs stay if a filter leaves only one kind
  if (shown.length < (state.filters.length > 0 ? 1 : 2) && chosen === "") return html``;
  const tab = (kind: Kind | "", count: number) =>
    html`<li><a href="${to(kind)}" rel="nofollow" ${kind === chosen ? html`aria-current="true"` : ""}>${kind === "" ? t("search.all") : t(`kind.${kind}`)} <small>${formats.number(count)}</small></a></li>`;
  return html`<nav class="tabs" aria-label="${t("search.kind")}"><ul>${tab("", everything)}${shown.map(({ kind, count }) => tab(kind, count))}</ul></nav>`;
}

export type Chip = { label: Html; to: string };

/** The chosen values. Each can be removed separately. */
export function chipRow(view: View, chips: readonly Chip[], clear: string): Html {
  const { t } = view;
  if (chips.length === 0) return html``;
  return html`<ul class="chips" aria-label="${t("search.filters")}">
    ${chips.map(({ label, to }) => html`<li><a href="${to}" rel="nofollow"><span>${label}</span>${icon("cross")}<span class="hidden">${t("search.remove")}</span></a></li>`)}
    <li><a class="clear" href="${clear}" rel="nofollow">${t("search.clear")}</a></li>
  </ul>`;
}

/** Beside the results; on phones above them, and closed at first. */
export function filterPanel(
  view: View,
  state: SearchState,
  dates: Dates | null,
  facets: readonly Facet[],
): Html {
  const { t } = view;
  const shown = facets.filter(({ values }) => values.length > 0);
  if (shown.length === 0 && !dates) return html``;
  return html`<details class="filters"><summary>${icon("filter")}${t("search.narrow")}</summary>
    <div role="group" aria-label="${t("search.narrow")}">
    ${shown.slice(0, 1).map((facet) => facetGroup(view, state, facet, true))}
    ${dates ? dateGroup(view, state, dates) : ""}
    ${shown.slice(1).map((facet, index) => facetGroup(view, state, facet, index < OPEN))}
    </div>
  </details>`;
}

function facetGroup(view: View, state: SearchState, facet: Facet, isOpen: boolean): Html {
  const { t } = view;
  const { name, values, isCut } = facet;
  const label = named(view, facet.label);
  const isWhole = state.more === name || values.length <= FEW + 1;
  const shown = isWhole
    ? values
    : values.slice(0, Math.max(FEW, values.filter((one) => one.isChosen).length));
  const open = isOpen || state.more === name || values.some(({ isChosen }) => isChosen);
  const field = name.replace(/^meta_/, "");
  return html`<details class="facet" ${open ? html`open` : ""} ${state.more === name ? html`id="more"` : ""}><summary>${label}</summary>
    <ul>${shown.map((value) => facetValue(view, state, name, value))}</ul>
    ${isWhole ? "" : html`<a class="more" href="${addressWith(view, state, { more: name })}#more" rel="nofollow">${t("search.more", { count: values.length - shown.length })}<span class="hidden"> (${label})</span></a>`}
    ${isWhole && isCut && name.startsWith("meta_") ? html`<a class="more" href="${view.link(`/browse/${field}`)}">${t("search.allValues")}<span class="hidden"> (${label})</span></a>` : ""}
  </details>`;
}

function facetValue(
  view: View,
  state: SearchState,
  name: string,
  { value, label, count, isChosen }: FacetValue,
): Html {
  const filters: Filter[] = isChosen
    ? state.filters.filter(([each, other]) => each !== name || other !== value)
    : [...state.filters, [name, value]];
  return html`<li><a href="${addressWith(view, state, { filters })}" rel="nofollow" ${isChosen ? html`aria-current="true"` : ""}>${
    isChosen ? icon("check") : ""
  }${text("span", view, label)}${isChosen ? html`${icon("cross")}<span class="hidden">${view.t("search.remove")}</span>` : ""}</a> <small>${count === 0 ? "" : view.formats.number(count)}</small></li>`;
}

function dateGroup(view: View, state: SearchState, { field, label, bars, chosen }: Dates): Html {
  const { t } = view;
  const others = withoutDates(state, field);
  const inWords = (year: number | undefined) =>
    year === undefined || !Number.isFinite(year) ? "" : dateInWords(edtfYear(year), t.language);
  const years = (end: "from" | "to") => {
    const given = state.filters.find(([name]) => name === `range_${field}_${end}`)?.[1];
    return given === undefined ? inWords(chosen?.[end]) : dateInWords(given, t.language);
  };
  const shown = { from: inWords(bars[0]?.from), to: inWords(bars.at(-1)?.to) };
  const input = (end: "from" | "to", words: string) =>
    html`<label class="hidden" for="${end}">${words}</label><input id="${end}" name="range_${field}_${end}" value="${years(end)}" inputmode="numeric" maxlength="40" size="4" autocomplete="off" placeholder="${shown[end]}">`;
  return html`<details class="facet dates" open><summary>${named(view, label)}</summary>
    ${
      bars.length === 0
        ? ""
        : histogram(view, label.value, bars, chosen, ({ value }) =>
            addressWith(view, state, { filters: [...others, [`meta_${field}`, value]] }),
          )
    }
    <form action="${view.link("/search")}" class="years">
      ${hiddenInputs([...asParams({ ...state, filters: others }), ...(state.layout === "grid" ? [] : [["view", state.layout] as const])])}
      ${input("from", t("search.from"))} <span aria-hidden="true">–</span> ${input("to", t("search.to"))}
      <button class="quiet">${t("search.apply")}</button>
    </form>
  </details>`;
}

export const withoutDates = ({ filters }: SearchState, field: string): Filter[] =>
  filters.filter(([name]) => name !== `meta_${field}` && !name.startsWith(`range_${field}_`));

/** The first page of the same search with these changes. */
export const addressWith = (view: View, state: SearchState, more: Partial<SearchState>): string =>
  view.link(searchAddress({ ...state, more: "", page: 1, ...more }));
