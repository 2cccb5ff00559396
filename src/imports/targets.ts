/** The targets of a mapping: fields of the metadata, and names in double underscores. */

import { isKind, KINDS, type Kind, kinds } from "../records/kinds.ts";
import type { IfSeveral } from "../records/link-requests.ts";

/** Columns of a record that are not metadata; an addition of ours to the contract's four targets. */
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
      subtype?: string;
    }
  | { kind: "column"; name: ColumnTarget };

const RELATION = /^__relation:([^:]*):([^:]*)__$/;
const NAME = /^[a-z][a-z0-9_]*$/;

/** The target of this name for records of this type (by default any), or a sentence that says what is wrong. */
export function parseTarget(name: string, recordType?: Kind): Target | string {
  const relation = RELATION.exec(name);
  if (relation) {
    const [, relation_type, to_type] = relation as unknown as [string, string, string];
    if (!NAME.test(relation_type)) return `${quoted(relation_type)} cannot be the name of a relation type`;
    if (!isKind(to_type)) return `${quoted(to_type)} is not a record type; the types are ${KINDS.join(", ")}`;
    return { kind: "relation", relation_type, to_type };
  }
  if (!name.startsWith("_")) {
    if (NAME.test(name)) return { kind: "field", name };
    return `${quoted(name)} cannot be the name of a field: a field is written in small letters, digits and _`;
  }
  if (name === "__idno__") return { kind: "idno" };
  if (name === "__type__") return { kind: "type" };
  if (name === "__media__") {
    if (recordType !== undefined && recordType !== "object")
      return `only objects have media, not ${plural(recordType)}`;
    return { kind: "media" };
  }
  const column = COLUMN_TARGETS.find((known) => name === `__${known}__`);
  if (column !== undefined) {
    if (recordType !== undefined && !hasColumn(recordType, column))
      return `${plural(recordType)} have no ${column}`;
    return { kind: "column", name: column };
  }
  const known = ["idno", "type", "media", "relation:<relation_type>:<record_type>", ...COLUMN_TARGETS];
  return `${quoted(name)} is not a target; the targets are ${known.map((each) => `__${each}__`).join(", ")} and the fields`;
}

/** The name of the target in reports. */
export function targetName(target: Target): string {
  return target.kind === "relation" ? target.relation_type : "name" in target ? target.name : target.kind;
}

function hasColumn(kind: Kind, column: ColumnTarget): boolean {
  if (column === "status") return true;
  return kinds[kind].columns.includes(column === "parent" ? "parent_id" : column);
}

function plural(kind: Kind): string {
  return kinds[kind].many;
}

/** A name or value for a message: short, and in quotes. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

/** A column for a message; an XPath is shown without its namespaces, which are long. */
export function shortColumn(column: string): string {
  return column.replace(/Q?\{[^{}]*[:/][^{}]*\}(?=[\p{L}_*])/gu, "");
}
