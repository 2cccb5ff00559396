/** The panel next to the fields: pictures and location of an object, and information about the record. */
import { html } from "hono/html";
import type { Html, View } from "../../pages/view.ts";
import { kinds } from "../../records/kinds.ts";
import type { RecordRow } from "../../records/record.ts";
import { LABELLED, recordPath } from "../sections.ts";

/** @param sections sections that have their own forms */
export function beside(view: View, row: RecordRow, sections: Html | ""): Html {
  return html`<aside class="beside" aria-label="${view.t("admin.about")}">${sections}${facts(view, row)}</aside>`;
}

/** The panel for a new object that is not saved yet. */
export const unsaved = ({ t }: View): Html =>
  html`<aside class="beside"><p class="help">${t("editor.afterSaving")}</p></aside>`;

function facts({ t, link, formats }: View, row: RecordRow): Html {
  const kind = row.record_type;
  const here = recordPath(kind, row.id);
  const isOnPortal = row.status === "public" && kind !== "storage_location";
  const links = [
    ...(isOnPortal ? [{ path: `/${kinds[kind].plural}/${row.id}`, label: t("admin.onPortal") }] : []),
    { path: `${here}/history`, label: t("admin.history") },
    ...(kind === "object" ? [{ path: `${here}/card`, label: t("care.card") }] : []),
    ...(LABELLED.includes(kind) ? [{ path: `${here}/label`, label: t("care.label") }] : []),
  ];
  return html`<div class="facts-beside">
    <ul class="plain row">${links.map(({ path, label }) => html`<li><a href="${link(path)}">${label}</a></li>`)}</ul>
    <dl>
      <div><dt>${t("admin.created")}</dt><dd>${formats.time(row.created_at)}</dd></div>
      <div><dt>${t("admin.changed")}</dt><dd>${formats.time(row.updated_at)}</dd></div>
      <div><dt>${t("admin.version")}</dt><dd>${row.version}</dd></div>
    </dl>
  </div>`;
}
