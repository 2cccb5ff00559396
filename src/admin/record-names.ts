/** Names of records in the reader's language, if the reader may see them. */
import type { View } from "../pages/view.ts";
import type { Edit } from "../records/batch/edit-plan.ts";
import { kinds } from "../records/kinds.ts";
import { attributedName } from "../records/links/attributions.ts";
import { locationPaths } from "../records/public/location-paths.ts";
import { findNamed } from "../records/public/neighbours.ts";
import type { LinkedRow, NamedRow } from "../records/read/store.ts";
import { bestTitle, type RecordRow } from "../records/record.ts";
import type { Schema } from "../records/schema.ts";
import { visibleNames } from "../records/visibility.ts";
import type { Sql } from "../services.ts";

type Called = Pick<RecordRow, "record_type" | "metadata"> | Pick<NamedRow, "record_type" | "names">;

/** Null if it has no name. */
export function titleOf({ t, caller }: View, schema: Schema, row: Called): string | null {
  const names = "names" in row ? row.names : row.metadata[kinds[row.record_type].titleField];
  return bestTitle(visibleNames(schema, caller, row.record_type, names), [t.language]);
}

/** The name or, without one, the number. */
export const nameOf = (view: View, schema: Schema, row: Called & { idno: string }): string =>
  titleOf(view, schema, row) ?? row.idno;

/** The name of a maker, with the qualifier of the link. */
export const linkedName = (view: View, schema: Schema, row: LinkedRow): string =>
  attributedName(view.t, schema, row.metadata, nameOf(view, schema, row));

/** The number and name of the record to which an edit links; empty for other edits. */
export async function endOf(sql: Sql, view: View, schema: Schema, edit: Edit): Promise<string> {
  if (edit.what !== "link") return "";
  const end = (await findNamed(sql, schema, view.caller, [edit.to_id])).get(edit.to_id);
  if (!end) return "";
  const paths = await locationPaths(sql, schema, view.caller, [view.t.language], [end]);
  return [end.idno, paths.get(end.id) ?? titleOf(view, schema, end)].filter(Boolean).join(" ");
}
