/** Moves the record to the trash. */
import { html } from "hono/html";
import { mayDo } from "../../caller.ts";
import { say } from "../../messages/said.ts";
import { csrfField } from "../../pages/forms.ts";
import type { Html, View } from "../../pages/view.ts";
import type { RecordRow } from "../../records/record.ts";
import { tiesOf } from "../../records/write/trash.ts";
import type { Sql } from "../../services.ts";
import { recordPath } from "../sections.ts";

/** Names the links of the record. Without links, it asks no confirmation, because the trash keeps the record for 30 days. */
export async function trashSection(sql: Sql, view: View, row: RecordRow): Promise<Html> {
  const { t, link, caller } = view;
  const kind = row.record_type;
  const isOut = row.status === "public";
  if (!mayDo(caller, "delete", kind) || (isOut && !mayDo(caller, "publish", kind))) return html``;
  const { linked, below } = await tiesOf(sql, caller, row);
  const form = (button: Html) =>
    html`<form class="row" method="post" action="${link(`${recordPath(kind, row.id)}/delete`)}">${csrfField(view)}${button}</form>`;
  return html`<section class="group" id="trash" aria-labelledby="trash-title">
    <h2 id="trash-title">${t("admin.delete.title")}</h2>
    <p class="help">${t(isOut ? "admin.delete.public" : "admin.delete.text")}</p>
    ${
      linked || below
        ? html`<details class="stack"><summary class="button quiet">${t("admin.delete.button")}</summary>
      ${linked ? html`<p>${t("admin.delete.linked", { linked: say(t, linked) })}</p>` : ""}
      ${below ? html`<p>${t("admin.delete.below", { below: say(t, below) })}</p>` : ""}
      ${form(html`<input type="hidden" name="force" value="yes"><button class="danger">${t("admin.delete.anyway")}</button>`)}</details>`
        : form(html`<button class="danger">${t("admin.delete.button")}</button>`)
    }
  </section>`;
}
