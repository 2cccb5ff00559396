/** Possible duplicates: what the pages of records and terms share. */
import { html } from "hono/html";
import { csrfField } from "../../pages/forms.ts";
import { redirectTo } from "../../pages/page.ts";
import { emptyState, paging } from "../../pages/parts.ts";
import type { Html, PageView, View } from "../../pages/view.ts";
import type { FoundPairs, PageOfPairs } from "../../records/duplicates/duplicates.ts";
import type { MergeDone } from "../../records/merge/store.ts";
import { IdShape } from "../../records/shape.ts";
import { pageAsked } from "../asked.ts";
import { adminAnswer } from "../layout.ts";

const PAGE_SIZE = 20;
const LAST_PAGE = 500;

export const pairsAsked = (view: PageView): PageOfPairs => ({
  page: Math.min(pageAsked(view), LAST_PAGE),
  page_size: PAGE_SIZE,
  dismissed: view.c.req.query("dismissed") === "true",
});

/** `at`: the entry of the rail. `here`: the address of the page. `above`: content above the pairs. */
type About = { at: string; here: string; crumbs: Html; text: string; noneText: string; above?: Html };

export function pairsAnswer(
  view: PageView,
  { at, here, crumbs, text, noneText, above }: About,
  { page, page_size, dismissed }: PageOfPairs,
  found: FoundPairs<Html>,
): Promise<Response> {
  const { t } = view;
  const title = t(dismissed ? "duplicates.dismiss" : "duplicates.title");
  const others = dismissed
    ? html`<p><a href="${here}">${t("duplicates.title")}</a></p>`
    : found.dismissed > 0
      ? html`<p><a href="${here}?dismissed=true">${t("duplicates.others", { count: found.dismissed })}</a></p>`
      : "";
  const address = (next: number) => `${here}?page=${next}${dismissed ? "&dismissed=true" : ""}`;
  return adminAnswer(view, {
    at,
    title,
    content: html`<div>${crumbs}<h1>${title}</h1>${dismissed ? "" : html`<p class="help">${text}</p>`}${others}</div>
      ${above ?? ""}
      ${found.total === 0 && !dismissed ? emptyState(t("duplicates.none"), noneText) : found.items}
      ${paging(view, page, Math.ceil(found.total / page_size), address)}`,
  });
}

/** Who merged what, with an undo button while undoing is possible. */
export function mergesDone(view: View, all: readonly MergeDone[], undoOf: (id: string) => string): Html {
  const { t, link, formats } = view;
  if (all.length === 0) return html``;
  return html`<details class="group"><summary>${t("merge.merges", { count: all.length })}</summary><p class="help">${t("merge.undoText")}</p>
    <ul class="plain">${all.map(
      ({ id, value, into, at, by, is_recent }) =>
        html`<li class="row"><span><bdi>${value}</bdi> → <bdi>${into}</bdi> <small>${[formats.time(at), by ?? ""].filter(Boolean).join(" · ")}</small></span>
        ${is_recent ? html`<form method="post" action="${link(undoOf(id))}">${csrfField(view)}<button class="quiet small" aria-label="${t("merge.undoThis", { value, into })}">${t("merge.undo")}</button></form>` : ""}</li>`,
    )}</ul></details>`;
}

/** The buttons for a pair. `what`: the names of the two. `merge`: the address that merges them. */
export function decisions(
  view: View,
  {
    here,
    merge,
    ids,
    what,
  }: { here: string; merge: string; ids: readonly string[]; what: { one: string; other: string } },
  { page, dismissed }: PageOfPairs,
): Html {
  const { t } = view;
  return html`<div class="row"><a class="button" href="${merge}" aria-label="${t("merge.these", what)}">${t("merge.button")}</a>
    <form method="post" action="${here}">${csrfField(view)}${["a", "b"].map((name, at) => html`<input type="hidden" name="${name}" value="${ids[at]}">`)}<input type="hidden" name="page" value="${page}">
      ${dismissed ? html`<button class="quiet" name="again" value="yes">${t("duplicates.again")}</button>` : html`<button class="quiet" aria-label="${t("duplicates.dismissThese", what)}">${t("duplicates.dismiss")}</button>`}</form></div>`;
}

/** Handles the form of `decisions`. `path`: of the page. */
export async function takeDecision(
  view: PageView,
  path: string,
  fields: ReadonlyMap<string, string>,
  dismiss: (ids: readonly string[], isDismissed: boolean) => Promise<void>,
): Promise<Response> {
  const ids = ["a", "b"].flatMap((name) => IdShape.safeParse(fields.get(name)).data ?? []);
  if (ids.length < 2) return redirectTo(view, path);
  const isAgain = fields.has("again");
  await dismiss(ids, !isAgain);
  const page = `${path}?page=${Number(fields.get("page")) || 1}`;
  return isAgain
    ? redirectTo(view, `${page}&dismissed=true`, "duplicates.offered")
    : redirectTo(view, page, "duplicates.dismissed");
}
