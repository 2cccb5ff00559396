/** The first page: what this is, a search box, and the ways on. */
import { html } from "hono/html";
import { VISITOR } from "../caller.ts";
import type { Api } from "../http/endpoint.ts";
import { inTurn } from "../http/turns.ts";
import { type Pages, pageAnswer } from "../pages/page.ts";
import { emptyState, note } from "../pages/parts.ts";
import { page } from "../pages/routes.ts";
import type { Html, View } from "../pages/view.ts";
import type { Kind } from "../records/kinds.ts";
import { SEARCH_TYPES, SearchParams } from "../search/params.ts";
import { searchFor } from "../search/search.ts";
import { searchAddress } from "./search-address.ts";

export function homeRoutes(api: Api, pages: Pages): void {
  page(api, pages, {
    path: "/",
    summary: "The first page",
    access: "public",
    async show({ c, view, caller }) {
      const { t, link } = view;
      const counts = await inTurn(api, c, caller, () => publicCounts(api, c.get("requestId")));
      return pageAnswer(c, view, {
        title: null,
        content: html`<section class="stack">
          <h1>${view.name}</h1>
          <p class="lead">${t("home.lead")}</p>
          <form action="${link("/search")}" role="search" class="search large">
            <label class="hidden" for="q">${t("search.label")}</label>
            <input id="q" type="search" name="q" placeholder="${t("search.label")}">
            <button>${t("search.button")}</button>
          </form>
        </section>
        ${kindsSection(view, counts)}
        <section class="stack">
          <h2>${t("home.developers")}</h2>
          <p>${t("home.developersText")}</p>
          <p><a class="button quiet" href="${link("/api/docs")}">${t("home.docs")}</a></p>
        </section>`,
      });
    },
  });
}

type Count = { kind: Kind; total: number; isLeast: boolean };

/** How many records of each kind visitors find; null while the search index cannot be reached. */
async function publicCounts({ services }: Api, requestId: string): Promise<Count[] | null> {
  const found = await Promise.all(
    SEARCH_TYPES.map(async (kind) => {
      const params = SearchParams.parse({ type: kind, page_size: "1" });
      const clauses = { clauses: [], any: false };
      const { total, isLeast, degraded } = await searchFor(services, VISITOR, {
        ...{ params, clauses, requestId },
        portal: true,
        languages: [],
      });
      return degraded ? null : { kind, total, isLeast };
    }),
  );
  const counts = found.filter((count) => count !== null);
  return counts.length < found.length ? null : counts.filter(({ total }) => total > 0);
}

function kindsSection(view: View, counts: readonly Count[] | null): Html {
  const { t, link, formats } = view;
  if (counts === null) return note("warning", t("search.degraded"));
  if (counts.length === 0) return emptyState(t("home.empty"), t("home.emptyText"));
  return html`<section class="stack">
    <h2>${t("home.kinds")}</h2>
    <ul class="counts">${counts.map(
      ({ kind, total, isLeast }) =>
        html`<li><a href="${link(searchAddress({ type: kind }))}">${t(`kind.${kind}`)} <b>${isLeast ? "> " : ""}${formats.number(total)}</b></a></li>`,
    )}</ul>
  </section>`;
}
