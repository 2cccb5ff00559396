/** The sheet of a workbook to import, and its row with the column names. */

import { html } from "hono/html";
import type { Sample } from "../../imports/sample.ts";
import type { SourceOptions } from "../../imports/source.ts";
import type { Html, View } from "../../pages/view.ts";

type Reading = Pick<SourceOptions, "sheet" | "headerRow">;

/** From an address or a form. `was`: the sheet and header row of the form as shown; if the sheet changed, the row is found again. */
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

/** Hidden fields for the form of the columns: the sheet and row from which they were read. */
export const readingFields = ({ choice }: Sample): Html | "" =>
  choice
    ? html`<input type="hidden" name="sheet" value="${choice.sheet}"><input type="hidden" name="header_row" value="${choice.headerRow}">`
    : "";

/** A separate form above that of the columns. */
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
