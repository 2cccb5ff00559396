/** Parts that pages are put together from. Each takes texts, which are escaped, and templates, which are not escaped again. */
import { html } from "hono/html";
import { type IconName, icon } from "./icons.ts";
import type { Html, View } from "./view.ts";

const NOTE_ICONS = {
  information: "note",
  success: "check",
  warning: "warning",
  error: "warning",
} as const satisfies Record<string, IconName>;

/** A message in a box. `role`: what screen readers say at once. */
export function note(tone: keyof typeof NOTE_ICONS, content: Html | string, role?: "status" | "alert"): Html {
  return html`<div class="note ${tone}" ${role ? html`role="${role}"` : ""}>${icon(NOTE_ICONS[tone])}<div>${content}</div></div>`;
}

/** What stands where a list would be: what is missing, and what to do next. */
export function emptyState(title: string, text: string, next?: Html): Html {
  return html`<section class="empty"><h2>${title}</h2><p>${text}</p>${next ?? ""}</section>`;
}

/** Status of a record: a dot and the word. */
export function statusMark({ t }: View, status: "draft" | "internal" | "public"): Html {
  return html`<span class="status ${status}">${t(`status.${status}`)}</span>`;
}

/** Links to the page before and after; nothing when there is one page. `address`: of a page by its number. */
export function paging({ t }: View, page: number, pages: number, address: (page: number) => string): Html {
  if (pages <= 1) return html``;
  return html`<nav class="paging" aria-label="${t("paging.label")}">
    ${page > 1 ? html`<a class="button" rel="prev" href="${address(page - 1)}">${icon("previous")}${t("paging.previous")}</a>` : html`<span></span>`}
    <span>${t("paging.page", { page, pages })}</span>
    ${page < pages ? html`<a class="button" rel="next" href="${address(page + 1)}">${t("paging.next")}${icon("next")}</a>` : html`<span></span>`}
  </nav>`;
}
