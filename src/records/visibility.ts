/**
 * The only place that decides who may see what.
 *
 * Visitors see public records and their public fields. Accounts see the kinds that their role may read in full, and
 * of all other kinds what visitors see: signing in takes nothing away (contract §5.1). Storage locations are never
 * public. What a caller may not see, they cannot write either (404), and their writes do not change it.
 */
import { type Caller, mayDo, mayUse, VISITOR } from "../caller.ts";
import type { SearchScope } from "../ports/search-index.ts";
import type { Sql, Tx } from "../services.ts";
import { KINDS, type Kind, kinds, PUBLIC_KINDS, STATUSES, type Status } from "./kinds.ts";
import { type Entry, type Metadata, type RecordRow, recordJson, tidyEntry } from "./record.ts";
import { type Field, fieldsOf, type RelationType, type Schema, type Subtype } from "./schema.ts";

/** The kinds that this caller sees in full, in any status; none for visitors. */
export function wholeKinds(caller: Caller): readonly Kind[] {
  return KINDS.filter((kind) => mayDo(caller, "read", kind));
}

/** The kinds of which this caller can see anything, even if only public records. */
export function readableKinds(caller: Caller): readonly Kind[] {
  return KINDS.filter((kind) => PUBLIC_KINDS.includes(kind) || mayDo(caller, "read", kind));
}

/** A condition on a table of records named `r`: rows that this caller may see, without the trash. */
export function visibleTo(sql: Sql | Tx, caller: Caller, kind?: Kind) {
  return sql`(r.deleted_at is null and ${openTo(sql, caller, kind)})`;
}

/** A condition on records named `r`: those of the public search filter (interface §2). Lists and counts for visitors hold no others. */
export function foundByVisitors(sql: Sql, publicCollectionStatuses: readonly string[]) {
  const statuses = publicCollectionStatuses as string[];
  return sql`(${visibleTo(sql, VISITOR)} and (r.collection_status is null or r.collection_status = any(${statuses})))`;
}

/** `visibleTo` for the trash: records that this caller could see if they were restored. Merged ones come back by an undo. */
export function visibleInTrash(sql: Sql | Tx, caller: Caller) {
  return sql`(r.merged_into is null and ${visibleDeleted(sql, caller)})`;
}

/** The same with merged records, which histories name. */
export function visibleDeleted(sql: Sql | Tx, caller: Caller) {
  return sql`(r.deleted_at is not null and r.purged_at is null and ${openTo(sql, caller)})`;
}

function openTo(sql: Sql | Tx, caller: Caller, kind?: Kind) {
  const whole = wholeKinds(caller) as string[];
  if (whole.length === KINDS.length || (kind && whole.includes(kind))) return sql`true`;
  const open = sql`(r.status = 'public' and r.record_type <> 'storage_location')`;
  return whole.length === 0 ? open : sql`(r.record_type = any(${whole}) or ${open})`;
}

/**
 * A condition on media named `m` of objects named `r`: visitors see a public medium of a public object (interface
 * §6); callers who see the object in full see all its media. Without the trash.
 */
export function visibleMedia(sql: Sql | Tx, caller: Caller) {
  return sql`(m.deleted_at is null and ${visibleTo(sql, caller)} and ${mediaOpenTo(sql, caller)})`;
}

/** The same for media in the trash whose object is not in the trash. */
export function visibleMediaTrash(sql: Sql | Tx, caller: Caller) {
  return sql`(m.deleted_at is not null and ${visibleTo(sql, caller)} and ${mediaOpenTo(sql, caller)})`;
}

/** A condition on media named `m`: pictures that can be shown. A picture in the state `error` cannot be decoded. */
export function isPicture(sql: Sql | Tx) {
  return sql`(m.category = 'image' and m.width is not null and m.status <> 'error')`;
}

/** Of an object named `r`: `public` if visitors who see it also see a picture of it, `private` if only staff do, else null. */
export function pictureOf(sql: Sql | Tx) {
  return sql`(
    select case when bool_or(${mediaOpenTo(sql, VISITOR)}) then 'public' when count(*) > 0 then 'private' end
    from object_media m where m.object_id = r.id and m.deleted_at is null and ${isPicture(sql)})`;
}

/** A condition on media named `m`: all but broken pictures, and captions, which stand with the film or sound that they belong to. */
export function isShown(sql: Sql | Tx) {
  return sql`(m.category not in ('image', 'captions') or ${isPicture(sql)})`;
}

function mediaOpenTo(sql: Sql | Tx, caller: Caller) {
  return seesPrivateMedia(caller) ? sql`true` : sql`m.visibility = 'public'`;
}

/** Whether this caller sees non-public media, and original files with their camera metadata. */
export function seesPrivateMedia(caller: Caller): boolean {
  return mayDo(caller, "read", "object");
}

/** Whether the caller may change records of this kind, and so compares their versions (`If-Match`). */
export function mayWrite(caller: Caller, kind: Kind): boolean {
  return (["update", "delete", "publish"] as const).some((action) => mayDo(caller, action, kind));
}

/** Whether the caller may make records of this kind public, and take them back. */
export function mayPublish(caller: Caller, kind: Kind): boolean {
  return PUBLIC_KINDS.includes(kind) && mayDo(caller, "publish", kind);
}

/** The date of the last public change of a record named `r`, or that of its publication until it has one. */
export function publicDate(sql: Sql | Tx) {
  return sql`coalesce((select d.datestamp from public_dates d where d.record_id = r.id), r.published_at, r.created_at)`;
}

/** The parent of a record named `r`. Visitors see public parents only, as with any link. */
export function visibleParent(sql: Sql | Tx, caller: Caller) {
  const open = sql`(
    select p.id from records p where p.id = r.parent_id and p.deleted_at is null and p.status = 'public')`;
  const whole = wholeKinds(caller) as string[];
  if (whole.length === 0) return open;
  return whole.length === KINDS.length
    ? sql`r.parent_id`
    : sql`case when r.record_type = any(${whole}) then r.parent_id else ${open} end`;
}

/** A condition on a table of records named `r`: directly below this parent, or without a parent (null), according to `visibleParent`. */
export function isBelow(sql: Sql, caller: Caller, parentId: string | null) {
  if (parentId === null) return sql`${visibleParent(sql, caller)} is null`;
  // the first half uses the index
  return sql`(r.parent_id = ${parentId} and ${visibleParent(sql, caller)} is not null)`;
}

type Standing = { record_type: Kind; status: Status; deleted_at: string | null };

/** `visibleTo` for a row already at hand. */
export function maySee(caller: Caller, row: Standing): boolean {
  return row.deleted_at === null && isOpenTo(caller, row);
}

/** `visibleInTrash` for a row already at hand. */
export function maySeeInTrash(caller: Caller, row: Standing & { merged_into: string | null }): boolean {
  return row.merged_into === null && maySeeDeleted(caller, row);
}

/** `visibleDeleted` for a row already at hand that was not purged. */
export function maySeeDeleted(caller: Caller, row: Standing): boolean {
  return row.deleted_at !== null && isOpenTo(caller, row);
}

function isOpenTo(caller: Caller, { record_type, status }: Standing): boolean {
  return mayDo(caller, "read", record_type) || (status === "public" && record_type !== "storage_location");
}

export function maySeeField(caller: Caller, field: Field): boolean {
  return field.is_public || mayDo(caller, "read", field.record_type);
}

/** The fields of a kind that this caller may see. */
export function visibleFields(schema: Schema, caller: Caller, kind: Kind): Field[] {
  return [...fieldsOf(schema, kind).values()].filter((field) => maySeeField(caller, field));
}

/** The subtypes of a kind; in their forms, only fields that this caller may see. Callers who manage fields see all. */
export function visibleSubtypes(schema: Schema, caller: Caller, kind: Kind): Subtype[] {
  const all = [...(schema.subtypes.get(kind)?.values() ?? [])];
  if (mayUse(caller, "schemas:manage")) return all;
  const seen = new Set(visibleFields(schema, caller, kind).map(({ name }) => name));
  return all.map((subtype) => ({ ...subtype, form: subtype.form.filter((name) => seen.has(name)) }));
}

export function maySeeRelationType(caller: Caller, type: RelationType): boolean {
  return type.is_public || caller.kind === "account";
}

/** A link belongs to the record at its first end: a link of a non-public type is only for callers who see that record in full. */
export function maySeeLinksOf(caller: Caller, type: RelationType, owner: Kind): boolean {
  return type.is_public || mayDo(caller, "read", owner);
}

/** The metadata that this caller may see, in the order of the schema's fields. */
export function visibleMetadata(schema: Schema, caller: Caller, kind: Kind, metadata: Metadata): Metadata {
  const visible: Metadata = {};
  for (const field of schema.fields.get(kind)?.values() ?? []) {
    const entries = metadata[field.name];
    // the database stores keys in its own order
    if (entries !== undefined && maySeeField(caller, field)) visible[field.name] = entries.map(tidyEntry);
  }
  return visible;
}

/** The entries that name a record of this kind, if this caller may see them. */
export const visibleNames = (
  schema: Schema,
  caller: Caller,
  kind: Kind,
  names: readonly Entry[] | null | undefined,
): readonly Entry[] => {
  const field = fieldsOf(schema, kind).get(kinds[kind].titleField);
  return names && field && maySeeField(caller, field) ? names : [];
};

/** The parts of a record that the writer may not see, and so neither changes nor loses. */
export type Unseen = { metadata: Metadata; parent_id: string | null };

/** `hidden`: the parents that the caller may not see (`hiddenParents`). */
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

/** A vocabulary is visible if one of its fields is, or if no field uses it. Callers who manage vocabularies see all. */
export function maySeeVocabulary(schema: Schema, caller: Caller, name: string): boolean {
  if (mayUse(caller, "schemas:manage")) return true;
  const fields = [...schema.fields.values()].flatMap((ofKind) => [...ofKind.values()]);
  const using = fields.filter(({ vocabulary }) => vocabulary === name);
  return using.length === 0 || using.some((field) => maySeeField(caller, field));
}

/** A record as this caller may see it. */
export function visibleRecord(
  schema: Schema,
  caller: Caller,
  row: Omit<RecordRow, "title">,
): Record<string, unknown> {
  return recordJson(row, visibleMetadata(schema, caller, row.record_type, row.metadata));
}

/** Whether the caller may read all kinds of record in full; otherwise answers must not reveal other records. */
export function readsAll(caller: Caller): boolean {
  return wholeKinds(caller).length === KINDS.length;
}

/**
 * What a search may find (interface §3): for each kind all records, or those of the public search filter. The public
 * filter overrides the requested status if the caller sees none of the kinds in full, and always at the portal; other
 * callers who ask for drafts find no public records.
 */
export function searchScopes(
  caller: Caller,
  asked: { types?: readonly Kind[]; status?: Status; portal: boolean },
  publicCollectionStatuses: readonly string[],
): SearchScope[] {
  // storage locations have lists, but are not a value of `type` (contract §2.1)
  const wanted = asked.types ?? PUBLIC_KINDS;
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
