/** Common parts of pages. They escape texts, but not templates, which already are. */
import { html } from "hono/html";
import { type Long, offsetOf } from "../http/answer/list-envelope.ts";
import { type IconName, icon } from "./icons.ts";
import type { Html, PageView, View } from "./view.ts";

const NOTE_ICONS = {
  information: "note",
  success: "check",
  warning: "warning",
  error: "warning",
} as const satisfies Record<string, IconName>;

/** A message in a box. With a `role`, screen readers read it at once. */
export function note(tone: keyof typeof NOTE_ICONS, content: Html | string, role?: "status" | "alert"): Html {
  return html`<div class="note ${tone}" ${role ? html`role="${role}"` : ""}>${icon(NOTE_ICONS[tone])}<div>${content}</div></div>`;
}

/** Shown instead of an empty list: what is missing, and what to do next. */
export function emptyState(title: string, text: string, next?: Html): Html {
  return html`<section class="empty"><h2>${title}</h2><p>${text}</p>${next ?? ""}</section>`;
}

/** Status of a record: a dot and the word. */
export function statusMark({ t }: View, status: "draft" | "internal" | "public"): Html {
  return html`<span class="status ${status}">${t(`status.${status}`)}</span>`;
}

/** The requested number of a page or part; 1 if it is missing or invalid. */
export function numberAsked({ c }: PageView, name: "page" | "part"): number {
  const number = Number(c.req.query(name));
  return Number.isSafeInteger(number) && number > 0 && number < 100_000 ? number : 1;
}

/** Which part of a long list is shown, with links to the other parts; empty if the whole list is shown. */
export function partLinks(view: View, asked: number, long: Long, address: (part: number) => string): Html {
  const from = offsetOf(asked, long);
  const { total, size } = long;
  if (total <= size) return html``;
  return html`<p class="help">${view.t("paging.part", { from: from + 1, to: Math.min(from + size, total), total })}</p>
    ${paging(view, from / size + 1, Math.ceil(total / size), address)}`;
}

/** Links to the previous and next page; empty if there is only one page. `address`: makes the address of a page. */
export function paging({ t }: View, page: number, pages: number, address: (page: number) => string): Html {
  if (pages <= 1) return html``;
  return html`<nav class="paging" aria-label="${t("paging.label")}">
    ${page > 1 ? html`<a class="button" rel="prev" href="${address(page - 1)}">${icon("previous")}${t("paging.previous")}</a>` : html`<span></span>`}
    <span>${t("paging.page", { page, pages })}</span>
    ${page < pages ? html`<a class="button" rel="next" href="${address(page + 1)}">${t("paging.next")}${icon("next")}</a>` : html`<span></span>`}
  </nav>`;
}

/** Counts with their labels, without those that are 0. */
export function tallyOf({ formats }: View, counts: readonly (readonly [string, number])[]): Html {
  const some = counts.filter(([, n]) => n > 0);
  if (some.length === 0) return html``;
  return html`<dl class="tally">${some.map(([label, n]) => html`<div><dt>${label}</dt><dd>${formats.number(n)}</dd></div>`)}</dl>`;
}
