/** Tells how the search changed the words of a list, if it did. */
import { html } from "hono/html";
import { note } from "../../pages/parts.ts";
import type { Html, View } from "../../pages/view.ts";
import type { FoundIds } from "../../search/find-listed.ts";

/** @param address makes the address of the same list with other words */
export function searchNotes(
  { t }: View,
  q: string,
  { degraded, isNarrowed, isLeast, ids, suggestion, isCompleted }: FoundIds,
  address: (q: string) => string,
): Html {
  return html`${degraded ? note("warning", t(isNarrowed ? "list.degradedFilters" : "list.degraded"), "status") : ""}
    ${isLeast ? note("information", t(isNarrowed ? "list.notAll" : "list.best", { count: ids.length }), "status") : ""}
    ${suggestion === null ? "" : html`<p class="meant">${t(isCompleted ? "search.beginnings" : "search.instead", { q })} <a href="${address(suggestion)}">${suggestion}</a></p>`}`;
}
