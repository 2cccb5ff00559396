/** The page on which a record is edited: a form made from the schema, and beside it what else is known of the record. */

import { html } from "hono/html";
import { mayDo } from "../../caller.ts";
import { csrfField, option } from "../../pages/forms.ts";
import { note, statusMark } from "../../pages/parts.ts";
import { labelIn } from "../../pages/texts.ts";
import type { Html, View } from "../../pages/view.ts";
import type { FaultJson } from "../../problem.ts";
import { COLLECTION_STATUSES, type Kind, type KindColumn, kinds, STATUSES } from "../../records/kinds.ts";
import type { Entry, RecordRow } from "../../records/record.ts";
import type { Field, Schema } from "../../records/schema.ts";
import { isOfLink, namePlainly } from "../field-names.ts";
import { listPath, recordPath } from "../sections.ts";
import { missingFields } from "./check.ts";
import { type FieldState, fieldControls, languageList, lookUpDialog, type TermChoice } from "./controls.ts";
import { type LinkRow, newLinks } from "./link-wishes.ts";
import { addressInList } from "./neighbours.ts";
import type { Values } from "./values.ts";

export type Editor = {
  kind: Kind;
  /** Null: of a record that is still to be made. */
  row: RecordRow | null;
  title: string | null;
  values: Values;
  fields: readonly Field[];
  terms: ReadonlyMap<string, readonly TermChoice[]>;
  faults: readonly FaultJson[];
  /** A field that is to have one row more. */
  more: string | null;
  /** What somebody else saved meanwhile: fields that both changed, and the names of those that only they changed. */
  conflict: { theirs: ReadonlyMap<string, readonly Entry[]>; taken: readonly string[] } | null;
  schema: Schema;
  /** Links that a record is to have which is still to be made. */
  links: readonly LinkRow[];
  /** The list that it was opened in, as its address says (`neighbours.ts`); null for none. */
  list: string | null;
};

/** `below`: sections below the form, with forms of their own. */
export function editorPage(view: View, editor: Editor, below: Html | "" = ""): Html {
  const { t, link, caller } = view;
  const { kind, row, title } = editor;
  const action = row ? addressInList(view, row, editor.list) : link(`${listPath(kind)}/new`);
  const mayPublish = mayDo(caller, "publish", kind) && kind !== "storage_location";
  const maySave = mayDo(caller, row ? "update" : "create", kind);
  return html`
    <form method="post" action="${action}" class="editor" data-editor="${row?.id ?? `new-${kind}`}" data-check="${maySave ? link(`${listPath(kind)}/check`) : ""}" data-title="${kinds[kind].titleField}" data-suggested="${t("editor.suggested")}" novalidate>
      ${csrfField(view)}
      ${row ? html`<input type="hidden" name="version" value="${String(row.version)}">` : ""}
      <div class="bar">
        <div class="what">
          <p class="crumbs"><a href="${link(listPath(kind))}">${t(`kind.${kind}`)}</a>${row ? html` <span aria-hidden="true">›</span> ${row.idno}` : ""}</p>
          <h1 dir="auto">${row ? (title ?? t("style.untitled")) : t(`admin.new.${kind}`)}</h1>
        </div>
        ${row ? statusMark(view, row.status) : ""}
        <span class="unsaved" role="status" data-unsaved hidden>${t("admin.unsaved")}</span>
        ${maySave ? html`<button>${t("admin.save")}</button>` : ""}
        ${maySave && mayPublish && editor.values.status !== "public" ? html`<button class="quiet" name="publish" value="yes">${t("admin.saveAndPublish")}</button>` : ""}
      </div>
      ${draftNote(view)}
      ${summary(view, editor)}
      ${stillMissing(view, editor)}
      ${conflictNote(view, editor)}
      <div class="columns">
        <div class="groups">${groups(view, editor).map(
          ({ id, label, content }) =>
            html`<section class="group" id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${label}</h2>${content}</section>`,
        )}</div>
        ${row ? aside(view, row) : ""}
      </div>
      ${languageList}
    </form>
    ${lookUpDialog(view, editor.fields)}
    ${below}`;
}

/** Shown by the script when this browser has kept what was typed and not saved. */
function draftNote({ t }: View): Html {
  return html`<div class="note warning" data-draft hidden>
    <p>${t("editor.draft")} <time></time></p>
    <div class="row"><button type="button" class="small" data-take>${t("editor.draft.take")}</button>
      <button type="button" class="quiet small" data-discard>${t("editor.draft.discard")}</button></div>
  </div>`;
}

function stillMissing({ t }: View, { kind, fields, values }: Editor): Html {
  const missing = missingFields(kind, fields, values);
  return html`<p class="help" data-missing ${missing.length === 0 ? html`hidden` : ""}>${t("editor.missing")} <span>${missing.map(
    ({ name, label }, index) =>
      html`${index > 0 ? ", " : ""}<a href="#metadata_/${name}">${labelIn(label, t.language, name)}</a>`,
  )}</span></p>`;
}

function groups(view: View, editor: Editor): { id: string; label: string; content: Html }[] {
  const { t } = view;
  const { fields, kind } = editor;
  const { titleField } = kinds[kind];
  const those = (list: readonly Field[]) =>
    html`${list.map((field) => fieldControls(view, stateOf(editor, field)))}`;
  const names = fields.filter(({ name }) => name === titleField);
  const open = fields.filter(({ name, is_public }) => name !== titleField && is_public);
  const closed = fields.filter(({ name, is_public }) => name !== titleField && !is_public);
  return [
    { id: "basics", label: t("admin.basics"), content: html`${those(names)}${basics(view, editor)}` },
    ...(editor.row ? [] : [{ id: "links", label: t("admin.links"), content: linksOfNew(view, editor) }]),
    ...(open.length > 0 ? [{ id: "description", label: t("admin.description"), content: those(open) }] : []),
    ...(closed.length > 0 ? [{ id: "internal", label: t("admin.internal"), content: those(closed) }] : []),
  ];
}

const linksOfNew = (view: View, { schema, kind, links, more, faults }: Editor): Html =>
  newLinks(view, schema, kind, { rows: links, more: more === "links", faults });

function stateOf({ values, faults, terms, more, conflict }: Editor, field: Field): FieldState {
  const theirs = conflict?.theirs.get(field.name);
  return {
    field,
    entries: values.metadata[field.name] ?? [],
    faults,
    terms: (field.vocabulary && terms.get(field.vocabulary)) || [],
    hasMore: more === field.name,
    ...(theirs ? { theirs } : {}),
  };
}

function basics(view: View, editor: Editor): Html {
  const { t } = view;
  const { kind, schema, values, row } = editor;
  const { subtypeKey, columns } = kinds[kind];
  const subtypes = [...(schema.subtypes.get(kind)?.values() ?? [])].map(({ name, label }) => ({
    value: name,
    label: labelIn(label, t.language, name),
  }));
  const statuses = STATUSES.filter(
    (status) => status === values.status || status !== "public" || mayDo(view.caller, "publish", kind),
  ).map((status) => ({ value: status, label: t(`status.${status}`) }));
  return html`<div class="pairs">
    ${column(view, editor, "idno", t("admin.number"), values.idno, row ? undefined : t("admin.numberHelp"))}
    ${select(view, editor, subtypeKey, t("search.subtype"), values.subtype, subtypes)}
    ${select(view, editor, "status", t("admin.status"), values.status, statuses)}
    ${columns.map((name) => columnControl(view, editor, name))}
  </div>`;
}

function columnControl(view: View, editor: Editor, name: KindColumn): Html {
  const { t } = view;
  const value = editor.values.columns[name] ?? "";
  const label = t(`column.${name}`);
  if (name === "collection_status") {
    const options = COLLECTION_STATUSES.map((status) => ({
      value: status,
      label: t(`collectionStatus.${status}`),
    }));
    return select(view, editor, name, label, value, options);
  }
  return column(view, editor, name, label, value, name === "parent_id" ? t("column.parentHelp") : undefined);
}

const TYPES: Partial<Record<string, string>> = { start_date: "date", end_date: "date", due_date: "date" };

function column(
  _view: View,
  { faults, kind }: Editor,
  name: string,
  label: string,
  value: string,
  help?: string,
): Html {
  const own = faults.filter(({ pointer }) => pointer === `/${name}`);
  const pick = name === "parent_id" ? html`data-pick="${kinds[kind].plural}"` : "";
  return html`<div class="field"><label for="${name}">${label}</label>
    <input id="${name}" name="${name}" value="${value}" type="${TYPES[name] ?? "text"}" autocomplete="off" ${pick} ${
      help || own.length > 0 ? html`aria-describedby="${name}-help"` : ""
    } ${own.length > 0 ? html`aria-invalid="true"` : ""}>
    ${help || own.length > 0 ? html`<p id="${name}-help" class="${own.length > 0 ? "fault" : "help"}">${own[0]?.detail ?? help}</p>` : ""}
  </div>`;
}

function select(
  _view: View,
  { faults }: Editor,
  name: string,
  label: string,
  value: string,
  options: readonly { value: string; label: string }[],
): Html {
  const own = faults.filter(({ pointer }) => pointer === `/${name}`);
  return html`<div class="field"><label for="${name}">${label}</label>
    <select id="${name}" name="${name}" ${own.length > 0 ? html`aria-invalid="true" aria-describedby="${name}-help"` : ""}>${options.map((one) => option(one.value, one.label, value))}</select>
    ${own.length > 0 ? html`<p id="${name}-help" class="fault">${own[0]!.detail}</p>` : ""}
  </div>`;
}

/** Everything that is wrong, each with a link to where it stands. */
function summary(view: View, { faults, schema, kind }: Editor): Html {
  if (faults.length === 0) return html``;
  const { t } = view;
  const items = faults.map(({ pointer, detail }) => {
    const [, place, name] = /^\/(metadata_\/(\w+)|\w+)/.exec(pointer) ?? [];
    if (place === undefined) return html`<li>${detail}</li>`;
    const label = namePlainly(view, schema, kind, name ?? place);
    const anchor = isOfLink(schema, kind, name ?? place) ? "links" : place;
    // some sentences name the field themselves
    return label === place || detail.toLowerCase().includes(label.toLowerCase())
      ? html`<li><a href="#${anchor}">${detail}</a></li>`
      : html`<li><a href="#${anchor}">${label}</a>${t("form.colon")} ${detail}</li>`;
  });
  return note(
    "error",
    html`<h2>${t("form.faults", { count: faults.length })}</h2><ul>${items}</ul>`,
    "alert",
  );
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

/** The trash keeps a record for 30 days, so nobody is asked twice; one that is linked is deleted on a second word only. */
export function deletion(view: View, row: RecordRow): Html {
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

function aside({ t, link, formats }: View, row: RecordRow): Html {
  const kind = row.record_type;
  return html`<aside class="facts-beside" aria-label="${t("admin.about")}">
    <dl>
      <div><dt>${t("admin.created")}</dt><dd>${formats.time(row.created_at)}</dd></div>
      <div><dt>${t("admin.changed")}</dt><dd>${formats.time(row.updated_at)}</dd></div>
      <div><dt>${t("admin.version")}</dt><dd>${row.version}</dd></div>
    </dl>
    <ul class="plain">
      ${row.status === "public" && kind !== "storage_location" ? html`<li><a href="${link(`/${kinds[kind].plural}/${row.id}`)}">${t("admin.onPortal")}</a></li>` : ""}
      <li><a href="${link(`${recordPath(kind, row.id)}/history`)}">${t("admin.history")}</a></li>
      ${kind === "object" ? html`<li><a href="${link(`${recordPath(kind, row.id)}/card`)}">${t("care.card")}</a></li>` : ""}
      ${kind === "storage_location" ? html`<li><a href="${link(`${recordPath(kind, row.id)}/label`)}">${t("care.label")}</a></li>` : ""}
    </ul>
    <nav class="outline" aria-label="${t("admin.outline")}"><ul class="plain">
      ${(["basics", "description", "internal", ...(kind === "object" ? (["media"] as const) : []), "links"] as const).map((id) => html`<li><a href="#${id}">${t(`admin.${id}`)}</a></li>`)}
    </ul></nav>
  </aside>`;
}
