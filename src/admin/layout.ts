/** The frame of every staff page: the rail with its sections, a search, and the reader's account. */
import { html } from "hono/html";
import { formsOf } from "../pages/counted.ts";
import { csrfField } from "../pages/forms.ts";
import { icon } from "../pages/icons.ts";
import { documentHead, type Layout, languageMenu } from "../pages/layout.ts";
import { type PageParts, pageAnswer } from "../pages/page.ts";
import { note } from "../pages/parts.ts";
import type { Html, PageView, View } from "../pages/view.ts";
import { wholeKinds } from "../records/visibility.ts";
import { keysButton, palette, paletteButton } from "./lists/palette.ts";
import { findPath, sectionsFor } from "./sections.ts";

/** `at`: the path of this page's entry in the rail, for example `/admin/objects`. */
type AdminParts = Omit<PageParts, "layout"> & { at: string };

/** A page of the staff interface. Its rail shows what this caller may use. */
export function adminAnswer(view: PageView, { at, ...parts }: AdminParts): Promise<Response> {
  return pageAnswer(view, { ...parts, layout: layoutAt(at) });
}

/** The frame of a problem page at this path. */
export const problemLayout = (path: string): Layout =>
  layoutAt(/^\/admin\/[^/]+/.exec(path)?.[0] ?? "/admin");

const layoutAt =
  (at: string): Layout =>
  (view, title, content, head) => {
    const { t, link, asset, nonce } = view;
    const own = html`<link rel="stylesheet" href="${asset("admin.css")}">
    <script type="module" src="${asset("admin.js")}" nonce="${nonce}"></script>
    <meta name="csrf" content="${view.csrf ?? ""}">
    <meta name="base" content="${link("")}">
    <meta name="account" content="${view.caller.kind === "account" ? view.caller.id : ""}">
    ${view.flash === "form.saved" ? html`<meta name="saved" content="yes">` : ""}
    ${head}`;
    return html`<!doctype html>
<html lang="${t.language}">
  ${documentHead(view, title, own)}
  <body class="staff">
    <a class="skip" href="#content">${t("skip.content")}</a>
    <header class="top">
      <a class="name" href="${link("/admin")}" dir="auto">${view.name}</a>
      ${quickSearch(view)}
      ${paletteButton(view)}
      <nav class="account" aria-label="${t("menu.account")}">
        <a href="${link("/")}">${t("menu.portal")}</a>
        <a href="${link("/admin/account")}" ${at === "/admin/account" ? html`aria-current="page"` : ""}>${icon("person")}${view.caller.kind === "account" ? view.caller.displayName : ""}</a>
        <form method="post" action="${link("/admin/sign-out")}" data-sign-out>${csrfField(view)}<button class="quiet">${t("menu.signOut")}</button></form>
      </nav>
    </header>
    <div class="below">
      ${rail(view, at)}
      <main id="content" tabindex="-1">
        ${view.flash ? note("success", t(view.flash), "status") : ""}
        ${content}
        <footer class="languages">${languageMenu(view)}${keysButton(view)}</footer>
      </main>
    </div>
    ${palette(view)}
    ${chooserWords(view)}
  </body>
</html>
`;
  };

function quickSearch({ t, link, caller }: View): Html {
  if (wholeKinds(caller).length === 0) return html`<span></span>`;
  return html`<form class="quick" role="search" aria-label="${t("admin.quick")}" action="${link(findPath)}">
    <label class="hidden" for="quick">${t("admin.quick")}</label>
    <input id="quick" type="search" name="q" maxlength="500" placeholder="${t("admin.quick")}" data-key="/">
    <button class="quiet" aria-label="${t("search.button")}">${icon("search")}</button>
  </form>`;
}

/** On a telephone, the rail starts closed. */
function rail(view: View, at: string): Html {
  const { t, link } = view;
  return html`<details class="rail" open>
    <summary>${icon("menu")}${t("admin.menu")}</summary>
    <nav aria-label="${t("menu.main")}">${sectionsFor(view.caller).map(
      ({ label, entries }) => html`<section>
        <h2>${t(label)}</h2>
        <ul>${entries.map(
          (entry) =>
            html`<li><a href="${link(entry.path)}" ${entry.path === at ? html`aria-current="page"` : ""}>${t(entry.label)}</a></li>`,
        )}</ul>
      </section>`,
    )}</nav>
  </details>`;
}

/** The messages for `chooser.js`. */
const chooserWords = ({ t, link }: View): Html => {
  const of = { name: "{name}", kind: "{kind}" };
  return html`<template id="chooser" data-choices="${link("/admin/choices")}" data-label="${t("chooser.label")}" data-none="${t("chooser.none")}" data-some="${JSON.stringify(formsOf(t, "chooser.some"))}" data-create="${t("chooser.create", of)}" data-created="${t("chooser.created", of)}"></template>`;
};
