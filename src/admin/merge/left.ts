/** What the undo of a merge left unchanged. */
import { html } from "hono/html";
import type { Html, View } from "../../pages/view.ts";
import type { Left } from "../../records/merge/undo.ts";

/** `nameOf`: the name of a field or type of link. */
export const leftList = ({ t }: View, left: readonly Left[], nameOf: (name: string) => string | Html): Html =>
  html`<p>${t("merge.left")}</p>
    <ul>${left.map(({ what, name }) => html`<li>${t(`merge.left.${what}`)}${t("form.colon")} <span dir="auto">${name === null ? "–" : what === "field" || what === "link" ? nameOf(name) : name}</span></li>`)}</ul>`;
