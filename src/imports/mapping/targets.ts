/** The targets of a mapping: fields of the metadata, and names in double underscores. */

import { said } from "../../messages/said.ts";
import type { IfSeveral } from "../../records/batch/link-requests.ts";
import { isKind, KINDS, type Kind, kinds } from "../../records/kinds.ts";
import { type Faulty, faulty } from "./faulty.ts";

/** Columns of a record that are not metadata. We added them to the contract's four targets. */
export const COLUMN_TARGETS = [
  "status",
  "collection_status",
  "lat",
  "lon",
  "parent",
  "start_date",
  "end_date",
  "due_date",
  "reference_number",
] as const;

export type ColumnTarget = (typeof COLUMN_TARGETS)[number];

export type Target =
  | { kind: "field"; name: string }
  | { kind: "idno" }
  | { kind: "type" }
  | { kind: "media" }
  | {
      kind: "relation";
      relation_type: string;
      to_type: Kind;
      create?: false;
      ifSeveral?: IfSeveral;
      match?: "similar";
      levels?: string;
      subtype?: string;
    }
  | { kind: "column"; name: ColumnTarget };

const RELATION = /^__relation:([^:]*):([^:]*)__$/;
const NAME = /^[a-z][a-z0-9_]*$/;

/** Parses the name of a target for records of this type (by default any), or says what is wrong with it. */
export function parseTarget(name: string, recordType?: Kind): Target | Faulty {
  const relation = RELATION.exec(name);
  if (relation) {
    const [, relation_type, to_type] = relation as unknown as [string, string, string];
    if (!NAME.test(relation_type))
      return faulty("fault.target.relation_name", { name: brief(relation_type) });
    if (!isKind(to_type))
      return faulty("fault.target.record_type", { name: brief(to_type), types: KINDS.join(", ") });
    return { kind: "relation", relation_type, to_type };
  }
  if (!name.startsWith("_")) {
    if (NAME.test(name)) return { kind: "field", name };
    return faulty("fault.target.field_name", { name: brief(name) });
  }
  if (name === "__idno__") return { kind: "idno" };
  if (name === "__type__") return { kind: "type" };
  if (name === "__media__") {
    if (recordType !== undefined && recordType !== "object")
      return faulty("fault.target.no_media", { kinds: said(`kind.many.${recordType}`) });
    return { kind: "media" };
  }
  const column = COLUMN_TARGETS.find((known) => name === `__${known}__`);
  if (column !== undefined) {
    if (recordType !== undefined && !hasColumn(recordType, column))
      return faulty("fault.target.no_column", { kinds: said(`kind.many.${recordType}`), column });
    return { kind: "column", name: column };
  }
  const known = ["idno", "type", "media", "relation:<relation_type>:<record_type>", ...COLUMN_TARGETS];
  const targets = known.map((each) => `__${each}__`).join(", ");
  return faulty("fault.target.unknown", { name: brief(name), targets });
}

/** The name of the target in reports. */
export function targetName(target: Target): string {
  return target.kind === "relation" ? target.relation_type : "name" in target ? target.name : target.kind;
}

function hasColumn(kind: Kind, column: ColumnTarget): boolean {
  if (column === "status") return true;
  return kinds[kind].columns.includes(column === "parent" ? "parent_id" : column);
}

/** Shortens a name or value for a message, and escapes it as in JSON, because it may go from a file to a terminal. */
export function brief(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text).slice(1, -1);
}

/** A column for a message. An XPath is shown without its long namespaces. */
export function shortColumn(column: string): string {
  return column.replace(/Q?\{[^{}]*[:/][^{}]*\}(?=[\p{L}_*])/gu, "");
}
