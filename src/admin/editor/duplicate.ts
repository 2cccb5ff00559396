/** Copies a record. */
import { html } from "hono/html";
import { mayDo } from "../../caller.ts";
import type { Api } from "../../http/endpoint.ts";
import { csrfField } from "../../pages/forms.ts";
import { type Pages, redirectTo } from "../../pages/page.ts";
import { pageForm } from "../../pages/routes.ts";
import type { Html, View } from "../../pages/view.ts";
import { KINDS, kinds } from "../../records/kinds.ts";
import type { RecordRow } from "../../records/record.ts";
import { duplicateRecord } from "../../records/write/duplicate.ts";
import { idOf } from "../asked.ts";
import { recordPath } from "../sections.ts";

export function duplicateSection(view: View, row: RecordRow): Html {
  const { t, link, caller } = view;
  const kind = row.record_type;
  if (!mayDo(caller, "create", kind) || !mayDo(caller, "update", kind)) return html``;
  return html`<section class="group" aria-labelledby="duplicate-title">
    <h2 id="duplicate-title">${t("duplicate.title")}</h2>
    <p class="help">${t("duplicate.text")}</p>
    <form class="row" method="post" action="${link(`${recordPath(kind, row.id)}/duplicate`)}">
      ${csrfField(view)}
      <label class="tick"><input type="checkbox" name="links" value="yes" checked> ${t("duplicate.links")}</label>
      <button class="quiet">${t("duplicate.button")}</button>
    </form>
  </section>`;
}

export function duplicateRoutes(api: Api, pages: Pages): void {
  for (const kind of KINDS) {
    pageForm(api, pages, {
      path: `${recordPath(kind, "{id}")}/duplicate`,
      summary: `Make another record like ${kinds[kind].one}`,
      access: { action: "create", kind },
      async take(view, fields) {
        const links = fields.get("links") === "yes";
        const copy = await duplicateRecord(api.services, view.caller, kind, idOf(view, kind), links);
        return redirectTo(view, recordPath(kind, copy.id), "duplicate.done");
      },
    });
  }
}
