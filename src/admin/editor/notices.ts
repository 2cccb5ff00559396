/** The notes above the fields of the editor: faults, missing fields, changes by others, and a draft kept in this browser. */
import { html } from "hono/html";
import { faultNote } from "../../pages/forms.ts";
import { note } from "../../pages/parts.ts";
import { labelIn } from "../../pages/texts.ts";
import type { Html, View } from "../../pages/view.ts";
import { faultPlainly, isOfLink } from "../field-names.ts";
import { missingFields } from "./check.ts";
import type { Editor } from "./editor.ts";

export const notices = (view: View, editor: Editor): Html =>
  html`${draftNote(view)}${summary(view, editor)}${stillMissing(view, editor)}${conflictNote(view, editor)}`;

/** The script shows it if this browser has kept unsaved changes. */
function draftNote({ t }: View): Html {
  return html`<div class="note warning" data-draft data-first="${t("date.dayOfMonth", { day: 1 })}" hidden>
    <p>${t("editor.draft")} <time></time></p>
    <div class="row"><button type="button" class="small" data-take>${t("editor.draft.take")}</button>
      <button type="button" class="quiet small" data-discard>${t("editor.draft.discard")}</button></div>
  </div>`;
}

function stillMissing({ t }: View, { fields, values }: Editor): Html {
  const missing = missingFields(fields, values);
  return html`<p class="help" data-missing ${missing.length === 0 ? html`hidden` : ""}>${t("editor.missing")} <span>${missing.map(
    ({ name, label }, index) =>
      html`${index > 0 ? ", " : ""}<a href="#metadata_/${name}">${labelIn(label, t.language, name)}</a>`,
  )}</span></p>`;
}

/** All faults, each with a link to its field. */
function summary(view: View, { faults, schema, kind, form }: Editor): Html {
  const items = faults.map((fault) => {
    const { detail, pointer } = fault;
    const input = form[/^\/(link\/\d+\/\w+|\w+)/.exec(pointer)?.[1] ?? ""];
    if (input)
      return html`<a href="#${input.id}">${view.t(input.label)}</a>${view.t("form.colon")} ${detail}`;
    const { label, place, name } = faultPlainly(view, schema, kind, fault);
    if (place === null || name === null) return detail;
    const anchor = isOfLink(schema, kind, name) ? "links" : place;
    return label === null
      ? html`<a href="#${anchor}">${detail}</a>`
      : html`<a href="#${anchor}">${label}</a>${view.t("form.colon")} ${detail}`;
  });
  return faultNote(view, items);
}

function conflictNote(view: View, { conflict, fields, row }: Editor): Html {
  if (!conflict || !row) return html``;
  const { t } = view;
  const labels = fields
    .filter(({ name }) => conflict.taken.includes(name))
    .map((field) => labelIn(field.label, t.language, field.name));
  return note(
    "warning",
    html`<h2>${t("admin.conflict.title")}</h2>
      <p>${t("admin.conflict.text")}</p>
      ${labels.length > 0 ? html`<p>${t("admin.conflict.taken", { fields: labels.join(", ") })}</p>` : ""}
      ${conflict.theirs.size > 0 ? html`<p>${t("admin.conflict.choose", { count: conflict.theirs.size })}</p>` : ""}`,
    "alert",
  );
}
