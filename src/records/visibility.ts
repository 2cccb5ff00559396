/**
 * The only place that says who may see what.
 *
 * Visitors see public records and their public fields. Accounts see the kinds that their role may read, whole, and of all
 * others what visitors see: signing in takes nothing away (contract §5.1). Storage locations are never public.
 * What a caller does not see is not there for their writes either (404), and stays as it is.
 */
import { type Caller, mayDo, mayUse } from "../caller.ts";
import type { SearchScope } from "../search-index.ts";
import type { Sql, Tx } from "../services.ts";
import { KINDS, type Kind, STATUSES, type Status } from "./kinds.ts";
import { type Metadata, type RecordRow, recordJson, tidyEntry } from "./record.ts";
import type { Field, RelationType, Schema } from "./schema.ts";

const PUBLIC_KINDS: readonly Kind[] = KINDS.filter((kind) => kind !== "storage_location");

/** The kinds that search knows: storage locations have lists, but are no value of its `type` (contract §2.1). */
const SEARCHABLE_KINDS = PUBLIC_KINDS;

/** The kinds that this caller sees whole, whatever the status; none for visitors. */
export function wholeKinds(caller: Caller): readonly Kind[] {
  return KINDS.filter((kind) => mayDo(caller, "read", kind));
}

/** The kinds of which this caller can see anything, be it only what is public. */
export function readableKinds(caller: Caller): readonly Kind[] {
  return KINDS.filter((kind) => PUBLIC_KINDS.includes(kind) || mayDo(caller, "read", kind));
}

/** A condition on a table of records named `r`: only rows that this caller may see, none from the trash. */
export function visibleTo(sql: Sql | Tx, caller: Caller) {
  return sql`(r.deleted_at is null and ${openTo(sql, caller)})`;
}

/** The same of the trash: what this caller would see if it were not there. */
export function visibleInTrash(sql: Sql, caller: Caller) {
  return sql`(r.deleted_at is not null and r.purged_at is null and ${openTo(sql, caller)})`;
}

function openTo(sql: Sql | Tx, caller: Caller) {
  const whole = wholeKinds(caller) as string[];
  if (whole.length === KINDS.length) return sql`true`;
  const open = sql`(r.status = 'public' and r.record_type <> 'storage_location')`;
  return whole.length === 0 ? open : sql`(r.record_type = any(${whole}) or ${open})`;
}

/**
 * A condition on media named `m` of objects named `r`: a medium is public when it is public and its object is (interface
 * §6); who sees the object whole sees all of its media. None from the trash.
 */
export function visibleMedia(sql: Sql | Tx, caller: Caller) {
  return sql`(m.deleted_at is null and ${visibleTo(sql, caller)} and ${mediaOpenTo(sql, caller)})`;
}

/** The same of media that lie in the trash while their object does not. */
export function visibleMediaTrash(sql: Sql | Tx, caller: Caller) {
  return sql`(m.deleted_at is not null and ${visibleTo(sql, caller)} and ${mediaOpenTo(sql, caller)})`;
}

function mediaOpenTo(sql: Sql | Tx, caller: Caller) {
  return seesPrivateMedia(caller) ? sql`true` : sql`m.visibility = 'public'`;
}

/** Whether this caller sees media that are not public, and files as they were sent, with what cameras write into them. */
export function seesPrivateMedia(caller: Caller): boolean {
  return mayDo(caller, "read", "object");
}

/** The parent of a record named `r`, which is of the same kind: visitors are told of public ones only, as of any other link. */
export function visibleParent(sql: Sql | Tx, caller: Caller) {
  const open = sql`(
    select p.id from records p where p.id = r.parent_id and p.deleted_at is null and p.status = 'public')`;
  const whole = wholeKinds(caller) as string[];
  if (whole.length === 0) return open;
  return whole.length === KINDS.length
    ? sql`r.parent_id`
    : sql`case when r.record_type = any(${whole}) then r.parent_id else ${open} end`;
}

/** A condition on a table of records named `r`: below this parent, or below none (null), as `visibleParent` tells it. */
export function isBelow(sql: Sql, caller: Caller, parentId: string | null) {
  if (parentId === null) return sql`${visibleParent(sql, caller)} is null`;
  // the first half asks the index
  return sql`(r.parent_id = ${parentId} and ${visibleParent(sql, caller)} is not null)`;
}

type Standing = { record_type: Kind; status: Status; deleted_at: string | null };

/** `visibleTo` for a row already at hand. */
export function maySee(caller: Caller, row: Standing): boolean {
  return row.deleted_at === null && isOpenTo(caller, row);
}

/** `visibleInTrash` for a row already at hand. */
export function maySeeInTrash(caller: Caller, row: Standing): boolean {
  return row.deleted_at !== null && isOpenTo(caller, row);
}

function isOpenTo(caller: Caller, { record_type, status }: Standing): boolean {
  return mayDo(caller, "read", record_type) || (status === "public" && record_type !== "storage_location");
}

export function maySeeField(caller: Caller, field: Field): boolean {
  return field.is_public || mayDo(caller, "read", field.record_type);
}

export function maySeeRelationType(caller: Caller, type: RelationType): boolean {
  return type.is_public || caller.kind === "account";
}

/** A link belongs to the record at its first end: one of a type that is not public is for those who see that one whole. */
export function maySeeLinksOf(caller: Caller, type: RelationType, owner: Kind): boolean {
  return type.is_public || mayDo(caller, "read", owner);
}

/** Metadata without what this caller may not see, in the order of the schema's fields. */
export function visibleMetadata(schema: Schema, caller: Caller, kind: Kind, metadata: Metadata): Metadata {
  const visible: Metadata = {};
  for (const field of schema.fields.get(kind)?.values() ?? []) {
    const entries = metadata[field.name];
    // the database keeps keys in an order of its own
    if (entries !== undefined && maySeeField(caller, field)) visible[field.name] = entries.map(tidyEntry);
  }
  return visible;
}

/** What of a record its writer does not see, and therefore neither changes nor loses. */
export type Unseen = { metadata: Metadata; parent_id: string | null };

/** `hidden`: the parents that are not told to the caller (`hiddenParents`). */
export function unseenOf(
  schema: Schema,
  caller: Caller,
  row: RecordRow,
  hidden: ReadonlySet<string>,
): Unseen {
  const fields = schema.fields.get(row.record_type);
  const unseen = Object.entries(row.metadata).filter(([name]) => {
    const field = fields?.get(name);
    return field !== undefined && !maySeeField(caller, field);
  });
  const { parent_id } = row;
  return {
    metadata: Object.fromEntries(unseen),
    parent_id: parent_id !== null && hidden.has(parent_id) ? parent_id : null,
  };
}

/** A vocabulary is as open as the fields that use it; one that no field uses is open. Who makes them sees all. */
export function maySeeVocabulary(schema: Schema, caller: Caller, name: string): boolean {
  if (mayUse(caller, "schemas:manage")) return true;
  const fields = [...schema.fields.values()].flatMap((ofKind) => [...ofKind.values()]);
  const using = fields.filter(({ vocabulary }) => vocabulary === name);
  return using.length === 0 || using.some((field) => maySeeField(caller, field));
}

/** A record as this caller may see it. */
export function visibleRecord(schema: Schema, caller: Caller, row: RecordRow): Record<string, unknown> {
  return recordJson(row, visibleMetadata(schema, caller, row.record_type, row.metadata));
}

/** Whether no kind of record is closed to the caller: else what they read must not tell of records that they may not. */
export function readsAll(caller: Caller): boolean {
  return wholeKinds(caller).length === KINDS.length;
}

/**
 * What a search may find (interface §3): of each kind all, or what the public search filter lets through. Who asks for no
 * kind that they see whole, and everybody at the portal, gets the latter whatever the status: all others find nothing
 * public among drafts.
 */
export function searchScopes(
  caller: Caller,
  asked: { types?: readonly Kind[]; status?: Status; portal: boolean },
  publicCollectionStatuses: readonly string[],
): SearchScope[] {
  const wanted = asked.types ?? SEARCHABLE_KINDS;
  const whole = asked.portal ? [] : wanted.filter((kind) => mayDo(caller, "read", kind));
  const open = wanted.filter((kind) => PUBLIC_KINDS.includes(kind) && !whole.includes(kind));
  const all: SearchScope[] = [
    {
      audience: readsAll(caller) ? "staff" : "limited",
      recordTypes: whole,
      statuses: asked.status ? [asked.status] : STATUSES,
      collectionStatuses: null,
    },
    {
      audience: "public",
      recordTypes: whole.length === 0 || (asked.status ?? "public") === "public" ? open : [],
      statuses: ["public"],
      collectionStatuses: publicCollectionStatuses,
    },
  ];
  return all.filter(({ recordTypes }) => recordTypes.length > 0);
}
