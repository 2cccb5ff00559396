/** Each field of two records, what it will be, and whose value is taken. */
import { html } from "hono/html";
import type { Html, View } from "../../pages/view.ts";
import { kinds } from "../../records/kinds.ts";
import { CHOICES, type Choices } from "../../records/merge/state.ts";
import type { RecordRow } from "../../records/record.ts";
import { fieldsOf, type Schema } from "../../records/schema.ts";
import { visibleMetadata } from "../../records/visibility.ts";
import { namePlainly, valuePlainly } from "../field-names.ts";

const PREFIX = "choice/";

/** What a form says; anything but a choice is left out. */
export function choicesIn(fields: Iterable<readonly [string, unknown]>): Choices {
  const choices: Record<string, Choices[string]> = {};
  for (const [name, value] of fields) {
    const choice = CHOICES.find((each) => each === value);
    if (name.startsWith(PREFIX) && choice) choices[name.slice(PREFIX.length)] = choice;
  }
  return choices;
}

/** `rows`: the one that goes, the one that stays, and what it will be, if that is possible. */
export function resultTable(
  view: View,
  schema: Schema,
  rows: readonly [RecordRow, RecordRow, RecordRow | undefined],
  choices: Choices,
): Html {
  const { t, caller } = view;
  const kind = rows[0].record_type;
  const columns = kinds[kind].columns.filter((column) => column !== "parent_id");
  const shown = rows.map((row) => {
    const values = new Map<string, string>();
    if (!row) return values;
    const metadata = visibleMetadata(schema, caller, kind, row.metadata);
    values.set("idno", row.idno).set(kinds[kind].subtypeKey, row.subtype).set("status", row.status);
    for (const column of columns) if (row[column] !== null) values.set(column, String(row[column]));
    for (const name of fieldsOf(schema, kind).keys())
      if (metadata[name]?.length) values.set(name, metadata[name].map(({ value }) => value).join(" · "));
    return values;
  });
  const names = [...new Set(shown.flatMap((values) => [...values.keys()]))];
  const cell = (values: ReadonlyMap<string, string>, name: string) => {
    const value = values.get(name);
    return value === undefined ? "–" : valuePlainly(view, schema, kind, name, value);
  };
  const choice = (name: string) => {
    const [goes, stays] = shown.map((values) => values.get(name));
    const field = fieldsOf(schema, kind).get(name);
    if (goes === stays || name === "idno" || name === "status") return "";
    const offered = CHOICES.filter(
      (each) => each !== "both" || field?.is_repeatable || field?.is_translatable,
    );
    return html`<select name="${PREFIX}${name}" aria-label="${t("merge.choiceOf", { field: namePlainly(view, schema, kind, name) })}">
      <option value="">${t("merge.choice.proposed")}</option>${offered.map((each) => html`<option value="${each}"${choices[name] === each ? html` selected` : ""}>${t(`merge.choice.${each}`)}</option>`)}</select>`;
  };
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${t("merge.title")}"><table class="compared">
    <thead><tr><td></td><th scope="col">${t("merge.goes")}</th><th scope="col">${t("merge.stays")}</th><th scope="col">${t("merge.choice")}</th><th scope="col">${t("merge.result")}</th></tr></thead>
    <tbody>${names.map((name) => html`<tr><th scope="row">${namePlainly(view, schema, kind, name)}</th><td dir="auto">${cell(shown[0]!, name)}</td><td dir="auto">${cell(shown[1]!, name)}</td><td>${choice(name)}</td><td dir="auto">${rows[2] ? cell(shown[2]!, name) : "–"}</td></tr>`)}</tbody></table></div>`;
}
