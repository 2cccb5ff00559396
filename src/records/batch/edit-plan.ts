/** Plans a bulk edit: the new state of each record, or why it is refused. Writes nothing. */

import { type Account, lacks, mayDo, permissionTo } from "../../caller.ts";
import { type Said, said } from "../../messages/said.ts";
import { type Fault, invalid } from "../../problem.ts";
import type { Sql, Tx } from "../../services.ts";
import { type Kind, kinds, type Status } from "../kinds.ts";
import { type MoveNotes, movedAfter } from "../links/places.ts";
import { orientRelation } from "../links/relations.ts";
import { type Entry, hasEntry, type RecordRow, type RecordState, stateOf } from "../record.ts";
import type { RelationType, Schema } from "../schema.ts";
import { demandDraft, parseDraft } from "../shape.ts";
import { metadataFaults, tidyMetadata } from "../write/fields.ts";
import { mayChangeStatus, mergedState, stateFaults, unseenFaults } from "../write/rules.ts";
import { linkedAmong } from "../write/trash.ts";
import { sameState } from "../write/write.ts";

/**
 * `field`: of the metadata; `column`: `collection_status` or the key of the subtype; `only`: the status of the records that it
 * changes; `day`, `reason`: of a link to a storage location, which is a move.
 */
export type Edit =
  | { what: "set" | "add"; field: string; entries: Entry[] }
  | { what: "empty"; field: string }
  | { what: "column"; column: string; value: string }
  | { what: "status"; status: Status; only?: Status }
  | ({ what: "link"; relation_type: string; to_type: Kind; to_id: string } & Pick<
      MoveNotes,
      "day" | "reason"
    >)
  | { what: "trash"; force: boolean };

export type EditPlan =
  | { what: "change"; row: RecordRow; after: RecordState }
  /** The record already has this value, or this link (`reason`). */
  | { what: "same"; row: RecordRow; reason?: Said }
  | { what: "refused"; row: RecordRow; reason: Said };

/** A record at the time it was selected. */
export type Chosen = { id: string; version: number };

/** Refuses (422) an edit that no record of this kind can have: an unknown field, a value that is not a date. */
export function demandEdit(schema: Schema, caller: Account, kind: Kind, edit: Edit): void {
  const faults = editFaults(schema, caller, kind, edit);
  if (faults.length > 0) throw invalid(faults);
}

function editFaults(schema: Schema, caller: Account, kind: Kind, edit: Edit): readonly Fault[] {
  if (edit.what === "trash") return [];
  if (edit.what === "link") {
    const direction = linkOf(schema, kind, edit);
    return "fault" in direction ? [{ pointer: "/relation_type", detail: direction.fault }] : [];
  }
  const read = parseDraft(kind, bodyOf(edit, []));
  if ("faults" in read) return read.faults;
  const metadata = read.draft.metadata ?? {};
  return [...unseenFaults(schema, caller, kind, metadata), ...metadataFaults(schema, kind, metadata)];
}

/** The relation type, or why it is refused: relations of a bulk edit must start from the edited records. */
export function linkOf(
  schema: Schema,
  kind: Kind,
  edit: { relation_type: string; to_type: Kind },
): RelationType | { fault: Said } {
  const direction = orientRelation(schema, kind, edit);
  if ("fault" in direction) return direction;
  const { type, inverse } = direction;
  return inverse || type.inverse === type.name
    ? { fault: said("fault.relation_type.one_by_one", { relation: edit.relation_type }) }
    : type;
}

/** `old`: the entries that the record has in the field. */
function bodyOf(
  edit: Exclude<Edit, { what: "link" | "trash" }>,
  old: readonly Entry[],
): Record<string, unknown> {
  switch (edit.what) {
    case "set":
      return { metadata_: { [edit.field]: edit.entries } };
    case "add":
      return {
        metadata_: { [edit.field]: [...old, ...edit.entries.filter((entry) => !hasEntry(old, entry))] },
      };
    case "empty":
      return { metadata_: { [edit.field]: [] } };
    case "column":
      return { [edit.column]: edit.value };
    case "status":
      return { status: edit.status };
  }
}

/**
 * The planned result for each row, in the same order. Records that changed after they were selected are refused. The
 * caller may read this kind in full.
 */
export async function planEdit(
  sql: Sql | Tx,
  schema: Schema,
  caller: Account,
  kind: Kind,
  edit: Edit,
  rows: readonly RecordRow[],
  chosen: readonly Chosen[],
): Promise<EditPlan[]> {
  const versions = new Map(chosen.map(({ id, version }) => [id, version]));
  const ids = rows.map(({ id }) => id);
  const linked = edit.what === "link" ? await linkedWith(sql, ids, edit) : new Set<string>();
  const moved = edit.what === "link" && edit.day ? await movedAfter(sql, ids, edit.day) : new Map();
  const stillLinked = edit.what === "trash" && !edit.force ? await linkedAmong(sql, ids) : new Set<string>();
  return rows.map((row): EditPlan => {
    const refused = (reason: Said): EditPlan => ({ what: "refused", row, reason });
    const mayNotPublish = () => refused(lacks(caller, permissionTo("publish", kind)));
    // deleting a record of a tree moves others; their new version is not a reason to refuse them
    const isMoved = edit.what === "trash" && kinds[kind].columns.includes("parent_id");
    if (!isMoved && row.version !== versions.get(row.id)) return refused(said("fault.record.changed"));
    if (edit.what === "trash") {
      if (row.status === "public" && !mayDo(caller, "publish", kind)) return mayNotPublish();
      return stillLinked.has(row.id)
        ? refused(said("fault.record.linked"))
        : { what: "change", row, after: stateOf(row) };
    }
    if (edit.what === "link") {
      if (edit.to_id === row.id) return refused(said("fault.relation.itself"));
      if (moved.has(row.id)) return refused(said("fault.move.later", { day: moved.get(row.id) }));
      return linked.has(row.id)
        ? { what: "same", row, reason: said("fault.link.there") }
        : { what: "change", row, after: stateOf(row) };
    }
    const after = edited(schema, kind, row, edit);
    if (after === null || sameState(stateOf(row), after)) return { what: "same", row };
    const [fault] = stateFaults(schema, kind, after, { before: row.metadata });
    if (fault) return refused(fault.detail);
    return mayChangeStatus(caller, kind, row.status, after.status)
      ? { what: "change", row, after }
      : mayNotPublish();
  });
}

/** Null if nothing would change. */
function edited(
  schema: Schema,
  kind: Kind,
  row: RecordRow,
  edit: Exclude<Edit, { what: "link" | "trash" }>,
): RecordState | null {
  if (edit.what === "status" && row.status !== (edit.only ?? row.status)) return null;
  const old = "field" in edit ? (row.metadata[edit.field] ?? []) : [];
  if (edit.what === "add") {
    const added = tidyMetadata(schema, kind, { [edit.field]: edit.entries })[edit.field] ?? [];
    if (added.every((entry) => hasEntry(old, entry))) return null;
  }
  const draft = demandDraft(kind, bodyOf(edit, old));
  return stateOf(mergedState(schema, row, draft, { metadata: {}, parent_id: null }));
}

/** A link that qualifies its maker is another one than the plain link. */
async function linkedWith(
  sql: Sql | Tx,
  ids: readonly string[],
  { relation_type, to_id }: { relation_type: string; to_id: string },
): Promise<ReadonlySet<string>> {
  const rows = await sql<{ from_id: string }[]>`
    select from_id from relations
    where from_id = any(${ids as string[]}) and to_id = ${to_id} and relation_type = ${relation_type}
      and attribution_of(metadata) = ''`;
  return new Set(rows.map(({ from_id }) => from_id));
}
