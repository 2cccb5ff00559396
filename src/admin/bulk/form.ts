/** A batch edit: read from a form, and described in words. */

import { said } from "../../messages/said.ts";
import type { StaffView, View } from "../../pages/view.ts";
import { invalid, Problem } from "../../problem.ts";
import type { Edit, EditPlan } from "../../records/batch/edit-plan.ts";
import { type Kind, kinds, STATUSES } from "../../records/kinds.ts";
import { STORED_AT } from "../../records/links/places.ts";
import type { RecordRow } from "../../records/record.ts";
import { fieldsOf, type Schema } from "../../records/schema.ts";
import type { Sql } from "../../services.ts";
import { moveOfForm } from "../care/move-form.ts";
import { demandFound } from "../chosen.ts";
import { type LinkChoice, linkChoices } from "../editor/link-choices.ts";
import { valuesOfForm } from "../editor/values.ts";
import { namePlainly } from "../field-names.ts";
import { type InWords, valuesInWords } from "../values-in-words.ts";

/** Columns that a batch edit can set: the subtype, and the collection status of objects. */
export const bulkColumns = (kind: Kind): string[] => [
  kinds[kind].subtypeKey,
  ...(kinds[kind].columns.includes("collection_status") ? ["collection_status"] : []),
];

/** Links from these records, without types that are the same in both directions. Links to collections come first. */
export function bulkLinks(view: View, schema: Schema, kind: Kind): LinkChoice[] {
  const isOwn = ({ name }: LinkChoice) => {
    const type = schema.relationTypes.get(name);
    return type !== undefined && type.inverse !== name && type.from_types.includes(kind);
  };
  const leads = ({ to }: LinkChoice) => (to.length === 1 && to[0] === "collection" ? 0 : 1);
  return linkChoices(view, schema, kind)
    .filter(isOwn)
    .sort((a, b) => leads(a) - leads(b));
}

/** The edits that have a button of their own in the list. */
export const LIST_EDITS: ReadonlyMap<string, Edit> = new Map([
  ["publish", { what: "status", status: "public" }],
  ["unpublish", { what: "status", status: "internal", only: "public" }],
]);

type EditForm = {
  sql: Sql;
  view: StaffView;
  schema: Schema;
  kind: Kind;
  fields: ReadonlyMap<string, string>;
};

/** The edit that the form asks for; 422 if it asks for none. */
export async function editOfForm(form: EditForm): Promise<Edit> {
  const { schema, kind, fields } = form;
  const field = fields.get("field") ?? "";
  const what = fields.get("what");
  if (what === "status") {
    const status = STATUSES.find((each) => each === fields.get("status"));
    if (status) return { what, status };
  }
  if (what === "trash") return { what, force: fields.get("force") === "yes" };
  if (what === "link") return linkOfForm(form);
  if (what === "move") {
    const { to, day, reason } = await moveOfForm(form.sql, form.view.caller, fields);
    return { what: "link", relation_type: STORED_AT, to_type: "storage_location", to_id: to, day, reason };
  }
  if (bulkColumns(kind).includes(field) && what === "set") {
    return { what: "column", column: field, value: fields.get("value") ?? "" };
  }
  if (fieldsOf(schema, kind).has(field)) {
    if (what === "empty") return { what, field };
    if (what === "set" || what === "add") {
      const entries = (valuesOfForm(kind, fields).metadata[field] ?? []).filter(
        ({ value }) => value.trim() !== "",
      );
      if (entries.length > 0) return { what, field, entries };
      throw invalid([{ pointer: `/metadata_/${field}`, detail: said("bulk.noValue") }]);
    }
  }
  throw new Problem("invalid", said("bulk.noEdit"));
}

async function linkOfForm({ sql, view, schema, kind, fields }: EditForm): Promise<Edit> {
  const relation_type = fields.get("relation_type") ?? "";
  const number = (fields.get("to") ?? "").trim();
  const to = bulkLinks(view, schema, kind).find(({ name }) => name === relation_type)?.to ?? [];
  const found = await demandFound(sql, view.caller, to, { text: number, pointer: "/to" });
  return { what: "link", relation_type, to_type: found.record_type, to_id: found.id };
}

const isOfLanguages = (edit: Extract<Edit, { what: "set" | "add" }>): boolean =>
  edit.what === "set" && edit.entries.some(({ lang }) => lang !== undefined);

export const publishes = (edit: Edit): boolean => edit.what === "status" && edit.status === "public";

/** `tried`: the number of records checked. `places`: current places, by id, of objects that the edit moves. */
export type Preview = {
  tried: number;
  plans: readonly EditPlan[];
  end: string;
  places: ReadonlyMap<string, string>;
  told: InWords;
};

/** For the values of the edit, and those that it replaces. */
export function wordsOfEdit(
  sql: Sql,
  view: View,
  schema: Schema,
  kind: Kind,
  edit: Edit,
  plans: readonly EditPlan[] = [],
): Promise<InWords> {
  if (!("field" in edit)) return valuesInWords(sql, view, schema, []);
  const { field } = edit;
  const changed = plans.flatMap((plan) =>
    plan.what === "change" ? [plan.row.metadata[field], plan.after.metadata[field]] : [],
  );
  const all = [...changed, "entries" in edit ? edit.entries : []];
  return valuesInWords(
    sql,
    view,
    schema,
    all.map((entries = []) => ({ kind, metadata: { [field]: [...entries] } })),
  );
}

/** The edit in a sentence. `end`: the linked record, from `endOf`. */
export function describeEdit(
  view: View,
  schema: Schema,
  kind: Kind,
  edit: Edit,
  end: string,
  told: InWords,
): string {
  const { t } = view;
  switch (edit.what) {
    case "set":
    case "add":
      return t(isOfLanguages(edit) ? "bulk.told.set_language" : `bulk.told.${edit.what}`, {
        field: namePlainly(view, schema, kind, edit.field),
        value: told(kind, edit.field, edit.entries),
      });
    case "empty":
      return t("bulk.told.empty", { field: namePlainly(view, schema, kind, edit.field) });
    case "column":
      return t("bulk.told.set", {
        field: namePlainly(view, schema, kind, edit.column),
        value: told(kind, edit.column, edit.value),
      });
    case "status":
      return edit.only
        ? t("bulk.told.unpublish")
        : t("bulk.told.status", { status: t(`status.${edit.status}`) });
    case "link": {
      const { day, reason } = edit;
      if (day)
        return t("bulk.told.move", { end, day: view.formats.day(`${day}T12:00:00`), reason: reason || "–" });
      const choice = bulkLinks(view, schema, kind).find(({ name }) => name === edit.relation_type);
      return t("bulk.told.link", { link: choice?.label ?? edit.relation_type, end });
    }
    case "trash":
      return t("bulk.told.trash");
  }
}

/**
 * The values before and after the edit; null where only the record itself matters.
 */
export function difference(
  view: View,
  edit: Edit,
  { row, after }: Extract<EditPlan, { what: "change" }>,
  { end, places, told }: Pick<Preview, "end" | "places" | "told">,
): { before: string; after: string } | null {
  const kind = row.record_type;
  if (edit.what === "trash") return null;
  if (edit.what === "link") return { before: places.get(row.id) ?? "", after: end };
  if (edit.what === "status") {
    return { before: view.t(`status.${row.status}`), after: view.t(`status.${after.status}`) };
  }
  if (edit.what === "column") {
    const at = (state: Pick<RecordRow, "subtype" | "collection_status">) =>
      edit.column === "collection_status" ? (state.collection_status ?? "") : state.subtype;
    return { before: told(kind, edit.column, at(row)), after: told(kind, edit.column, at(after)) };
  }
  const at = (metadata: RecordRow["metadata"]) => told(kind, edit.field, metadata[edit.field] ?? []);
  return { before: at(row.metadata), after: at(after.metadata) };
}
