/** The columns of a list of records beside number and name: those that its reader has chosen. */

import { html } from "hono/html";
import type { Caller } from "../../caller.ts";
import { statusMark } from "../../pages/parts.ts";
import { labelIn } from "../../pages/texts.ts";
import type { Html, View } from "../../pages/view.ts";
import { type Kind, kinds } from "../../records/kinds.ts";
import type { Sort } from "../../records/read/list-order.ts";
import { bestTitle, type RecordRow } from "../../records/record.ts";
import { fieldsOf, type Schema } from "../../records/schema.ts";
import { maySeeField } from "../../records/visibility.ts";
import { namePlainly } from "../field-names.ts";

/** More are too many for a list. */
const MOST_COLUMNS = 12;
const DEFAULTS = ["@subtype", "@status", "@updated_at"];
/** By which of them a list can be sorted. */
const SORTED: Readonly<Record<string, Sort>> = { "@updated_at": "updated_at", "@created_at": "created_at" };

export type ListColumn = {
  name: string;
  label: string;
  sort: Sort | null;
  cell(row: RecordRow): Html | string;
};

/** Every column that there is for this caller; those that are not fields begin with an @. */
function columnNames(schema: Schema, caller: Caller, kind: Kind): string[] {
  const { columns, titleField } = kinds[kind];
  const fields = [...fieldsOf(schema, kind).values()].filter(
    (field) => field.name !== titleField && maySeeField(caller, field),
  );
  return [
    ...["@subtype", "@status"],
    ...columns.filter((column) => column !== "parent_id").map((column) => `@${column}`),
    ...["@updated_at", "@created_at"],
    ...fields.map(({ name }) => name),
  ];
}

/** Those of `asked` that there are; the usual ones when nobody asks. */
export function columnsOf(view: View, schema: Schema, kind: Kind, asked: readonly string[]): ListColumn[] {
  const known = columnNames(schema, view.caller, kind);
  const chosen = known.filter((name) => asked.includes(name)).slice(0, MOST_COLUMNS);
  return (chosen.length > 0 ? chosen : DEFAULTS).map((name) => ({
    name,
    label: labelOf(view, schema, kind, name),
    sort: SORTED[name] ?? null,
    cell: (row) => cell(view, schema, row, name),
  }));
}

/** Boxes to choose them by, within the form of the filters. */
export function columnChoice(view: View, schema: Schema, kind: Kind, chosen: readonly ListColumn[]): Html {
  const { t, caller } = view;
  const ticked = new Set(chosen.map(({ name }) => name));
  return html`<details class="column-choice"><summary>${t("list.columns")}</summary>
    <fieldset class="several"><legend class="hidden">${t("list.columns")}</legend>${columnNames(
      schema,
      caller,
      kind,
    ).map(
      (name) =>
        html`<label class="tick"><input type="checkbox" name="column" value="${name}" ${ticked.has(name) ? html`checked` : ""}> ${labelOf(view, schema, kind, name)}</label>`,
    )}</fieldset><button class="quiet small">${t("search.apply")}</button></details>`;
}

function labelOf(view: View, schema: Schema, kind: Kind, name: string): string {
  const { t } = view;
  if (name === "@subtype") return t("search.subtype");
  return namePlainly(view, schema, kind, name.replace(/^@/, ""));
}

function cell(view: View, schema: Schema, row: RecordRow, name: string): Html | string {
  const { t, formats } = view;
  switch (name) {
    case "@subtype": {
      const subtype = schema.subtypes.get(row.record_type)?.get(row.subtype);
      return subtype ? labelIn(subtype.label, t.language, subtype.name) : row.subtype;
    }
    case "@status":
      return statusMark(view, row.status);
    case "@collection_status":
      return row.collection_status ? t(`collectionStatus.${row.collection_status}`) : "";
    case "@updated_at":
    case "@created_at": {
      const at = name === "@updated_at" ? row.updated_at : row.created_at;
      return html`<time class="nowrap" datetime="${at}Z">${formats.time(at)}</time>`;
    }
  }
  if (name.startsWith("@")) return String(row[name.slice(1) as keyof RecordRow] ?? "");
  const field = fieldsOf(schema, row.record_type).get(name);
  const entries = row.metadata[name] ?? [];
  return field?.is_translatable
    ? (bestTitle(entries, [t.language]) ?? "")
    : entries.map(({ value }) => value).join("; ");
}
