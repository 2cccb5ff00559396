/** Putting the record into the trash. */
import { html } from "hono/html";
import { mayDo } from "../../caller.ts";
import { csrfField } from "../../pages/forms.ts";
import type { Html, View } from "../../pages/view.ts";
import type { RecordRow } from "../../records/record.ts";
import { recordPath } from "../sections.ts";

/** The trash keeps a record for 30 days, so nobody is asked twice; one that is linked is deleted on a second word only. */
export function trashSection(view: View, row: RecordRow): Html {
  const { t, link } = view;
  const kind = row.record_type;
  const isOut = row.status === "public";
  if (!mayDo(view.caller, "delete", kind) || (isOut && !mayDo(view.caller, "publish", kind))) return html``;
  return html`<section class="group" id="trash" aria-labelledby="trash-title">
    <h2 id="trash-title">${t("admin.delete.title")}</h2>
    <p class="help">${t(isOut ? "admin.delete.public" : "admin.delete.text")}</p>
    <form class="row" method="post" action="${link(`${recordPath(kind, row.id)}/delete`)}">
      ${csrfField(view)}
      <label class="tick"><input type="checkbox" name="force" value="yes"> ${t("admin.delete.force")}</label>
      <button class="danger">${t("admin.delete.button")}</button>
    </form>
  </section>`;
}
