/** The first page for staff. */
import { html } from "hono/html";
import { type Api, accountOf } from "../http/endpoint.ts";
import type { Pages } from "../pages/page.ts";
import { page } from "../pages/routes.ts";
import { adminAnswer } from "./layout.ts";

export function deskRoutes(api: Api, pages: Pages): void {
  page(api, pages, {
    path: "/admin",
    summary: "The first page for staff",
    access: "account",
    show({ c, view, caller }) {
      const { t, link } = view;
      return adminAnswer(c, view, {
        at: "/admin",
        title: t("desk.title"),
        content: html`<section class="stack">
          <h1>${t("desk.title")}</h1>
          <p>${t("desk.welcome", { email: accountOf(caller).email })}</p>
          <ul>
            <li><a href="${link("/api/docs")}">${t("home.docs")}</a></li>
            <li><a href="${link("/admin/password")}">${t("password.title")}</a></li>
            <li><a href="${link("/admin/style")}">${t("desk.style")}</a></li>
          </ul>
        </section>`,
      });
    },
  });
}
