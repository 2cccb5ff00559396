/** The pages of imports: the list of past ones, and the form for the meanings of columns. */

import { html } from "hono/html";
import { mayUse } from "../../caller.ts";
import type { Sample } from "../../imports/sample.ts";
import { UPSERT_STRATEGIES } from "../../imports/save/items.ts";
import { columnsPlainly } from "../../messages/unnamed-columns.ts";
import { csrfField, csrfQuery, faultNote, type Option, option, optionList } from "../../pages/forms.ts";
import { emptyState, paging } from "../../pages/parts.ts";
import type { Html, View } from "../../pages/view.ts";
import type { FaultJson } from "../../problem.ts";
import { isUndoable, type ListedImport } from "../../records/batch/imports-list.ts";
import { DATE_FORMATS } from "../../records/dates/readings.ts";
import type { Kind } from "../../records/kinds.ts";
import { languageList } from "../editor/controls.ts";
import { bulkPath, importsLabel, importsPath } from "../sections.ts";
import type { ColumnChoice } from "./form.ts";
import { sameNamesField } from "./same-names.ts";
import { readingFields, sheetForm } from "./sheets.ts";
import type { TargetGroup } from "./targets.ts";

/**
 * `job`: the job whose page shows the result, if it still exists and the reader may see it. `told`: what a batch edit did,
 * under the same conditions.
 */
type ShownImport = ListedImport & { job: string | undefined; told: string | undefined };

/** The messages for files that are not lists, shown before sending (`import-file.js`). */
const refusedFiles = ({ t }: View): Record<string, string> =>
  Object.fromEntries(
    [
      "png",
      "jpeg",
      "pdf",
      "gzip",
      "office",
      "xls",
      "doc",
      "encrypted",
      "ods",
      "numbers",
      "docx",
      "xlsm",
      "xlsb",
      "zip",
    ].map((format) => [format, t("fault.file.not_table", { name: t("admin.import.file"), format })]),
  );

export function importList(
  view: View,
  kinds: readonly Kind[],
  imports: readonly ShownImport[],
  number: number,
  pages: number,
): Html {
  const { t, link, formats } = view;
  const isOfEdits = importsLabel(view.caller) === "admin.edits";
  return html`${
    kinds.length === 0
      ? ""
      : html`<form class="drop" method="post" enctype="multipart/form-data" action="${link(`${importsPath}/files${csrfQuery(view)}`)}">
      <h2>${t("admin.import.new")}</h2><p>${t("admin.import.newText")}</p>
      <div class="filters">
        <label><span>${t("admin.import.kind")}</span><select name="type">${kinds.map((kind) => option(kind, t(`kind.${kind}`)))}</select></label>
        <label class="wide"><span>${t("admin.import.file")}</span><input type="file" name="file" accept=".xlsx,.csv,.tsv,.txt" required data-refused="${JSON.stringify(refusedFiles(view))}"></label>
        <button>${t("bulk.goOn")}</button>
      </div></form>`
  }
    ${
      imports.length === 0
        ? emptyState(
            t(isOfEdits ? "admin.edits.none" : "admin.import.none"),
            t(isOfEdits ? "admin.edits.noneText" : "admin.import.noneText"),
          )
        : html`<div class="scroll" tabindex="0" role="region" aria-label="${t(importsLabel(view.caller))}"><table class="tight">
      <thead><tr><th>${t("admin.import.file")}</th><th>${t("jobs.state")}</th><th><span class="hidden">${t("admin.imports.undo")}</span></th></tr></thead>
      <tbody>${imports.map(
        (
          one,
        ) => html`<tr><td dir="auto">${nameOf(view, one)} <small>${t(`kind.${one.record_type}`)} · <time datetime="${one.started_at}Z">${formats.time(one.started_at)}</time> · ${one.actor ?? "svc-manage"}</small></td>
          <td>${t(`importState.${one.state}`)} <small>${countsOf(view, one)}</small></td>
          <td>${!isUndoable(one) ? "" : html`<form method="post" action="${link(undoPath(view, one))}">${csrfField(view)}<button class="quiet small">${t("admin.imports.undo")}</button></form>`}</td></tr>`,
      )}</tbody></table></div>`
    }
    ${paging(view, number, pages, (next) => link(`${importsPath}?page=${next}`))}`;
}

const countsOf = ({ t, formats }: View, one: ShownImport): string =>
  COUNTED.filter((what) => one[what] > 0)
    .map((what) => `${t(`admin.import.${what}`)} ${formats.number(one[what])}`)
    .join(" · ");

/** Counts of rows by result. */
export const COUNTED = ["created", "updated", "unchanged", "skipped", "rejected"] as const;

export function nameOf({ t, link }: View, one: ShownImport): Html | string {
  if (one.filename !== null)
    return one.job === undefined
      ? one.filename
      : html`<a href="${link(`${importsPath}/jobs/${one.job}`)}">${one.filename}</a>`;
  if (one.source === "bulk") return t("admin.import.program");
  if (one.source !== "edit") return t("admin.import.hidden");
  return one.told === undefined
    ? t("bulk.title")
    : html`<a href="${link(bulkPath(one.record_type, one.id))}">${one.told}</a>`;
}

/** People without permission to import undo their batch edits on the page of the edit. */
const undoPath = ({ caller }: View, { id, record_type }: ListedImport): string =>
  mayUse(caller, "import:run") ? `${importsPath}/${id}/undo` : `${bulkPath(record_type, id)}/undo`;

export type MappingForm = {
  id: string;
  filename: string;
  kind: Kind;
  sample: Sample;
  columns: readonly { name: string; examples: readonly string[] }[];
  choices: readonly ColumnChoice[];
  targets: readonly TargetGroup[];
  subtypes: readonly Option[];
  options: ReadonlyMap<string, string>;
  faults: readonly FaultJson[];
  /** The applied mapping, and others that fit. */
  kept: Html;
  mayPublish: boolean;
  mayUpdate: boolean;
};

export function mappingPage(view: View, form: MappingForm): Html {
  const { t, link } = view;
  const { options } = form;
  return html`${sheetForm(view, form.id, form.sample)}<form class="editor" method="post" action="${link(`${importsPath}/files/${form.id}`)}">
    ${csrfField(view)}${readingFields(form.sample)}
    <div class="bar"><div class="what">
        <p class="crumbs"><a href="${link(importsPath)}">${t("admin.imports")}</a></p>
        <h1 dir="auto">${form.filename}</h1></div>
      <button>${t("admin.import.try")}</button>
      <button class="quiet" name="import" value="yes">${t("admin.import.run")}</button>
      ${leftOut(view, form)}
    </div>
    <p>${
      form.sample.choice
        ? t("admin.import.workbookText", { kind: t(`kind.one.${form.kind}`) })
        : t("admin.import.mapText", {
            kind: t(`kind.one.${form.kind}`),
            encoding: form.sample.encoding.toUpperCase(),
          })
    }</p>
    ${form.kept}
    ${faultNote(
      view,
      form.faults.map(({ detail, pointer }) => columnOf(view, pointer) + detail),
    )}
    <div class="scroll" tabindex="0" role="region" aria-label="${t("admin.import.columns")}"><table class="mapping">
      <thead><tr><th>${t("admin.import.column")}</th><th>${t("admin.import.examples")}</th><th>${t("admin.import.meaning")}<input type="search" data-find-target hidden placeholder="${t("admin.import.find")}" aria-label="${t("admin.import.find")}"></th><th>${t("admin.import.split")}</th><th>${t("admin.language")}</th><th>${t("admin.import.dates")}</th></tr></thead>
      <tbody>${form.columns.map((column, index) => columnRow(view, form, column, index))}</tbody>
    </table></div>
    <section class="group" aria-labelledby="options"><h2 id="options">${t("admin.import.options")}</h2>
      <div class="pairs">
        <div class="field"><label for="subtype">${t("admin.import.subtype")}</label><select id="subtype" name="subtype"><option value="">${t("admin.import.default")}</option>${optionList(form.subtypes, options.get("subtype"))}</select></div>
        ${
          form.mayUpdate
            ? html`<div class="field"><label for="upsert_strategy">${t("admin.import.existing")}</label><select id="upsert_strategy" name="upsert_strategy">${UPSERT_STRATEGIES.map((each) => option(each, t(`admin.import.${each}`), options.get("upsert_strategy")))}</select></div>`
            : ""
        }
        <div class="field"><label for="key">${t("admin.import.key")}</label><select id="key" name="key"><option value="">${t("admin.import.byNumber")}</option>${form.columns.map(({ name }) => option(name, columnsPlainly(t, name), options.get("key")))}</select></div>
      </div>
      <label class="tick"><input type="checkbox" name="only_link" value="yes" ${options.get("only_link") === "yes" ? html`checked` : ""}> ${t("admin.import.onlyLink")}</label>
      <label class="tick"><input type="checkbox" name="similar" value="yes" ${options.get("similar") === "yes" ? html`checked` : ""}> ${t("admin.import.similar")}</label>
      ${form.mayPublish ? html`<label class="tick"><input type="checkbox" name="auto_publish" value="yes" ${options.get("auto_publish") === "yes" ? html`checked` : ""}> ${t("admin.import.publish")}</label>` : ""}
      ${sameNamesField(view, options.get("same"))}
      <div class="field"><label for="keep_as">${t("mappings.keepAs")}</label><p class="help" id="keep_as-help">${t("mappings.keepHelp")}</p><input id="keep_as" name="keep_as" value="${options.get("keep_as") ?? ""}" maxlength="100" aria-describedby="keep_as-help"></div>
    </section>
    ${languageList}
  </form>`;
}

/** The columns without a meaning, next to the buttons. The script keeps it up to date. */
function leftOut({ t }: View, { columns, choices }: MappingForm): Html {
  const left = columns.filter((_, index) => choices[index]!.target === "");
  const names = left.map(({ name }) => columnsPlainly(t, name));
  return html`<p class="left-out" data-left-out ${names.length === 0 ? html`hidden` : ""}>${t("admin.import.leftOut")} <b dir="auto">${names.join(" · ")}</b></p>`;
}

function columnRow(
  view: View,
  { choices, targets }: MappingForm,
  { name: written, examples }: MappingForm["columns"][number],
  index: number,
): Html {
  const { t } = view;
  const name = columnsPlainly(t, written);
  const { target, split, lang, format } = choices[index]!;
  const label = (what: string) => `${what}${t("form.colon")} ${name}`;
  return html`<tr><th scope="row" dir="auto" data-column>${name}</th>
    <td class="help" dir="auto">${examples.map((text) => html`<div class="example">${text.length > 80 ? `${text.slice(0, 79)}…` : text}</div>`)}</td>
    <td><select name="target/${index}" aria-label="${label(t("admin.import.meaning"))}"><option value="">${t("admin.import.leaveOut")}</option>
      ${targets.map(({ label, choices }) => html`<optgroup label="${label}">${choices.map(({ value, label: name, isDate }) => html`<option value="${value}" ${value === target ? html`selected` : ""}${isDate ? html` class="date"` : ""}>${name}</option>`)}</optgroup>`)}</select>${levelsTick(view, target, index, examples)}</td>
    <td><input name="split/${index}" value="${split}" maxlength="10" size="3" aria-label="${label(t("admin.import.split"))}"></td>
    <td><input name="lang/${index}" value="${lang}" maxlength="35" size="5" list="languages" aria-label="${label(t("admin.language"))}"></td>
    <td><select class="dates" name="format/${index}" aria-label="${label(t("admin.import.dates"))}"><option value="">${t("admin.import.format.guess")}</option>${DATE_FORMATS.map((each) => option(each, t(`admin.import.format.${each}`), format))}</select></td></tr>`;
}

/** For a column of storage locations whose cells look like "Depot 1, Shelf 3". */
function levelsTick({ t }: View, target: string, index: number, examples: readonly string[]): Html | "" {
  const many = examples.filter((cell) => /[^\s,]\s*,\s*[^\s,]/.test(cell));
  const isOffered = /^__relation:.*:storage_location__$/.test(target) && many.length * 2 > examples.length;
  if (!isOffered) return "";
  const [example = ""] = many;
  const at = example.lastIndexOf(",");
  const parts = { example, inner: example.slice(at + 1).trim(), outer: example.slice(0, at).trim() };
  return html`<label class="tick"><input type="checkbox" name="levels/${index}" value="${target}"> ${t("admin.import.asLevels", parts)}</label>`;
}

/** A fault of the mapping points to its column (RFC 6901). */
function columnOf(view: View, pointer: string): string {
  const column = /^\/mapping\/([^/]+)/.exec(pointer)?.[1];
  if (column === undefined) return "";
  return `${columnsPlainly(view.t, column.replaceAll("~1", "/").replaceAll("~0", "~"))}${view.t("form.colon")} `;
}
