/** What is around the content of every page: head, main menu, languages. */
import { html } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import { csrfField } from "./forms.ts";
import { icon } from "./icons.ts";
import { LANGUAGES, MESSAGES } from "./messages.ts";
import { note } from "./parts.ts";
import type { Html, View } from "./view.ts";

/** `head`: what this page alone has to say of itself, to machines above all. */
export function layout(view: View, title: string | null, content: HtmlEscapedString, head: Html | ""): Html {
  const { t, link, asset } = view;
  const name = t("catalogue");
  return html`<!doctype html>
<html lang="${t.language}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${title === null ? name : `${title} · ${name}`}</title>
    <link rel="icon" href="${asset("icon.svg")}" type="image/svg+xml">
    <link rel="preload" href="${asset("serif-latin.woff2")}" as="font" type="font/woff2" crossorigin>
    <link rel="stylesheet" href="${asset("style.css")}">
    ${head}
  </head>
  <body>
    <a class="skip" href="#content">${t("skip.content")}</a>
    <header class="top">
      <a class="name" href="${link("/")}">${name}</a>
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
      <nav aria-label="${t("language.choose")}">${LANGUAGES.map((language) =>
        language === t.language
          ? html`<span aria-current="true">${MESSAGES[language]["language.name"]}</span>`
          : html`<a href="${view.inLanguage(language)}" lang="${language}" hreflang="${language}" rel="nofollow">${MESSAGES[language]["language.name"]}</a>`,
      )}</nav>
    </footer>
  </body>
</html>
`;
}
