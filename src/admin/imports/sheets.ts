/** Which sheet of a workbook is imported, and which row of it names the columns. */

import { html } from "hono/html";
import type { Sample } from "../../imports/sample.ts";
import type { SourceOptions } from "../../imports/source.ts";
import type { Html, View } from "../../pages/view.ts";

export type Reading = Pick<SourceOptions, "sheet" | "headerRow">;

/** As an address or a form says it. `was`: the header row and sheet that the form was made for; for another sheet, the row is found anew. */
export function readingOf(get: (name: string) => string | undefined): Reading {
  const sheet = get("sheet");
  const row = Number(get("header_row"));
  const [, oldRow, oldSheet] = /^(\d+) (.*)$/s.exec(get("was") ?? "") ?? [];
  const isOfOther = oldSheet !== undefined && oldSheet !== sheet && oldRow === String(row);
  return {
    ...(sheet ? { sheet } : {}),
    ...(Number.isInteger(row) && row > 0 && !isOfOther ? { headerRow: row } : {}),
  };
}

/** For the address of the page. */
export const readingQuery = ({ choice }: Sample): string =>
  choice ? `&${new URLSearchParams({ sheet: choice.sheet, header_row: String(choice.headerRow) })}` : "";

/** In the form of the columns: what they were read from. */
export const readingFields = ({ choice }: Sample): Html | "" =>
  choice
    ? html`<input type="hidden" name="sheet" value="${choice.sheet}"><input type="hidden" name="header_row" value="${choice.headerRow}">`
    : "";

/** A form of its own, above that of the columns. */
export function sheetForm({ t, link }: View, id: string, { choice }: Sample): Html | "" {
  if (!choice) return "";
  const { sheets, sheet, headerRow, above } = choice;
  return html`<form class="filters" method="get" action="${link(`/admin/imports/files/${id}`)}">
    <input type="hidden" name="was" value="${headerRow} ${sheet}">
    <label><span>${t("admin.import.sheet")}</span><select name="sheet">${sheets.map(({ name, isHidden }) => html`<option value="${name}" ${name === sheet ? html`selected` : ""}>${isHidden ? t("admin.import.hiddenSheet", { sheet: name }) : name}</option>`)}</select></label>
    <label><span>${t("admin.import.headerRow")}</span><input type="number" name="header_row" min="1" max="1048576" value="${headerRow}"></label>
    <button class="quiet">${t("admin.import.readSheet")}</button></form>
    ${above.length === 0 ? "" : html`<p class="help">${t("admin.import.above", { text: above.join(" / ") })}</p>`}`;
}
