/** Everything by name (Ctrl-K), and the keys of the staff interface (?): two dialogs that the script opens. */
import { html } from "hono/html";
import { mayDo } from "../../caller.ts";
import { icon } from "../../pages/icons.ts";
import type { Html, View } from "../../pages/view.ts";
import { KINDS } from "../../records/kinds.ts";
import { findPath, listPath, sectionsFor } from "../sections.ts";

export function palette(view: View): Html {
  const { t, link, caller, asset, nonce } = view;
  const pages = sectionsFor(caller).flatMap(({ entries }) => entries);
  const fresh = KINDS.filter((kind) => mayDo(caller, "create", kind));
  const item = (path: string, label: string) => html`<li data-page><a href="${link(path)}">${label}</a></li>`;
  return html`<dialog class="look-up palette" id="palette" aria-label="${t("palette.title")}" data-find="${link(findPath)}"
      data-nothing="${t("palette.nothing")}">
    <form method="dialog"><input type="search" maxlength="100" autocomplete="off" aria-label="${t("palette.words")}" placeholder="${t("palette.words")}">
      <button class="quiet icon-only" value="cancel" aria-label="${t("zoom.close")}">${icon("cross")}</button></form>
    <p role="status" class="help"></p>
    <ul class="plain">${pages.map(({ path, label }) => item(path, t(label)))}${item("/admin/account", t("account.title"))}${fresh.map((kind) => item(`${listPath(kind)}/new`, t(`admin.new.${kind}`)))}</ul>
  </dialog>
  <dialog class="look-up" id="keys" aria-labelledby="keys-title">
    <form class="row" method="dialog"><h2 id="keys-title">${t("palette.keys")}</h2></form>
    <dl class="pairs-list">
      <dt><kbd>${t("key.ctrl")}</kbd> <kbd>K</kbd>, <kbd>⌘</kbd> <kbd>K</kbd></dt><dd>${t("palette.title")}</dd>
      <dt><kbd>/</kbd></dt><dd>${t("admin.quick")}</dd>
      <dt><kbd>${t("key.ctrl")}</kbd> <kbd>S</kbd>, <kbd>⌘</kbd> <kbd>S</kbd></dt><dd>${t("palette.save")}</dd>
      <dt><kbd>?</kbd></dt><dd>${t("palette.keys")}</dd>
      <dt><kbd>Esc</kbd></dt><dd>${t("zoom.close")}</dd>
    </dl>
    <form method="dialog"><button class="quiet">${t("zoom.close")}</button></form>
  </dialog>
  <script type="module" src="${asset("palette.js")}" nonce="${nonce}"></script>`;
}

/** The script shows it. */
export const paletteButton = ({ t }: View): Html =>
  html`<button type="button" class="quiet" data-opens="palette" hidden>${t("palette.title")} <kbd>${t("key.ctrl")} K</kbd></button>`;

/** The script shows it. */
export const keysButton = ({ t }: View): Html =>
  html`<button type="button" class="quiet small" data-opens="keys" hidden>${t("palette.keys")} <kbd>?</kbd></button>`;
