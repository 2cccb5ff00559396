/** The controls of the editor, made from the schema: one for each value, with its faults below. */

import { html } from "hono/html";
import { SOURCES } from "../../authorities/authority.ts";
import { mayUse } from "../../caller.ts";
import { withSemicolons } from "../../messages/semicolons.ts";
import { type Option, optionList } from "../../pages/forms.ts";
import { icon } from "../../pages/icons.ts";
import { labelIn } from "../../pages/texts.ts";
import type { Html, View } from "../../pages/view.ts";
import type { FaultJson } from "../../problem.ts";
import { kinds } from "../../records/kinds.ts";
import type { Entry } from "../../records/record.ts";
import { type Field, isNeededToPublish, type Labels } from "../../records/schema.ts";
import { shownMeasure } from "../measures.ts";
import { readingOf } from "./check.ts";
import { isOfRights, rightsControl } from "./rights-control.ts";
import type { Typed } from "./typed-terms.ts";
import { entryName } from "./values.ts";

/** Fields of larger vocabularies are inputs with suggestions, not selects. */
export const MOST_CHOICES = 300;
/** Longer texts (in characters) get several lines. */
const ONE_LINE = 120;
/** Longer texts (in characters) get the full width. */
const WIDE = 40;

export type TermChoice = { value: string; label: Labels };

export type FieldState = {
  field: Field;
  entries: readonly Entry[];
  faults: readonly FaultJson[];
  /** Terms of its vocabulary; more than `MOST_CHOICES` if there are too many for a select. */
  terms: readonly TermChoice[];
  /** Adds one empty row, because somebody asked for it. */
  hasMore: boolean;
  typed: Typed;
  /** Whether another field holds the wording of this date. */
  wording?: boolean;
  /** The values that somebody else saved in the meantime, in words, if both changed the field. */
  theirs?: string;
  /** Whether to keep that value. */
  isTheirs?: boolean;
};

/** The label of a field; staff-only fields and those needed for publication say so. */
function fieldLabel({ t }: View, field: Field): Html {
  const marks = [
    isNeededToPublish(field) && t("admin.requiredToPublish"),
    !field.is_public && t("admin.staffOnly"),
  ].filter((mark) => mark !== false);
  return html`${labelIn(field.label, t.language, field.name)}${marks.length > 0 ? html` <small>(${withSemicolons(t, marks)})</small>` : ""}`;
}

/** @param isFirst whether the field gets the focus */
export function fieldControls(view: View, state: FieldState, isFirst = false): Html {
  const { t } = view;
  const { field, entries, hasMore } = state;
  const isList = field.is_repeatable || field.is_translatable || entries.length > 1;
  const rows: (Entry | null)[] = [...entries, ...(entries.length === 0 || hasMore ? [null] : [])];
  const help = labelIn(field.help, t.language, "");
  const helpId = `help-${field.name}`;
  const told = html`${help === "" ? "" : html`<p class="help" id="${helpId}">${help}</p>`}`;
  const inner = rows.map((entry, index) =>
    row(view, state, entry, index, isList, help === "" ? "" : helpId, isFirst && index === 0),
  );
  const others = state.faults
    .filter(({ pointer }) => pointer === `/metadata_/${field.name}`)
    .map(({ detail }) => html`<p class="fault">${detail}</p>`);
  const hasOffers = field.field_type === "vocab_free" && state.terms.length <= MOST_CHOICES;
  const offers = hasOffers
    ? html`<datalist id="terms-${field.name}">${offered(view, state.terms)}</datalist>`
    : "";
  const isWide =
    field.field_type === "richtext" ||
    field.name === kinds[field.record_type].titleField ||
    (field.is_translatable && entries.length > 1) ||
    entries.some(({ value }) => value.length > WIDE);
  const wide = isWide ? html`data-wide` : "";
  if (!isList) {
    return html`<div class="field" data-type="${field.field_type}" id="metadata_/${field.name}" ${wide}>
      <label for="${entryName(field.name, 0, "value")}">${fieldLabel(view, field)}</label>${told}${inner}${offers}${others}${theirs(view, state)}</div>`;
  }
  return html`<div class="field" role="group" aria-labelledby="label-${field.name}" data-type="${field.field_type}" data-field="${field.name}" id="metadata_/${field.name}" ${wide}>
    <p class="legend" id="label-${field.name}">${fieldLabel(view, field)}</p>${told}
    <div class="entries">${inner}</div>${offers}${others}${theirs(view, state)}
    <button class="quiet small" name="more" value="${field.name}" formnovalidate title="${t("admin.another")}">${icon("plus")}<span class="hidden">${t("admin.another")}</span></button>
  </div>`;
}

/** Somebody else changed the field, too: asks which value to keep. */
function theirs({ t }: View, { field, theirs: other, isTheirs = false }: FieldState): Html {
  if (other === undefined) return html``;
  const name = `keep/${field.name}`;
  return html`<div class="note warning"><fieldset class="choice"><legend>${t("admin.conflict.field")}</legend>
    <label><input type="radio" name="${name}" value="mine" ${isTheirs ? "" : html`checked`}> ${t("admin.conflict.mine")}</label>
    <label><input type="radio" name="${name}" value="theirs" ${isTheirs ? html`checked` : ""}> ${t("admin.conflict.theirs")} <q dir="auto">${other || t("admin.empty")}</q></label>
  </fieldset></div>`;
}

function row(
  view: View,
  state: FieldState,
  entry: Entry | null,
  index: number,
  isList: boolean,
  helpId: string,
  isFirst: boolean,
): Html {
  const { t } = view;
  const { field, faults } = state;
  const name = entryName(field.name, index, "value");
  const own = faults.filter(({ pointer }) => pointer.startsWith(`/metadata_/${field.name}/${index}`));
  const label = labelIn(field.label, t.language, field.name);
  const described = [helpId, own.length > 0 ? `${name}-fault` : ""].filter(Boolean).join(" ");
  const shared = html`id="${name}" name="${name}" dir="auto" ${isList ? html`aria-label="${`${label} ${index + 1}`}"` : ""} ${
    described ? html`aria-describedby="${described}"` : ""
  } ${own.length > 0 ? html`aria-invalid="true"` : ""} ${isFirst ? html`autofocus` : ""} placeholder=" " ${entry?.lang ? html`lang="${entry.lang}"` : ""}`;
  return html`<div class="entry">
    ${control(view, state, shared, entry?.value ?? "", state.typed.labels.get(name))}
    ${lookUpButton(view, field, label)}
    ${field.is_translatable ? languageControl(view, field, index, entry) : ""}
    ${isList ? html`<button type="button" class="quiet icon-only" data-remove hidden aria-label="${t("admin.remove", { what: `${label} ${index + 1}` })}">${icon("cross")}</button>` : ""}
    ${
      own.length > 0
        ? html`<p class="fault" id="${name}-fault">${withSemicolons(
            t,
            own.map(({ detail }) => detail),
          )}</p>`
        : ""
    }
    ${own.length > 0 && state.wording ? html`<button class="quiet small" name="wording" value="${name}" formnovalidate>${t("editor.date.keep")}</button>` : ""}
    ${unlistedNote(view, state, name)}
    ${field.field_type === "date" ? html`<output class="help" for="${name}" data-reading>${readingOf(t, entry?.value ?? "")}</output>` : ""}
  </div>`;
}

/** The script shows and hides it during typing. */
function unlistedNote(
  view: View,
  { field, terms, typed: { unlisted } }: FieldState,
  name: string,
): Html | "" {
  const { t, caller } = view;
  const isTyped = field.field_type === "vocab_free" || terms.length > MOST_CHOICES;
  if (field.vocabulary === null || isOfRights(field)) return "";
  if (!isTyped && !unlisted.has(name)) return newTerm(view, field, name);
  return html`<p class="help" data-unlisted ${unlisted.has(name) ? "" : html`hidden`}>${t(field.field_type === "vocab" ? "editor.term.unlisted" : "editor.term.free")}
    ${mayUse(caller, "schemas:manage") ? html`<button class="quiet small" name="term" value="${name}" formnovalidate>${t("editor.term.add")}</button>` : ""}</p>`;
}

/** Adds a term that a select does not offer. */
function newTerm({ t, caller }: View, field: Field, name: string): Html | "" {
  if (!mayUse(caller, "schemas:manage")) return "";
  const label = `${labelIn(field.label, t.language, field.name)}${t("form.colon")} ${t("editor.term.new")}`;
  return html`<details class="new-term"><summary>${t("editor.term.new")}</summary><input name="${name.replace(/value$/, "new")}" aria-label="${label}" autocomplete="off">
    <button class="quiet small" name="term" value="${name}" formnovalidate>${t("editor.term.add")}</button></details>`;
}

function languageControl({ t }: View, field: Field, index: number, entry: Entry | null): Html {
  const name = entryName(field.name, index, "lang");
  return html`<input class="language" name="${name}" value="${entry?.lang ?? ""}" maxlength="35" list="languages"
    aria-label="${t("admin.language")}" placeholder="${t("admin.language")}" autocapitalize="none" spellcheck="false">`;
}

/** @param label of the term that is the value */
function control(view: View, state: FieldState, shared: Html, value: string, label = value): Html {
  const { field, terms } = state;
  if (isOfRights(field)) return rightsControl(view, shared, value, terms.length <= MOST_CHOICES ? terms : []);
  switch (field.field_type) {
    case "richtext":
      return html`<textarea ${shared} rows="4">${value}</textarea>`;
    case "boolean":
      return choices(view, shared, value, [
        { value: "true", label: view.t("record.yes") },
        { value: "false", label: view.t("record.no") },
      ]);
    case "vocab":
      return terms.length <= MOST_CHOICES
        ? choices(view, shared, value, labelled(view, terms))
        : typedTerm(field, shared, label);
    case "vocab_free":
      if (terms.length > MOST_CHOICES) return typedTerm(field, shared, label);
      return html`<input ${shared} value="${label}" list="terms-${field.name}" autocomplete="off">`;
    case "relation":
      return html`<input ${shared} value="${value}" data-pick="id" autocomplete="off">`;
    case "number":
      return html`<input ${shared} value="${value}" inputmode="decimal">`;
    case "url":
      return html`<input ${shared} value="${value}" inputmode="url">`;
    case "measurement":
      return text(shared, shownMeasure(view, value));
    case "date":
      return html`<input ${shared} value="${value}" data-date autocomplete="off">`;
    default:
      return text(shared, value);
  }
}

const text = (shared: Html, value: string): Html =>
  value.length > ONE_LINE || value.includes("\n")
    ? html`<textarea ${shared} rows="3">${value}</textarea>`
    : html`<input ${shared} value="${value}">`;

/** Each by its label, if no other is called so. */
function offered({ t }: View, terms: readonly TermChoice[]): Html[] {
  const labels = terms.map(({ label }) => label[t.language]);
  const taken = [...labels, ...terms.filter(({ value }, i) => value !== labels[i]).map(({ value }) => value)];
  const count = new Map<string | undefined, number>();
  for (const name of taken) count.set(name, (count.get(name) ?? 0) + 1);
  return terms.map(({ value, label }, i) =>
    labels[i] && count.get(labels[i]) === 1
      ? html`<option value="${labels[i]}"></option>`
      : html`<option value="${value}">${labelIn(label, t.language, "")}</option>`,
  );
}

/** The script suggests terms that contain the typed text. */
const typedTerm = ({ vocabulary }: Field, shared: Html, value: string): Html =>
  html`<input ${shared} value="${value}" data-terms="${vocabulary}" data-by-label autocomplete="off">`;

/** The authority file for the identifiers of a field: `gnd`, `maker_gnd`. */
const sourceOf = ({ name, field_type }: Field) =>
  field_type === "authority" ? SOURCES.find((source) => name.split("_").at(-1) === source) : undefined;

/** The script shows it, because looking up next to the form needs one. */
function lookUpButton({ t, caller }: View, field: Field, label: string): Html {
  const source = sourceOf(field);
  if (source === undefined || !mayUse(caller, "authority:read")) return html``;
  return html`<button type="button" class="quiet" data-look-up="${source}" hidden>${icon("search")}<span class="hidden">${label}${t("form.colon")} </span>${t("editor.lookUp")}</button>`;
}

/** One dialog for all fields of the form. */
export function lookUpDialog({ t }: View, fields: readonly Field[]): Html {
  if (!fields.some((field) => sourceOf(field))) return html``;
  return html`<dialog class="look-up" id="look-up" aria-labelledby="look-up-title" data-searching="${t("editor.lookUp.searching")}"
      data-nothing="${t("editor.lookUp.nothing")}" data-failed="${t("editor.lookUp.failed")}" data-taken="${t("editor.lookUp.taken")}">
    <form class="row" method="dialog">
      <h2 id="look-up-title">${t("editor.lookUp.title")} <span data-source></span></h2>
      <input type="search" maxlength="200" aria-label="${t("editor.lookUp.words")}" autocomplete="off">
      <button value="search">${t("search.button")}</button>
      <button class="quiet" value="cancel" formnovalidate>${t("editor.cancel")}</button>
    </form>
    <p role="status" class="help"></p>
    <ul class="plain"></ul>
  </dialog>`;
}

const labelled = ({ t }: View, terms: readonly TermChoice[]) =>
  terms.map(({ value, label }) => ({ value, label: labelIn(label, t.language, value) }));

/** Still offers a saved value that was removed from the vocabulary, so that saving other fields does not lose it. */
function choices({ t }: View, shared: Html, value: string, options: readonly Option[]): Html {
  const isKnown = value === "" || options.some((one) => one.value === value);
  const all = [...(isKnown ? [] : [{ value, label: value }]), ...options];
  return html`<select ${shared}><option value="">${t("admin.notSet")}</option>${optionList(all, value)}</select>`;
}

const LANGUAGES = "en de fr it es nl la grc el ar he ru uk pl zh ja".split(" ");

/** Suggestions for fields of a language (`list="languages"`). */
export const languageList = html`<datalist id="languages">${LANGUAGES.map((tag) => html`<option value="${tag}"></option>`)}</datalist>`;
