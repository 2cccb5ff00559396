/** What a visitor sees of one record, in the reader's language: its page is made of this. */
import { VISITOR } from "../caller.ts";
import type { Medium } from "../media/medium.ts";
import { listMedia } from "../media/store.ts";
import { labelIn } from "../pages/labels.ts";
import type { Language } from "../pages/messages.ts";
import { type Kind, kinds } from "../records/kinds.ts";
import { type Entry, type RecordRow, sameLanguage } from "../records/record.ts";
import { listRelations, type RelationJson } from "../records/relations.ts";
import { currentSchema, type Field, type Schema } from "../records/schema.ts";
import { findRecord } from "../records/store.ts";
import { isBelow, visibleMetadata, visibleTo } from "../records/visibility.ts";
import { shownRecords } from "../search/hits.ts";
import type { Services, Sql } from "../services.ts";
import { type ShownEntry, shownFields } from "../vocabularies/shown-fields.ts";

/** Pictures and other files of one object that its page shows. */
const MOST_MEDIA = 200;
/** Links of one record that its page shows; who has more is told how many there are. */
const MOST_LINKS = 200;

export type Link = { kind: Kind; id: string; title: string; note: string | null };

export type RecordView = {
  row: RecordRow;
  subtype: string;
  title: Entry;
  /** In the order of the schema, the title left out; each in the language that suits the reader best. */
  fields: { field: Field; label: string; entries: ShownEntry[] }[];
  /** Its lasting address, when it has one. */
  ark: string | null;
  media: Medium[];
  /** By what they mean from here, in the order of the relation types. */
  links: { type: string; label: string; items: Link[] }[];
  /** Links beyond those that are shown. */
  furtherLinks: number;
  parent: Link | null;
  children: Link[];
};

/** Null when visitors do not see it. */
export async function viewRecord(
  { sql, arks }: Pick<Services, "sql" | "arks">,
  kind: Kind,
  id: string,
  language: Language,
): Promise<RecordView | null> {
  const row = await findRecord(sql, VISITOR, kind, id);
  if (!row) return null;
  const schema = await currentSchema(sql, row.configuration_version);
  const metadata = visibleMetadata(schema, VISITOR, kind, row.metadata);
  const { titleField } = kinds[kind];
  const [title = { value: row.idno }] = entriesFor(metadata[titleField] ?? [], language);
  const subtype = schema.subtypes.get(kind)?.get(row.subtype);
  return {
    row,
    subtype: subtype ? labelIn(subtype.label, language, subtype.name) : row.subtype,
    title,
    fields: (await shownFields(sql, schema, kind, metadata))
      .filter(({ field }) => field.name !== titleField)
      .map(({ field, entries }) => ({
        field,
        label: labelIn(field.label, language, field.name),
        entries: field.is_translatable ? entriesFor(entries, language) : entries,
      })),
    ark: (await arks.of(sql, [id])).get(id)?.url ?? null,
    media: kind === "object" ? await listMedia(sql, VISITOR, id, { limit: MOST_MEDIA, offset: 0 }) : [],
    ...(await linksOf(sql, schema, row, language)),
    ...(await familyOf(sql, schema, row, language)),
  };
}

/** Those in the reader's language, else those of no language, else those of the first one. */
export function entriesFor<E extends Entry>(entries: readonly E[], language: Language): E[] {
  const inLanguage = (tag: string | undefined) =>
    entries.filter(({ lang }) => (tag === undefined ? lang === undefined : sameLanguage(lang, tag)));
  for (const tag of [language, undefined, entries[0]?.lang]) {
    const found = inLanguage(tag);
    if (found.length > 0) return found;
  }
  return [];
}

async function linksOf(
  sql: Sql,
  schema: Schema,
  row: RecordRow,
  language: Language,
): Promise<Pick<RecordView, "links" | "furtherLinks">> {
  const { total, items } = await listRelations(sql, VISITOR, schema, row, { limit: MOST_LINKS, offset: 0 });
  const ids = items.map(({ to_id }) => to_id);
  const shown = await shownRecords(sql, schema, VISITOR, ids, [language]);
  const groups = new Map<string, { type: string; label: string; items: Link[] }>();
  for (const link of items) {
    const other = shown.get(link.to_id);
    if (!other) continue;
    const { relation_type: type, label } = link;
    const group = groups.get(type) ?? { type, label: labelIn(label, language, type), items: [] };
    group.items.push({
      kind: other.record_type,
      id: other.id,
      title: other.title,
      note: noteOf(link, language),
    });
    groups.set(type, group);
  }
  return { links: [...groups.values()], furtherLinks: total - items.length };
}

/** What a link says of itself, a role for example. */
function noteOf({ metadata_ }: RelationJson, language: Language): string | null {
  const values = Object.values(metadata_).flatMap((entries) => entriesFor(entries, language));
  return values.length === 0 ? null : values.map(({ value }) => value).join(", ");
}

/** What is above and below in a tree of the record's own kind. */
async function familyOf(
  sql: Sql,
  schema: Schema,
  { id, record_type: kind, parent_id }: RecordRow,
  language: Language,
): Promise<Pick<RecordView, "parent" | "children">> {
  if (!kinds[kind].columns.includes("parent_id")) return { parent: null, children: [] };
  const below = await sql<{ id: string }[]>`
    select r.id from records r
    where r.record_type = ${kind} and ${visibleTo(sql, VISITOR)} and ${isBelow(sql, VISITOR, id)}
    order by r.idno limit ${MOST_LINKS}`;
  const ids = below.map((child) => child.id);
  const shown = await shownRecords(sql, schema, VISITOR, parent_id ? [parent_id, ...ids] : ids, [language]);
  const link = (other: string): Link[] => {
    const found = shown.get(other);
    return found ? [{ kind, id: other, title: found.title, note: null }] : [];
  };
  return { parent: (parent_id && link(parent_id)[0]) || null, children: ids.flatMap(link) };
}
