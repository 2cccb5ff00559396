/** The form above a list: words and filters. The less usual filters are folded. */
import { html } from "hono/html";
import { option, optionList } from "../../pages/forms.ts";
import { labelIn } from "../../pages/texts.ts";
import type { Html, View } from "../../pages/view.ts";
import { type Kind, kinds, STATUSES } from "../../records/kinds.ts";
import type { Schema } from "../../records/schema.ts";
import { columnChoices, subtypeChoices } from "../field-names.ts";
import { listPath } from "../sections.ts";
import { fieldFilters, LACKS, type LackName, LINKED, lackOf, linkedFilters } from "./filter-kinds.ts";
import { isAsAtFirst, type ListParams } from "./params.ts";

/** `labels`: of the terms in filters, by parameter. */
type Shown = { schema: Schema; kind: Kind; asked: ListParams; labels: ReadonlyMap<string, string> };

export function filterForm(view: View, shown: Shown): Html {
  const { t } = view;
  const { schema, kind, asked } = shown;
  const any = html`<option value="">${t("admin.any")}</option>`;
  return html`<form class="filters list-filters" role="search" aria-label="${t("admin.filter")}" action="${view.link(listPath(kind))}">
    <label class="wide"><span>${t("admin.words")}</span><input type="search" name="q" value="${asked.q}" maxlength="500"></label>
    <label><span>${t("admin.status")}</span><select name="status">${any}${STATUSES.map((status) => option(status, t(`status.${status}`), asked.status))}</select></label>
    <label><span>${t("search.subtype")}</span><select name="subtype">${any}${optionList(subtypeChoices(view, schema, kind), asked.subtype)}</select></label>
    ${asked.linked_with === undefined ? "" : html`<label class="tick"><input type="checkbox" name="linked_with" value="${asked.linked_with}" checked> ${t("drafts.filter")}</label>`}
    ${asked.columns.map((name) => html`<input type="hidden" name="column" value="${name}">`)}
    ${isAsAtFirst(asked) ? "" : html`<input type="hidden" name="sort" value="${asked.sort}"><input type="hidden" name="dir" value="${asked.dir}">`}
    <button class="quiet">${t("admin.filter")}</button>
    ${moreFilters(view, shown, any)}
  </form>`;
}

/** Folded, so that the records stay in view. The summary names the filters in use. */
function moreFilters(view: View, { schema, kind, asked, labels }: Shown, any: Html): Html {
  const { t } = view;
  const { terms, dates } = fieldFilters(schema, kind);
  const linked = linkedFilters(schema, view.caller, kind);
  const isReadable = (name: LackName) => !(name in LINKED) || linked.some((each) => each === name);
  const lacking = LACKS.filter((name) => lackOf(schema, kind, name) !== null && isReadable(name));
  const used: Html[] = [];
  const use = (label: string, value: string) =>
    used.push(html`<b>${label}${t("form.colon")} <bdi>${value}</bdi></b>`);
  if (asked.collection_status)
    use(t("column.collection_status"), t(`collectionStatus.${asked.collection_status}`));
  const input = (name: string, label: string, value = "", more = html``) => {
    if (value !== "") use(label, value);
    return html`<label><span>${label}</span><input name="${name}" value="${value}" maxlength="300" autocomplete="off" ${more}></label>`;
  };
  const tick = (name: string, value: string, isOn: boolean, label: string) => {
    if (isOn) used.push(html`<b>${label}</b>`);
    return html`<label class="tick"><input type="checkbox" name="${name}" value="${value}" ${isOn ? html`checked` : ""}> ${label}</label>`;
  };
  // fills `used`
  const form = html`<div class="filters fields">
      ${kinds[kind].columns.includes("collection_status") ? html`<label><span>${t("column.collection_status")}</span><select name="collection_status">${any}${optionList(columnChoices(view, schema, kind, "collection_status"), asked.collection_status)}</select></label>` : ""}
      ${linked.map((name) => input(name, t(LINKED[name].label), asked.linked[name], html`data-pick="${kinds[LINKED[name].to].plural}" placeholder="${t("filter.byName")}"`))}
      ${terms.map(({ name, label, vocabulary }) => {
        const parameter = `meta_${name}`;
        const offered = vocabulary ? html`data-terms="${vocabulary}" data-by-label` : html``;
        const value = labels.get(parameter) ?? asked.fields[parameter];
        return input(parameter, labelIn(label, t.language, name), value, offered);
      })}
      ${dates.map(({ name, label }) =>
        (["from", "to"] as const).map((end) => {
          const parameter = `range_${name}_${end}`;
          const called = t(`filter.${end}`, { what: labelIn(label, t.language, name) });
          return input(parameter, called, asked.fields[parameter], html`placeholder="1887, 1887-05"`);
        }),
      )}
    </div>
    <div class="filters ticks" role="group" aria-label="${t("filter.without")}">
      ${lacking.map((name) => tick("without", name, asked.without.includes(name), t(`filter.without.${name}`)))}
      ${tick("mine", "yes", asked.mine, t("filter.mine"))}
    </div>
    <button class="quiet small">${t("search.apply")}</button>`;
  return html`<details class="more-filters"><summary>${t("filter.more")} ${used}</summary>
    ${form}</details>`;
}
