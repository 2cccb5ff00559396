/** Each field of two records, its merged value, and the record from which the value comes. */
import { html } from "hono/html";
import type { Html, View } from "../../pages/view.ts";
import { kinds } from "../../records/kinds.ts";
import { CHOICES, type Choices } from "../../records/merge/state.ts";
import type { RecordRow } from "../../records/record.ts";
import { fieldsOf, type Schema } from "../../records/schema.ts";
import { visibleMetadata } from "../../records/visibility.ts";
import type { Sql } from "../../services.ts";
import { namePlainly } from "../field-names.ts";
import { valuesInWords } from "../values-in-words.ts";

const PREFIX = "choice/";

/** The choices in a form; anything else is ignored. */
export function choicesIn(fields: Iterable<readonly [string, unknown]>): Choices {
  const choices: Record<string, Choices[string]> = {};
  for (const [name, value] of fields) {
    const choice = CHOICES.find((each) => each === value);
    if (name.startsWith(PREFIX) && choice) choices[name.slice(PREFIX.length)] = choice;
  }
  return choices;
}

/**
 * @param result the merged record, if the merge is possible
 * @param choices null when several records are merged, which offers no choice
 */
export async function resultTable(
  sql: Sql,
  view: View,
  schema: Schema,
  { goes, stays, result }: { goes: readonly RecordRow[]; stays: RecordRow; result: RecordRow | undefined },
  choices: Choices | null,
): Promise<Html> {
  const { t, caller } = view;
  const kind = stays.record_type;
  const rows = [...goes, stays, result];
  const columns = kinds[kind].columns.filter((column) => column !== "parent_id");
  const shown = rows.map((row) => {
    const values = new Map<string, unknown>();
    if (!row) return values;
    const metadata = visibleMetadata(schema, caller, kind, row.metadata);
    values.set("idno", row.idno).set(kinds[kind].subtypeKey, row.subtype).set("status", row.status);
    for (const column of columns) if (row[column] !== null) values.set(column, row[column]);
    for (const name of fieldsOf(schema, kind).keys())
      if (metadata[name]?.length) values.set(name, metadata[name]);
    return values;
  });
  const names = [...new Set(shown.flatMap((values) => [...values.keys()]))];
  const all = rows.flatMap((row) => (row ? { kind, metadata: row.metadata } : []));
  const told = await valuesInWords(sql, view, schema, all);
  const cell = (values: ReadonlyMap<string, unknown>, name: string) => told(kind, name, values.get(name));
  const choice = (name: string, chosen: Choices) => {
    const [other, own] = shown.map((values) => JSON.stringify(values.get(name)));
    const field = fieldsOf(schema, kind).get(name);
    if (other === own || name === "idno" || name === "status") return "";
    const offered = CHOICES.filter(
      (each) => each !== "both" || field?.is_repeatable || field?.is_translatable,
    );
    return html`<select name="${PREFIX}${name}" aria-label="${t("merge.choiceOf", { field: namePlainly(view, schema, kind, name) })}">
      <option value="">${t("merge.choice.proposed")}</option>${offered.map((each) => html`<option value="${each}"${chosen[name] === each ? html` selected` : ""}>${t(`merge.choice.${each}`)}</option>`)}</select>`;
  };
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${t("merge.title")}"><table class="compared">
    <thead><tr><td></td>${goes.map(({ idno }) => html`<th scope="col">${t("merge.goes")}${goes.length > 1 ? html` <small>${idno}</small>` : ""}</th>`)}<th scope="col">${t("merge.stays")}</th>${choices ? html`<th scope="col">${t("merge.choice")}</th>` : ""}<th scope="col">${t("merge.result")}</th></tr></thead>
    <tbody>${names.map((name) => html`<tr><th scope="row">${namePlainly(view, schema, kind, name)}</th>${shown.slice(0, -1).map((values) => html`<td dir="auto">${cell(values, name)}</td>`)}${choices ? html`<td>${choice(name, choices)}</td>` : ""}<td dir="auto">${result ? cell(shown.at(-1)!, name) : "–"}</td></tr>`)}</tbody></table></div>`;
}
