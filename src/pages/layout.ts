/** The frame of every page: head, main menu, footer with languages. */
import { html } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import { languages, translator } from "../messages/translate.ts";
import { logoPath } from "../settings/settings.ts";
import { csrfField } from "./forms.ts";
import { icon } from "./icons.ts";
import { note } from "./parts.ts";
import { inOneLanguage, labelText, named, paragraphs } from "./texts.ts";
import { theme } from "./theme.ts";
import type { Html, View } from "./view.ts";

/** `head`: more elements for the head, mostly metadata for programs. */
export type Layout = (view: View, title: string | null, content: HtmlEscapedString, head: Html | "") => Html;

export function documentHead(view: View, title: string | null, head: Html | ""): Html {
  const { asset, name, settings } = view;
  return html`<head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${title === null ? name : `${title} · ${name}`}</title>
    <link rel="icon" href="${asset("icon.svg")}" type="image/svg+xml">
    ${settings.typeface === "serif" ? html`<link rel="preload" href="${asset("serif-latin.woff2")}" as="font" type="font/woff2" crossorigin>` : ""}
    <link rel="stylesheet" href="${asset("style.css")}">
    ${theme(view)}
    ${head}
  </head>`;
}

export const languageMenu = (view: View): Html =>
  html`<nav aria-label="${view.t("language.choose")}">${languages().map((language) =>
    language === view.t.language
      ? html`<span aria-current="true">${translator(language)("language.name")}</span>`
      : html`<a href="${view.inLanguage(language)}" lang="${language}" hreflang="${language}" rel="nofollow">${translator(language)("language.name")}</a>`,
  )}</nav>`;

/** A logo at least this many times as wide as high contains the name, which is then not repeated. */
const WIDE = 2.5;

function nameWithLogo({ name, settings: { logo }, link }: View): Html {
  if (logo === null) return html`${name}`;
  const { width, height } = logo;
  const isName = width / height >= WIDE;
  return html`<img class="logo" src="${link(logoPath(logo))}" width="${width}" height="${height}" alt="${isName ? name : ""}">${isName ? "" : name}`;
}

/** The museum's own text, address and links for the footer; empty if there are none. */
function ofTheMuseum(view: View): Html {
  const { t, name, link } = view;
  const { footer_text, footer_links, address, homepage_url } = view.settings;
  const said = inOneLanguage(view, footer_text);
  const links = [
    ...(homepage_url === null ? [] : [html`<a href="${homepage_url}">${name}</a>`]),
    ...footer_links.map(
      ({ label, url }) =>
        html`<a href="${url.startsWith("/") ? link(url) : url}">${named(view, labelText(label, t.language, url))}</a>`,
    ),
  ];
  if (said === null && address === "" && links.length === 0) return html``;
  return html`<div class="museum">
    ${said === null ? "" : paragraphs(view, said)}
    ${address === "" ? "" : html`<address dir="auto">${address}</address>`}
    ${links.length === 0 ? "" : html`<nav aria-label="${t("footer.links")}">${links}</nav>`}
  </div>`;
}

export const layout: Layout = (view, title, content, head) => {
  const { t, link } = view;
  return html`<!doctype html>
<html lang="${t.language}">
  ${documentHead(view, title, head)}
  <body>
    <a class="skip" href="#content">${t("skip.content")}</a>
    <header class="top">
      <a class="name" href="${link("/")}">${nameWithLogo(view)}</a>
      <nav aria-label="${t("menu.main")}">
        <a href="${link("/search")}">${icon("search")}${t("menu.search")}</a>
        <a href="${link("/browse")}">${icon("grid")}${t("browse.title")}</a>
        <a href="${link("/admin")}">${icon("person")}${t("menu.staff")}</a>
        ${view.csrf === null ? "" : html`<form method="post" action="${link("/admin/sign-out")}">${csrfField(view)}<button class="quiet">${t("menu.signOut")}</button></form>`}
      </nav>
    </header>
    <main id="content" tabindex="-1">
      ${view.flash ? note("success", t(view.flash), "status") : ""}
      ${content}
    </main>
    <footer class="bottom">
      ${ofTheMuseum(view)}
      <p>${t("footer.service")}${view.hasDumps ? html` <a href="${link("/dumps/")}">${t("dumps.title")}</a>` : ""}</p>
      ${languageMenu(view)}
    </footer>
  </body>
</html>
`;
};
