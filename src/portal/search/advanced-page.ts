/** The advanced search: conditions on fields, as a form that works without scripts. It leads to the search page. */

import { html } from "hono/html";
import { VISITOR } from "../../caller.ts";
import type { Api } from "../../http/endpoint.ts";
import type { Said } from "../../messages/said.ts";
import { faultSummary } from "../../pages/forms.ts";
import { type Pages, pageAnswer, redirectTo } from "../../pages/page.ts";
import { page } from "../../pages/routes.ts";
import { langOf, type Text } from "../../pages/texts.ts";
import type { Html, View } from "../../pages/view.ts";
import { type Fault, type FaultJson, faultsJson, Problem } from "../../problem.ts";
import type { Kind } from "../../records/kinds.ts";
import { currentSchema, type Schema } from "../../records/schema.ts";
import { OPS } from "../../search/clause.ts";
import { visibleFieldNames } from "../../search/field-reader.ts";
import { readSearch } from "../../search/request.ts";
import type { Services } from "../../services.ts";
import {
  asParams,
  clauseParts,
  LONGEST_QUERY,
  OFFERED,
  readSearchState,
  type SearchState,
  searchAddress,
  searchOf,
} from "./address.ts";
import { hiddenInputs } from "./box.ts";
import { fieldLabel } from "./chips.ts";

/** The rows of the form at first, and how many each request for more adds. */
const ROWS = 3;
const MORE_ROWS = 3;
const MOST_ROWS = 20;

type Row = ReturnType<typeof clauseParts>;

export function advancedPageRoutes(api: Api, pages: Pages): void {
  page(api, pages, {
    path: "/search/advanced",
    summary: "Search what is public, field by field",
    access: "public",
    async show(view) {
      const params = new URL(view.c.req.url).searchParams;
      const asked = readSearchState(params);
      const rows = [...asked.clauses.map(clauseParts), ...readRows(params)].slice(0, MOST_ROWS);
      const state = { ...asked, clauses: rows.filter(isFilled).map(clauseOf) };
      const schema = await currentSchema(api.services.sql);
      const isSent = params.has("find");
      const faults = isSent ? faultsOf(api.services, schema, state) : [];
      if (isSent && faults.length === 0) return redirectTo(view, searchAddress(state));
      return pageAnswer(view, {
        title: view.t("advanced.title"),
        status: faults.length > 0 ? 422 : 200,
        head: html`<link rel="stylesheet" href="${view.asset("search.css")}"><meta name="robots" content="noindex">`,
        content: form(view, schema, state, rows, params.has("more"), inWords(view, schema, faults)),
      });
    },
  });
}

/** The form sends three lists of the same length. */
function readRows(params: URLSearchParams): Row[] {
  const [ops, values] = [params.getAll("op"), params.getAll("value")];
  return params.getAll("field").map((field, index) => ({
    field,
    op: ops[index] ?? "",
    value: (values[index] ?? "").trim().slice(0, LONGEST_QUERY),
  }));
}

const needsNoValue = (op: string): boolean => op === "exists" || op === "missing";
const isFilled = ({ field, op, value }: Row): boolean => field !== "" && (value !== "" || needsNoValue(op));

/** People write `1900-1920`; the search expects two dots. */
function clauseOf({ field, op, value }: Row): string {
  if (needsNoValue(op)) return `${field}:${op}`;
  const isSpan = op === "between" && !value.includes("..");
  return `${field}:${op}:${isSpan ? value.replace(/^(-?\d+)\s*[-–—]\s*(-?\d+)$/, "$1..$2") : value}`;
}

function faultsOf({ config }: Services, schema: Schema, state: SearchState): readonly Fault[] {
  const { params, clauses, portal, lenient } = searchOf(state, [], 1);
  try {
    readSearch(schema, VISITOR, params, clauses, {
      publicCollectionStatuses: config.publicCollectionStatuses,
      portal,
      lenient,
      stems: () => [],
    });
    return [];
  } catch (error) {
    if (error instanceof Problem && error.errors) return error.errors;
    throw error;
  }
}

/** The faults in the words of the page, which does not show of what a clause is made. */
function inWords(view: View, schema: Schema, faults: readonly Fault[]): FaultJson[] {
  const label = (field: string) => fieldLabel(view, schema, field).value;
  const plain = faults.map(({ pointer, detail }) => ({ pointer, detail: plainly(view, label, detail) }));
  return faultsJson(view.t, plain, label);
}

function plainly({ t }: View, label: (field: string) => string, told: Said): Said {
  const { clause, fault } = told.values ?? {};
  if (typeof clause !== "string" || typeof fault !== "object") return told;
  const { field, op, value } = clauseParts(clause);
  const known = OPS.find((each) => each === op);
  if (!known) return told;
  const word = t(`op.${known}`);
  const words = `${label(field)} ${word} ${value}`.trimEnd();
  return { ...told, values: { clause: words, fault: { ...fault, values: { ...fault.values, op: word } } } };
}

function form(
  view: View,
  schema: Schema,
  state: SearchState,
  rows: readonly Row[],
  wantsMore: boolean,
  faults: readonly FaultJson[],
): Html {
  const { t, link } = view;
  const empty = { field: "", op: "contains", value: "" };
  const many = Math.min(Math.max(ROWS, rows.length + (wantsMore ? MORE_ROWS : 0)), MOST_ROWS);
  const all = [...rows, ...Array.from({ length: many - rows.length }, () => empty)];
  const fields = fieldOptions(view, schema);
  const option = (value: string, words: string | Text, isChosen: boolean) => {
    const { value: said, ...more } = typeof words === "string" ? { value: words } : words;
    return html`<option value="${value}"${langOf(view, more)} ${isChosen ? html`selected` : ""}>${said}</option>`;
  };
  const kept = asParams({ ...state, q: "", type: "", clauses: [], any: false });
  return html`<section class="stack">
    <h1>${t("advanced.title")}</h1>
    <p>${t("advanced.lead")}</p>
    ${faultSummary(view, [], faults)}
    <form action="${link("/search/advanced")}" class="advanced">
      ${hiddenInputs(kept)}
      <div class="field"><label for="q">${t("advanced.words")}</label><input id="q" name="q" type="search" value="${state.q}" maxlength="${LONGEST_QUERY}"></div>
      <div class="field"><label for="type">${t("search.kind")}</label><select id="type" name="type">
        ${option("", t("search.all"), state.type === "")}${OFFERED.map((kind) => option(kind, t(`kind.${kind}`), kind === state.type))}</select></div>
      <fieldset><legend>${t("advanced.conditions")}</legend>
        ${all.map(
          (
            row,
            index,
          ) => html`<div class="clause" role="group" aria-label="${t("advanced.condition", { number: index + 1 })}">
          <select name="field" aria-label="${t("admin.field")}">${option("", t("advanced.noField"), row.field === "")}${fields.map(
            ({ kind, names }) =>
              html`<optgroup label="${t(`kind.${kind}`)}">${names.map(({ name, label }) => option(name, label, name === row.field))}</optgroup>`,
          )}</select>
          <select name="op" aria-label="${t("advanced.op")}">${OPS.map((op) => option(op, t(`op.${op}`), op === row.op))}</select>
          <input name="value" value="${row.value}" aria-label="${t("advanced.value")}" maxlength="${LONGEST_QUERY}" autocomplete="off">
        </div>`,
        )}
        <p class="help">${t("advanced.help")}</p>
        ${many < MOST_ROWS ? html`<p><button class="quiet" name="more" value="1">${t("advanced.more")}</button></p>` : ""}
      </fieldset>
      <fieldset class="row"><legend>${t("advanced.match")}</legend>
        <label class="choice"><input type="radio" name="match" value="all" ${state.any ? "" : html`checked`}> ${t("advanced.all")}</label>
        <label class="choice"><input type="radio" name="match" value="any" ${state.any ? html`checked` : ""}> ${t("advanced.any")}</label>
      </fieldset>
      <p><button name="find" value="1">${t("search.button")}</button></p>
    </form>
  </section>`;
}

/** Each field once, with the first kind of record that has this field. */
function fieldOptions(view: View, schema: Schema): { kind: Kind; names: { name: string; label: Text }[] }[] {
  const visible = visibleFieldNames(schema, VISITOR, OFFERED);
  return OFFERED.map((kind) => ({
    kind,
    names: [...(schema.fields.get(kind)?.keys() ?? [])]
      .filter((name) => visible.delete(name))
      .map((name) => ({ name, label: fieldLabel(view, schema, name) })),
  })).filter(({ names }) => names.length > 0);
}
