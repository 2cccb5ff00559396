/** The editor page of a record: a form made from the schema, and further sections next to it and below it. */

import { html } from "hono/html";
import { mayDo } from "../../caller.ts";
import { semicolonOf } from "../../messages/semicolons.ts";
import { csrfField, type Option, optionList } from "../../pages/forms.ts";
import { icon } from "../../pages/icons.ts";
import { labelIn } from "../../pages/texts.ts";
import type { Html, View } from "../../pages/view.ts";
import { type KindColumn, kinds, STATUSES } from "../../records/kinds.ts";
import type { Field } from "../../records/schema.ts";
import { mayPublish } from "../../records/visibility.ts";
import { columnChoices, subtypeChoices } from "../field-names.ts";
import { listPath } from "../sections.ts";
import { type FieldState, fieldControls, languageList, lookUpDialog } from "./controls.ts";
import type { Editor } from "./editor.ts";
import { arranged } from "./groups.ts";
import { newLinks } from "./link-wishes.ts";
import { pathInList } from "./neighbours.ts";
import { notices } from "./notices.ts";
import { wordingFieldOf } from "./written-dates.ts";

/** `beside`: shown next to the form. `below`: sections below the form. Both contain their own forms. */
export function editorPage(view: View, editor: Editor, beside: Html | "", below: Html | "" = ""): Html {
  const { t, link, caller } = view;
  const { kind, row } = editor;
  const action = link(row ? pathInList(row, editor.list) : `${listPath(kind)}/new`);
  const maySave = mayDo(caller, row ? "update" : "create", kind);
  return html`<div class="bench">
    <form method="post" action="${action}" class="editor" data-editor="${row?.id ?? `new-${kind}`}" data-check="${maySave ? link(`${listPath(kind)}/check`) : ""}" data-title="${kinds[kind].titleField}" data-subtype="${kinds[kind].subtypeKey}" data-suggested="${t("editor.suggested")}" data-semicolon="${semicolonOf(t)}" data-keep="${t("editor.date.keep")}" novalidate>
      ${csrfField(view)}
      ${row ? html`<input type="hidden" name="version" value="${String(editor.version)}">` : ""}
      ${bar(view, editor, maySave)}
      ${notices(view, editor)}
      <div class="groups">${fieldGroups(view, editor)}</div>
      ${languageList}
    </form>
    ${beside}
    ${below === "" ? "" : html`<div class="below-form">${below}</div>`}
  </div>
  ${lookUpDialog(view, editor.fields)}`;
}

/** The name of the record, its status and the save button. Always in view. */
function bar(view: View, editor: Editor, maySave: boolean): Html {
  const { t, link, caller } = view;
  const { kind, row, title, values } = editor;
  const isOffered = mayPublish(caller, kind);
  const statuses = STATUSES.filter(
    (status) => status === values.status || status !== "public" || isOffered,
  ).map((status) => ({ value: status, label: t(`status.${status}`) }));
  return html`<div class="bar">
    <div class="what">
      <p class="crumbs"><a href="${link(listPath(kind))}">${t(`kind.${kind}`)}</a>${row ? html` <span aria-hidden="true">›</span> ${row.idno}` : ""} <span class="unsaved" role="status" data-unsaved hidden>${t("admin.unsaved")}</span></p>
      <h1 dir="auto">${row ? (title ?? t("style.untitled")) : t(`admin.new.${kind}`)}</h1>
    </div>
    ${select(editor, "status", t("admin.status"), values.status, statuses)}
    ${maySave ? html`<button>${t("admin.save")}</button>` : ""}
    ${maySave && isOffered && row?.status !== "public" ? html`<button class="quiet" name="publish" value="yes">${t("admin.saveAndPublish")}</button>` : ""}
  </div>`;
}

/** Fields with a value and those that the subtype shows first, by meaning. The others are behind “Add a field”. */
function fieldGroups(view: View, editor: Editor): Html {
  const { t } = view;
  const { kind, schema, values, fields, faults, more, conflict, row, hasMaker } = editor;
  const { titleField } = kinds[kind];
  const isOpen = ({ name, is_required }: Field) =>
    is_required ||
    name === titleField ||
    name === more ||
    (values.metadata[name]?.length ?? 0) > 0 ||
    conflict?.theirs.has(name) === true ||
    faults.some(({ pointer }) => pointer.startsWith(`/metadata_/${name}`));
  const makers = fields.filter(({ mapping }) => mapping.pattern === "creator_text").map(({ name }) => name);
  const form = (schema.subtypes.get(kind)?.get(values.subtype)?.form ?? []).filter(
    (name) => !hasMaker || !makers.includes(name),
  );
  const { shown, folded } = arranged(fields, form, isOpen);
  const control = (field: Field) =>
    fieldControls(
      view,
      stateOf(editor, field),
      row === null && faults.length === 0 && field.name === titleField,
    );
  return html`${shown.map(
    ({ group, fields: those }) => html`<section class="group" id="${group}" aria-labelledby="${group}-title">
      <h2 id="${group}-title">${t(`editor.group.${group}`)}</h2>
      <div class="fields">${those.filter(({ name }) => name === titleField).map(control)}${group === "identification" ? columns(view, editor) : ""}${those.filter(({ name }) => name !== titleField).map(control)}</div>
    </section>`,
  )}
  ${row ? "" : linksOfNew(view, editor)}
  ${
    folded.length === 0
      ? ""
      : html`<details class="folded add-field"><summary>${t("editor.addField")}</summary>
      ${folded.map(
        ({ group, fields: those }) => html`<div class="group">
          <h3>${t(`editor.group.${group}`)}</h3>
          <div class="chips">${those.map(
            (field) =>
              html`<details><summary>${icon("plus")}${labelIn(field.label, t.language, field.name)}</summary>${control(field)}</details>`,
          )}</div>
        </div>`,
      )}</details>`
  }`;
}

const linksOfNew = (view: View, { schema, kind, values, links, more, typed, faults }: Editor): Html =>
  html`<section class="group" id="links" aria-labelledby="links-title">
    <h2 id="links-title">${view.t("admin.links")}</h2>
    ${newLinks(view, schema, { record_type: kind, subtype: values.subtype }, { rows: links, more: more === "links", typed, faults })}
  </section>`;

function stateOf(
  { kind, fields, typed, values, faults, terms, more, conflict, told }: Editor,
  field: Field,
): FieldState {
  const theirs = conflict?.theirs.get(field.name);
  return {
    field,
    entries: values.metadata[field.name] ?? [],
    faults,
    terms: (field.vocabulary && terms.get(field.vocabulary)) || [],
    hasMore: more === field.name,
    typed,
    wording: field.field_type === "date" && wordingFieldOf(fields, field) !== undefined,
    ...(theirs
      ? { theirs: told(kind, field.name, theirs), isTheirs: conflict?.chosen.has(field.name) === true }
      : {}),
  };
}

/** The columns that every record of a kind has besides its fields. */
function columns(view: View, editor: Editor): Html {
  const { t } = view;
  const { kind, schema, values, row } = editor;
  const subtypes = subtypeChoices(view, schema, kind);
  return html`${column(editor, "idno", t("admin.number"), values.idno, row ? undefined : t("admin.numberHelp"))}
    ${select(editor, kinds[kind].subtypeKey, t("search.subtype"), values.subtype, subtypes)}
    ${kinds[kind].columns.map((name) => columnControl(view, editor, name))}`;
}

function columnControl(view: View, editor: Editor, name: KindColumn): Html {
  const { t } = view;
  const value = editor.values.columns[name] ?? "";
  const label = t(`column.${name}`);
  if (name === "collection_status")
    return select(editor, name, label, value, columnChoices(view, editor.schema, editor.kind, name));
  return column(editor, name, label, value, name === "parent_id" ? t("column.parentHelp") : undefined);
}

const TYPES: Partial<Record<string, string>> = { start_date: "date", end_date: "date", due_date: "date" };

function column({ faults, kind }: Editor, name: string, label: string, value: string, help?: string): Html {
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
  { faults }: Editor,
  name: string,
  label: string,
  value: string,
  options: readonly Option[],
): Html {
  const own = faults.filter(({ pointer }) => pointer === `/${name}`);
  return html`<div class="field"><label for="${name}">${label}</label>
    <select id="${name}" name="${name}" ${own.length > 0 ? html`aria-invalid="true" aria-describedby="${name}-help"` : ""}>${optionList(options, value)}</select>
    ${own.length > 0 ? html`<p id="${name}-help" class="fault">${own[0]!.detail}</p>` : ""}
  </div>`;
}
