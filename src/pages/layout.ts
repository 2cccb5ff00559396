/** What is around the content of every page: head, main menu, languages. */
import { html } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import { csrfField } from "./forms.ts";
import { icon } from "./icons.ts";
import { LANGUAGES, MESSAGES } from "./messages.ts";
import { note } from "./parts.ts";
import type { Html, View } from "./view.ts";

/** `head`: what this page alone has to say of itself, to machines above all. */
export type Layout = (view: View, title: string | null, content: HtmlEscapedString, head: Html | "") => Html;

/** The head of every page. */
export function documentHead(view: View, title: string | null, head: Html | ""): Html {
  const { t, asset } = view;
  const name = t("catalogue");
  return html`<head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${title === null ? name : `${title} · ${name}`}</title>
    <link rel="icon" href="${asset("icon.svg")}" type="image/svg+xml">
    <link rel="preload" href="${asset("serif-latin.woff2")}" as="font" type="font/woff2" crossorigin>
    <link rel="stylesheet" href="${asset("style.css")}">
    ${head}
  </head>`;
}

export const languageMenu = (view: View): Html =>
  html`<nav aria-label="${view.t("language.choose")}">${LANGUAGES.map((language) =>
    language === view.t.language
      ? html`<span aria-current="true">${MESSAGES[language]["language.name"]}</span>`
      : html`<a href="${view.inLanguage(language)}" lang="${language}" hreflang="${language}" rel="nofollow">${MESSAGES[language]["language.name"]}</a>`,
  )}</nav>`;

export const layout: Layout = (view, title, content, head) => {
  const { t, link } = view;
  return html`<!doctype html>
<html lang="${t.language}">
  ${documentHead(view, title, head)}
  <body>
    <a class="skip" href="#content">${t("skip.content")}</a>
    <header class="top">
      <a class="name" href="${link("/")}">${t("catalogue")}</a>
      <nav aria-label="${t("menu.main")}">
        <a href="${link("/search")}">${icon("search")}${t("menu.search")}</a>
        <a href="${link("/admin")}">${icon("person")}${t("menu.staff")}</a>
        ${view.csrf === null ? "" : html`<form method="post" action="${link("/admin/sign-out")}">${csrfField(view)}<button class="quiet">${t("menu.signOut")}</button></form>`}
      </nav>
    </header>
    <main id="content" tabindex="-1">
      ${view.flash ? note("success", t(view.flash), "status") : ""}
      ${content}
    </main>
    <footer class="bottom">
      <p>${t("footer.service")}</p>
      ${languageMenu(view)}
    </footer>
  </body>
</html>
`;
};
