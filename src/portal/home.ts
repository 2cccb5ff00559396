/** The first page: what this is, a search box, and the ways on. */
import { html } from "hono/html";
import type { Api } from "../http/endpoint.ts";
import { type Pages, pageAnswer } from "../pages/page.ts";
import { page } from "../pages/routes.ts";

export function homeRoutes(api: Api, pages: Pages): void {
  page(api, pages, {
    path: "/",
    summary: "The first page",
    access: "public",
    show({ c, view }) {
      const { t, link } = view;
      return pageAnswer(c, view, {
        title: null,
        content: html`<section class="stack">
          <h1>${t("catalogue")}</h1>
          <p class="lead">${t("home.lead")}</p>
          <form action="${link("/search")}" role="search" class="search large">
            <label class="hidden" for="q">${t("search.label")}</label>
            <input id="q" type="search" name="q" placeholder="${t("search.label")}">
            <button>${t("search.button")}</button>
          </form>
        </section>
        <section class="stack">
          <h2>${t("home.developers")}</h2>
          <p>${t("home.developersText")}</p>
          <p><a class="button quiet" href="${link("/api/docs")}">${t("home.docs")}</a></p>
        </section>`,
      });
    },
  });
}
