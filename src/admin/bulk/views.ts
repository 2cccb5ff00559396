/** The pages of a batch edit: the choice of an edit, the new value, and the preview. */

import { html } from "hono/html";
import { type Said, say } from "../../messages/said.ts";
import type { MessageKey } from "../../messages/translate.ts";
import { csrfField, faultSummary, type Option, option, optionList } from "../../pages/forms.ts";
import { note } from "../../pages/parts.ts";
import type { Html, View } from "../../pages/view.ts";
import type { FaultJson } from "../../problem.ts";
import { mayMove } from "../../procedures/move.ts";
import type { Edit, EditPlan } from "../../records/batch/edit-plan.ts";
import { kinds, STATUSES } from "../../records/kinds.ts";
import { STORED_AT } from "../../records/links/places.ts";
import type { RecordRow } from "../../records/record.ts";
import { fieldsOf, type Schema } from "../../records/schema.ts";
import { mayPublish, visibleFields } from "../../records/visibility.ts";
import { moveInputs } from "../care/move-form.ts";
import { fieldControls, languageList, type TermChoice } from "../editor/controls.ts";
import type { Typed } from "../editor/typed-terms.ts";
import type { Values } from "../editor/values.ts";
import { columnChoices, namePlainly } from "../field-names.ts";
import { titleOf } from "../record-names.ts";
import { bulkPath, listPath, recordPath } from "../sections.ts";
import { bulkColumns, bulkLinks, describeEdit, difference, type Preview, publishes } from "./form.ts";
import { MOST_SHOWN, recordsSection } from "./outcome.ts";
import type { Choice } from "./store.ts";

export type Kept = { id: string; choice: Choice };

export function crumbs({ t, link }: View, { kind, back }: Pick<Choice, "kind" | "back">): Html {
  const list = link(back === "" ? listPath(kind) : `${listPath(kind)}?${back}`);
  return html`<p class="crumbs"><a href="${list}">${t(`kind.${kind}`)}</a></p>`;
}

const select = (name: string, label: string, options: readonly Option[]): Html =>
  html`<label><span>${label}</span><select name="${name}">${optionList(options)}</select></label>`;

/** All edits that are possible for the selection. `asked`: the edit that was sent and has these faults. */
export function choicePage(
  view: View,
  schema: Schema,
  {
    id,
    choice,
    asked,
    faults,
    mayTrash,
  }: Kept & { asked: string; faults: readonly FaultJson[]; mayTrash: boolean },
): Html {
  const { t, link, caller } = view;
  const { kind, total } = choice;
  const here = link(bulkPath(kind, id));
  const fields = visibleFields(schema, caller, kind);
  const named = (name: string): Option => ({ value: name, label: namePlainly(view, schema, kind, name) });
  const moves = kind === "object" && mayMove(schema, caller);
  const links = bulkLinks(view, schema, kind).filter(({ name }) => !moves || name !== STORED_AT);
  const statuses = STATUSES.filter((status) => status !== "public" || mayPublish(caller, kind));
  const parts = ["status", moves && "move", links.length > 0 && "link", mayTrash && "trash"];
  const post = (what: string, content: Html) =>
    html`${what === asked ? faultSummary(view, [], faults) : ""}<form class="filters" method="post" action="${here}#${what}">${csrfField(view)}<input type="hidden" name="what" value="${what}">${content}</form>`;
  const go = html`<button class="quiet">${t("bulk.goOn")}</button>`;
  return html`<div>${crumbs(view, choice)}<h1>${t("bulk.title")}</h1>
      <p class="help">${t("bulk.chosen", { count: total })} ${t("bulk.text")}</p></div>
    ${parts.includes(asked) ? "" : faultSummary(view, [], faults)}
    <section class="group" aria-labelledby="bulk-field"><h2 id="bulk-field">${t("bulk.field")}</h2>
      <form class="filters" action="${here}">
        <label class="wide"><span>${t("admin.field")}</span><select name="field">${optionList([...bulkColumns(kind), ...fields.map(({ name }) => name)].map(named))}</select></label>
        ${select(
          "what",
          t("bulk.how"),
          (["set", "add", "empty"] as const).map((what) => ({ value: what, label: t(`bulk.${what}`) })),
        )}
        ${go}</form></section>
    <section class="group" id="status" aria-labelledby="bulk-status"><h2 id="bulk-status">${t("admin.status")}</h2>
      ${post(
        "status",
        html`<label><span>${t("bulk.status")}</span><select name="status" required><option value="">–</option>${statuses.map((status) => option(status, t(`status.${status}`)))}</select></label>${go}`,
      )}</section>
    ${
      moves
        ? html`<section class="group" id="move" aria-labelledby="bulk-move"><h2 id="bulk-move">${t("bulk.move")}</h2>
      ${post("move", html`${moveInputs(view, "move")}${go}`)}</section>`
        : ""
    }
    ${
      links.length === 0
        ? ""
        : html`<section class="group" id="link" aria-labelledby="bulk-link"><h2 id="bulk-link">${t("bulk.link")}</h2>
      ${post(
        "link",
        html`<label><span>${t("admin.link.type")}</span><select name="relation_type">${links.map(({ name, label, to }) => html`<option value="${name}" data-to="${to.map((other) => kinds[other].plural).join(",")}">${label}</option>`)}</select></label>
        <label class="wide"><span>${t("admin.link.to")}</span><input name="to" required maxlength="200" autocomplete="off" data-pick="by:relation_type"></label>${go}`,
      )}</section>`
    }
    ${
      mayTrash
        ? html`<section class="group" id="trash" aria-labelledby="bulk-trash"><h2 id="bulk-trash">${t("bulk.trash")}</h2>
      <p class="help">${t("admin.delete.text")}</p>
      ${post("trash", html`<label class="tick"><input type="checkbox" name="force" value="yes"> ${t("bulk.force")}</label>${go}`)}</section>`
        : ""
    }`;
}

type ValueForm = Kept & {
  fields: ReadonlyMap<string, string>;
  values: Values;
  terms: ReadonlyMap<string, readonly TermChoice[]>;
  typed: Typed;
  faults: readonly FaultJson[];
};

/** The page that asks for the new value of a field. */
export function valuePage(
  view: View,
  schema: Schema,
  { id, choice, fields, values, terms, typed, faults }: ValueForm,
): Html {
  const { t, link } = view;
  const { kind, total } = choice;
  const name = fields.get("field") ?? "";
  const field = fieldsOf(schema, kind).get(name);
  const what = (["add", "empty"] as const).find((each) => each === fields.get("what")) ?? "set";
  const control =
    what === "empty" && field
      ? html`<p>${t("bulk.told.empty", { field: namePlainly(view, schema, kind, name) })}</p>`
      : field
        ? fieldControls(view, {
            field,
            entries: values.metadata[name] ?? [],
            faults,
            terms: (field.vocabulary && terms.get(field.vocabulary)) || [],
            typed,
            hasMore: fields.get("more") === name,
          })
        : html`<div class="filters">${select("value", namePlainly(view, schema, kind, name), columnChoices(view, schema, kind, name))}</div>`;
  return html`<div>${crumbs(view, choice)}<h1>${namePlainly(view, schema, kind, name)}${t("form.colon")} ${t(`bulk.${what}`)}</h1>
      <p class="help">${t("bulk.chosen", { count: total })}</p></div>
    ${faultSummary(view, [], faults)}
    <form class="stack" method="post" action="${link(bulkPath(kind, id))}">${csrfField(view)}
      <input type="hidden" name="field" value="${name}"><input type="hidden" name="what" value="${field ? what : "set"}">
      ${control}
      <div class="row"><button>${t("bulk.preview")}</button><a class="button quiet" href="${link(bulkPath(kind, id))}?choose">${t("bulk.other")}</a></div>
      ${languageList}
    </form>`;
}

function runLabel(edit: Edit): MessageKey {
  if (edit.what === "trash") return "bulk.runTrash";
  if (edit.what === "status" && edit.only) return "bulk.runUnpublish";
  return publishes(edit) ? "bulk.runPublish" : "bulk.run";
}

export function previewPage(
  view: View,
  schema: Schema,
  { id, choice, edit, preview, drafts }: Kept & { edit: Edit; preview: Preview; drafts: Html | string },
): Html {
  const { t, link, formats } = view;
  const { kind, total } = choice;
  const { tried, plans, end, told } = preview;
  const changes = plans.filter((plan) => plan.what === "change");
  const refused = plans.filter((plan) => plan.what === "refused");
  const same = plans.filter((plan) => plan.what === "same");
  const counts = [
    ["bulk.wouldChange", changes.length],
    ["bulk.same", same.length],
    ["bulk.left", refused.length + tried - plans.length],
  ] as const;
  const isAll = tried === total;
  const here = link(bulkPath(kind, id));
  return html`<div>${crumbs(view, choice)}<h1>${t("bulk.preview")}</h1>
      <p class="lead" dir="auto">${describeEdit(view, schema, kind, edit, end, told)}</p></div>
    ${isAll ? (changes.length === 0 ? note("information", t("bulk.nothing")) : "") : note("information", t("bulk.first", { tried, total }))}
    <dl class="tally">${counts.map(([label, n]) => html`<div><dt>${t(label)}</dt><dd>${formats.number(n)}</dd></div>`)}</dl>
    ${drafts}
    <div class="row">
      ${
        isAll && changes.length === 0
          ? ""
          : html`<form method="post" action="${here}/run">${csrfField(view)}<button class="${edit.what === "trash" ? "danger" : ""}">${isAll ? t(runLabel(edit), { count: changes.length }) : t("bulk.runAll")}</button></form>`
      }
      <a class="button quiet" href="${here}?choose">${t("bulk.other")}</a>
    </div>
    ${changes.length === 0 ? "" : changesTable(view, schema, edit, changes, preview)}
    ${notChanged(view, schema, "bulk.wouldBeLeft", refused)}
    ${notChanged(view, schema, "bulk.same", same)}`;
}

/** Unchanged records for which there is a reason to show. */
function notChanged(
  view: View,
  schema: Schema,
  title: MessageKey,
  plans: readonly { row: RecordRow; reason?: Said }[],
): Html {
  const left = plans.flatMap(({ row, reason }) => {
    if (!reason) return [];
    const { id, record_type, idno } = row;
    const why = say(view.t, reason, (name) => namePlainly(view, schema, record_type, name));
    return [{ id, record_type, idno, title: titleOf(view, schema, row) ?? "", reason: why }];
  });
  return recordsSection(view, view.t(title), left, left.length);
}

function changesTable(
  view: View,
  schema: Schema,
  edit: Edit,
  changes: readonly Extract<EditPlan, { what: "change" }>[],
  preview: Preview,
): Html {
  const { t, link } = view;
  const hasValues = edit.what !== "trash";
  return html`<section class="group"><h2 id="bulk-changes">${t("bulk.wouldChange")}</h2>
    ${changes.length > MOST_SHOWN ? html`<p class="help">${t("bulk.shown", { shown: MOST_SHOWN, all: changes.length })}</p>` : ""}
    <div class="scroll" tabindex="0" role="region" aria-labelledby="bulk-changes"><table>
    <thead><tr><th>${t("admin.number")}</th><th>${t("admin.name")}</th>${hasValues ? html`<th>${t("admin.before")}</th><th>${t("admin.after")}</th>` : ""}</tr></thead>
    <tbody>${changes.slice(0, MOST_SHOWN).map((plan) => {
      const { row } = plan;
      const told = difference(view, edit, plan, preview);
      return html`<tr><td class="nowrap"><a href="${link(recordPath(row.record_type, row.id))}">${row.idno}</a></td>
        <td dir="auto">${titleOf(view, schema, row) ?? t("style.untitled")}</td>
        ${told ? html`<td dir="auto">${told.before === "" ? "–" : html`<del>${told.before}</del>`}</td><td dir="auto">${told.after === "" ? "–" : html`<ins>${told.after}</ins>`}</td>` : ""}</tr>`;
    })}</tbody></table></div></section>`;
}
