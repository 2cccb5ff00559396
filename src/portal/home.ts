/** The first page: what this is, a search box, and the ways on. */
import { html } from "hono/html";
import { type Api, endpoint } from "../http/endpoint.ts";
import { type Pages, pageAnswer } from "../pages/page.ts";

export function homeRoutes(api: Api, pages: Pages): void {
  endpoint(api, {
    method: "get",
    path: "/",
    tag: "pages",
    summary: "The first page",
    access: "public",
    produces: ["text/html"],
    answers: { 200: { description: "A page" } },
    page: true,
    async handle({ c }) {
      const view = await pages.view(c);
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
