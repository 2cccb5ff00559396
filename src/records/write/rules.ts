/** The rules that a record must meet before it is written. Pure, except for the tree, which queries the database. */
import { type Account, mayDo, permissionTo, refuse } from "../../caller.ts";
import { readAs } from "../../http/faults.ts";
import { type Said, said } from "../../messages/said.ts";
import { type Fault, invalid, invalidAt, jsonPointer } from "../../problem.ts";
import type { Tx } from "../../services.ts";
import { unseenFault } from "../../text.ts";
import type { Kind } from "../kinds.ts";
import { kinds, oneOf } from "../kinds.ts";
import { LOANS } from "../links/loans.ts";
import { type Metadata, mergedEntries, type RecordRow, type RecordState } from "../record.ts";
import type { Schema } from "../schema.ts";
import { type Draft, draftShapes } from "../shape.ts";
import { maySeeField, type Unseen, visibleTo } from "../visibility.ts";
import { metadataFaults, missingFaults, tidyMetadata } from "./fields.ts";

/** A new record from a draft, with defaults filled in. The number may still be missing. */
export function newState(schema: Schema, kind: Kind, draft: Draft): RecordState {
  const fallback = [...(schema.subtypes.get(kind)?.values() ?? [])].find((subtype) => subtype.is_default);
  return {
    idno: draft.idno ?? "",
    subtype: draft.subtype ?? fallback?.name ?? "",
    status: draft.status ?? "draft",
    collection_status: kind === "object" ? (draft.collection_status ?? "active") : null,
    metadata: tidyMetadataIfKnown(schema, kind, draft.metadata ?? {}),
    lat: draft.lat ?? null,
    lon: draft.lon ?? null,
    parent_id: draft.parent_id ?? null,
    start_date: draft.start_date ?? null,
    end_date: draft.end_date ?? null,
    due_date: draft.due_date ?? null,
    reference_number: draft.reference_number ?? null,
  };
}

/**
 * A replacement: number, subtype and states keep their values if left out, and so does what the caller may not see;
 * everything else is as sent, or empty.
 */
export function replacedState(schema: Schema, row: RecordRow, draft: Draft, unseen: Unseen): RecordState {
  return newState(schema, row.record_type, {
    idno: row.idno,
    subtype: row.subtype,
    status: row.status,
    ...(row.collection_status === null ? {} : { collection_status: row.collection_status }),
    ...draft,
    parent_id: draft.parent_id ?? unseen.parent_id,
    metadata: { ...draft.metadata, ...unseen.metadata },
  });
}

/** A merge: the values of the draft replace those of the same field and language. An empty list empties its field. */
export function mergedState(schema: Schema, row: RecordRow, draft: Draft, unseen: Unseen): RecordState {
  const { id: _id, metadata = {}, parent_id = row.parent_id, ...columns } = draft;
  const kind = row.record_type;
  const given = { ...metadata, ...tidyMetadataIfKnown(schema, kind, metadata) };
  const merged = Object.entries(given).map(([name, entries]) => {
    const field = schema.fields.get(kind)?.get(name);
    const isOneValue = !field?.is_repeatable && !field?.is_translatable;
    const old = row.metadata[name] ?? [];
    return [name, isOneValue || entries.length === 0 ? entries : mergedEntries(old, entries)] as const;
  });
  return {
    ...row,
    ...columns,
    parent_id: parent_id ?? unseen.parent_id,
    metadata: tidyMetadataIfKnown(schema, kind, { ...row.metadata, ...Object.fromEntries(merged) }),
  };
}

/** Unknown fields stay until the check has reported them. */
function tidyMetadataIfKnown(
  schema: Schema,
  kind: Kind,
  metadata: RecordState["metadata"],
): RecordState["metadata"] {
  const known = schema.fields.get(kind);
  return Object.keys(metadata).every((name) => known?.has(name))
    ? tidyMetadata(schema, kind, metadata)
    : metadata;
}

/** The message for an unknown subtype. */
export function noSubtype(schema: Schema, kind: Kind, name: string): Said {
  const subtypes = subtypesOf(schema, kind);
  return said("fault.subtype.unknown", { value: name, field: kinds[kind].subtypeKey, subtypes });
}

const subtypesOf = (schema: Schema, kind: Kind): string =>
  [...(schema.subtypes.get(kind)?.keys() ?? [])].join(", ");

/** `unseen`: fields that the caller may not see. `before`: all that the record had. */
type Known = { unseen?: Metadata | undefined; before?: Metadata | undefined };

/** Every fault of a state, with its pointer. Faults quote values, so unseen fields have none. */
export function stateFaults(
  schema: Schema,
  kind: Kind,
  state: RecordState,
  { unseen = {}, before = {} }: Known = {},
): Fault[] {
  const seen = Object.entries(state.metadata).filter(([name]) => !Object.hasOwn(unseen, name));
  const faults = metadataFaults(schema, kind, Object.fromEntries(seen), before);
  const { subtypeKey } = kinds[kind];
  if (state.subtype === "") {
    const subtypes = subtypesOf(schema, kind);
    faults.push({ pointer: `/${subtypeKey}`, detail: said("fault.subtype.required", { subtypes }) });
  } else if (!schema.subtypes.get(kind)?.has(state.subtype)) {
    faults.push({ pointer: `/${subtypeKey}`, detail: noSubtype(schema, kind, state.subtype) });
  }
  if (kind === "storage_location" && state.status === "public") {
    faults.push({ pointer: "/status", detail: said("fault.storage_location.public") });
  }
  if ((state.lat === null) !== (state.lon === null)) {
    faults.push({
      pointer: state.lat === null ? "/lat" : "/lon",
      detail: said("fault.coordinates.incomplete"),
    });
  }
  if (state.start_date && state.end_date && state.end_date < state.start_date) {
    faults.push({
      pointer: "/end_date",
      detail: said("fault.dates.end_before_start", { field: "start_date" }),
    });
  }
  // other procedures may have been due before anybody began
  if (
    LOANS.includes(state.subtype) &&
    state.start_date &&
    state.due_date &&
    state.due_date < state.start_date
  ) {
    faults.push({
      pointer: "/due_date",
      detail: said("fault.dates.due_before_start", { field: "start_date" }),
    });
  }
  const invisible = unseenFault(state.idno);
  if (invisible) faults.push({ pointer: "/idno", detail: invisible });
  if (state.status === "public" && faults.length === 0)
    faults.push(...missingFaults(schema, kind, state.metadata));
  return faults;
}

/**
 * In a merge patch, null removes a member (RFC 7396): 422 for members that a record always has, and for unknown
 * names, which would otherwise be ignored.
 */
export function demandRemovable(
  schema: Schema,
  row: RecordRow,
  patch: Readonly<Record<string, unknown>>,
): void {
  const kind = row.record_type;
  const { metadata_, ...members } = patch;
  const shape = draftShapes[kind];
  const read = readAs(shape, removed(members, null));
  const faults = ("faults" in read ? read.faults : []).map((fault) =>
    Object.hasOwn(shape.shape, fault.pointer.slice(1))
      ? { ...fault, detail: said("fault.not_removable") }
      : fault,
  );
  const isObject = typeof metadata_ === "object" && metadata_ !== null && !Array.isArray(metadata_);
  const fields = isObject ? removed(metadata_, []) : {};
  for (const name of Object.keys(row.metadata)) delete fields[name];
  faults.push(...metadataFaults(schema, kind, fields));
  if (faults.length > 0) throw invalid(faults);
}

/** Callers may not overwrite values that they cannot see, nor find out by guessing. `metadata`: the changed fields. */
export function unseenFaults(schema: Schema, caller: Account, kind: Kind, metadata: object): Fault[] {
  return Object.keys(metadata).flatMap((name) => {
    const field = schema.fields.get(kind)?.get(name);
    return field === undefined || maySeeField(caller, field)
      ? []
      : [
          {
            pointer: jsonPointer("metadata_", name),
            detail: said("fault.field.hidden", { permission: permissionTo("read", kind) }),
          },
        ];
  });
}

function removed<V>(members: object, value: V): Record<string, V> {
  const nulls = Object.entries(members).filter(([, value]) => value === null);
  return Object.fromEntries(nulls.map(([name]) => [name, value]));
}

export function demandValid(schema: Schema, kind: Kind, state: RecordState, known: Known = {}): void {
  const faults = stateFaults(schema, kind, state, known);
  if (faults.length > 0) throw invalid(faults);
}

/** Changing to or from public needs `records:publish` (interface §2). `from`: null for a new record. */
export function mayChangeStatus(caller: Account, kind: Kind, from: string | null, to: string): boolean {
  return from === to || (from !== "public" && to !== "public") || mayDo(caller, "publish", kind);
}

export function demandPublish(caller: Account, kind: Kind, from: string | null, to: string): void {
  if (!mayChangeStatus(caller, kind, from, to)) throw refuse(caller, permissionTo("publish", kind));
}

/**
 * Lets one writer at a time into the tree of a kind, if it has one, so that two simultaneous moves cannot form a
 * circle, and nothing is put below a record that is being deleted. Called before any record is locked, to avoid
 * deadlocks.
 */
export async function lockTree(tx: Tx, kind: Kind): Promise<void> {
  if (!kinds[kind].columns.includes("parent_id")) return;
  await tx`select pg_advisory_xact_lock(hashtext(${`tree:${kind}`}))`;
}

/** A place in the tree of its kind. */
type Placed = { id: string; parent_id: string | null };

/**
 * Parents must be of the same kind, visible to the caller, and not below their children, even if many records are placed at
 * once. Call under `lockTree`.
 */
export async function demandTree(
  tx: Tx,
  caller: Account,
  kind: Kind,
  moves: readonly Placed[],
): Promise<void> {
  const parents = moves.flatMap(({ parent_id }) => parent_id ?? []);
  if (parents.length === 0) return;
  const placed = new Set(moves.map(({ id }) => id));
  const others = [...new Set(parents)].filter((id) => !placed.has(id));
  // `offset 0` forces an index look-up at every step
  const above = await tx<Placed[]>`
    with recursive up as (
      select r.id, r.parent_id from records r
      where r.id = any(${others}) and r.record_type = ${kind} and ${visibleTo(tx, caller)}
      union
      select p.id, p.parent_id
      from up, lateral (select r.id, r.parent_id from records r where r.id = up.parent_id offset 0) p)
    select id, parent_id from up`;
  const parentOf = new Map([...above, ...moves].map(({ id, parent_id }) => [id, parent_id]));
  if (parents.some((id) => !parentOf.has(id)))
    throw invalidAt("/parent_id", said("fault.parent.unknown_id", { kind: oneOf(kind) }));
  const sound = new Set<string>();
  for (const { id } of moves) {
    const way = new Set<string>();
    for (let at: string | null | undefined = id; at && !sound.has(at); at = parentOf.get(at)) {
      if (way.has(at)) throw invalidAt("/parent_id", said("fault.parent.circle"));
      way.add(at);
    }
    for (const each of way) sound.add(each);
  }
}
