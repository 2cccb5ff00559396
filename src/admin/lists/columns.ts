/** The columns of a list of records after number and name, chosen by the reader. */

import { html } from "hono/html";
import type { Caller } from "../../caller.ts";
import { withSemicolons } from "../../messages/semicolons.ts";
import { csrfField } from "../../pages/forms.ts";
import { statusMark } from "../../pages/parts.ts";
import type { Html, View } from "../../pages/view.ts";
import { type Kind, kinds } from "../../records/kinds.ts";
import { locationPaths } from "../../records/public/location-paths.ts";
import type { Sort } from "../../records/read/list-order.ts";
import { linksOfRecords } from "../../records/read/store.ts";
import { bestTitle, idsOf, type RecordRow } from "../../records/record.ts";
import { fieldsOf, type Schema } from "../../records/schema.ts";
import { visibleFields } from "../../records/visibility.ts";
import type { Sql } from "../../services.ts";
import { namePlainly } from "../field-names.ts";
import { linkedName } from "../record-names.ts";
import { listPath } from "../sections.ts";
import { type InWords, valuesInWords } from "../values-in-words.ts";
import { LINKED, LINKED_NAMES, type LinkedName, linkedFilters, relationTypesOf } from "./filter-kinds.ts";

export const columnsPath = (kind: Kind): string => `${listPath(kind)}/columns`;

/** The most columns of a list. */
const MOST_COLUMNS = 12;
const DEFAULTS = ["@subtype", "@status", "@updated_at"];
/** Columns by which a list can be sorted. */
const SORTED: Readonly<Record<string, Sort>> = { "@updated_at": "updated_at", "@created_at": "created_at" };

export type ListColumn = {
  name: string;
  label: string;
  sort: Sort | null;
  cell(row: RecordRow): Html | string;
};

/** All columns for this caller; names that are not fields start with @. */
function columnNames(schema: Schema, caller: Caller, kind: Kind): string[] {
  const { columns, titleField } = kinds[kind];
  const fields = visibleFields(schema, caller, kind).filter(({ name }) => name !== titleField);
  return [
    ...["@subtype", "@status"],
    ...columns.filter((column) => column !== "parent_id").map((column) => `@${column}`),
    ...linkedFilters(schema, caller, kind).map((name) => `@${name}`),
    ...["@updated_at", "@created_at"],
    ...fields.map(({ name }) => name),
  ];
}

/** The existing columns among `asked`; the usual ones if it is empty. @param rows to show */
export async function columnsOf(
  sql: Sql,
  view: View,
  schema: Schema,
  kind: Kind,
  asked: readonly string[],
  rows: readonly RecordRow[],
): Promise<ListColumn[]> {
  const known = columnNames(schema, view.caller, kind);
  const chosen = known.filter((name) => asked.includes(name)).slice(0, MOST_COLUMNS);
  const names = chosen.length > 0 ? chosen : DEFAULTS;
  const ids = idsOf(rows);
  const fields = names.filter((name) => fieldsOf(schema, kind).has(name));
  const shown = rows.map(({ metadata }) => ({
    kind,
    metadata: Object.fromEntries(fields.map((name) => [name, metadata[name] ?? []])),
  }));
  const [told, links] = await Promise.all([
    valuesInWords(sql, view, schema, shown),
    names.some(linkedBy) ? linksOfRecords(sql, view.caller, ids) : [],
  ]);
  const located = names.includes("@location") ? links : [];
  const paths = await locationPaths(sql, schema, view.caller, [view.t.language], located);
  return names.map((name) => {
    const label = labelOf(view, schema, kind, name);
    const filter = linkedBy(name);
    if (!filter) {
      const sort = SORTED[name] ?? null;
      return { name, label, sort, cell: (row) => cell(view, schema, row, name, told) };
    }
    const types = new Set(relationTypesOf(schema, kind, filter));
    const own = links.filter(
      (link) => types.has(link.relation_type) && link.record_type === LINKED[filter].to,
    );
    const namesOf = ({ id }: RecordRow) =>
      own.flatMap((link) =>
        link.from_id === id ? (paths.get(link.id) ?? linkedName(view, schema, link)) : [],
      );
    return { name, label, sort: null, cell: (row) => withSemicolons(view.t, namesOf(row)) };
  });
}

/** The links that a column shows; undefined for other columns. */
const linkedBy = (column: string): LinkedName | undefined =>
  LINKED_NAMES.find((each) => column === `@${each}`);

/** The columns of an export that correspond to `column`. */
export function exportedAs(schema: Schema, kind: Kind, column: string): string[] {
  const linked = linkedBy(column);
  if (!linked) return [column];
  return relationTypesOf(schema, kind, linked).map((type) => `${type} ${LINKED[linked].to}`);
}

/** A form to choose columns. `query`: of the list, without its columns. */
export function columnChoice(
  view: View,
  schema: Schema,
  kind: Kind,
  chosen: readonly ListColumn[],
  query: string,
): Html {
  const { t, caller } = view;
  const ticked = new Set(chosen.map(({ name }) => name));
  return html`<details class="column-choice"><summary>${t("list.columns")}</summary>
    <form method="post" action="${view.link(columnsPath(kind))}">${csrfField(view)}<input type="hidden" name="query" value="${query}">
    <fieldset class="several"><legend class="hidden">${t("list.columns")}</legend>${columnNames(
      schema,
      caller,
      kind,
    ).map(
      (name) =>
        html`<label class="tick"><input type="checkbox" name="column/${name}" value="yes" ${ticked.has(name) ? html`checked` : ""}> ${labelOf(view, schema, kind, name)}</label>`,
    )}</fieldset><button class="quiet small">${t("search.apply")}</button></form></details>`;
}

function labelOf(view: View, schema: Schema, kind: Kind, name: string): string {
  const { t } = view;
  if (name === "@subtype") return t("search.subtype");
  const linked = linkedBy(name);
  if (linked) return t(LINKED[linked].column);
  return namePlainly(view, schema, kind, name.replace(/^@/, ""));
}

function cell(view: View, schema: Schema, row: RecordRow, name: string, told: InWords): Html | string {
  const { t, formats } = view;
  switch (name) {
    case "@subtype":
      return told(row.record_type, kinds[row.record_type].subtypeKey, row.subtype);
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
  if (field?.is_translatable) return bestTitle(entries, [t.language]) ?? "";
  return told(row.record_type, name, entries);
}
