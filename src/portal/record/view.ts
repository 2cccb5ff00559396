/** What a visitor sees of one record, in the reader's language: its page is made of this. */

import { VISITOR } from "../../caller.ts";
import { type Long, offsetOf } from "../../http/answer/list-envelope.ts";
import { type Language, translator } from "../../messages/translate.ts";
import type { Text } from "../../pages/texts.ts";
import { labelText } from "../../pages/texts.ts";
import { type Kind, kinds } from "../../records/kinds.ts";
import {
  attributed,
  isQualified,
  partedNotes,
  qualifierOf,
  readsAsMaker,
} from "../../records/links/attributions.ts";
import { isMaker } from "../../records/links/makers.ts";
import type { Medium } from "../../records/media/medium.ts";
import { isShown } from "../../records/media/pictures.ts";
import { countMedia, listMedia } from "../../records/media/store.ts";
import { type LinkGroup, publicLinks, publicNeighbours } from "../../records/public/links.ts";
import { countBelow, findRecord, idsBelow } from "../../records/read/store.ts";
import { type Entry, type Metadata, type RecordRow, sameLanguage } from "../../records/record.ts";
import { currentSchema, type Field, type Schema } from "../../records/schema.ts";
import { visibleMetadata } from "../../records/visibility.ts";
import { readHits, type ShownRecord } from "../../search/hits.ts";
import type { Services, Sql } from "../../services.ts";
import { type ShownEntry, shownFields } from "../../vocabularies/shown-fields.ts";
import { subtypeName } from "../card-facts.ts";
import { namesOfRights, type RightsNames } from "./rights.ts";

/** Pictures and other files of one object that its page shows at once. */
const MOST_MEDIA = 200;
/** Links of one kind. */
const MOST_LINKS = 24;
/** What is below in a tree. */
const MOST_BELOW = 200;
/** Other works of the same hand, or of the same collection. */
const MOST_ALSO = 6;

/**
 * `title`: that of a maker with the qualifier of the link ("workshop of Joris van Eck"). `notes`: what the link says of itself, a
 * role for example. `isMaker`: its role is none but that of a maker.
 */
export type Link = ShownRecord & { notes: readonly Text[]; isQualified: boolean; isMaker: boolean };
/** Those of one type, under one heading. */
export type Links = { type: string; label: Text; items: Link[]; long: Long };

export type RecordView = {
  row: RecordRow;
  /** What it is called; empty for "other". */
  subtype: Text;
  title: Entry;
  /** In the order of the schema, the title left out; each in the language that suits the reader best. */
  fields: { field: Field; label: Text; entries: ShownEntry[] }[];
  /** Its lasting address, when it has one. */
  ark: string | null;
  /** Which part of its lists the page shows, if they are long. */
  part: number;
  media: Medium[];
  mediaLong: Long;
  /** By what they mean from here. */
  links: Links[];
  /** What else there is by the first maker, and in the first collection: `of` is that record. */
  also: { type: string; of: Link; items: Link[] }[];
  parent: Link | null;
  children: Link[];
  childrenLong: Long;
  rightsNames: RightsNames;
};

/** Links of an object by which others like it are found. */
const ALSO = ["created_by", "in_collection"];

/** Null when visitors do not see it. */
export async function viewRecord(
  { sql, arks }: Pick<Services, "sql" | "arks">,
  kind: Kind,
  id: string,
  language: Language,
  part: number,
): Promise<RecordView | null> {
  const row = await findRecord(sql, VISITOR, kind, id);
  if (!row) return null;
  const schema = await currentSchema(sql, row.configuration_version);
  const metadata = visibleMetadata(schema, VISITOR, kind, row.metadata);
  const { titleField } = kinds[kind];
  const [title = { value: row.idno }] = entriesFor(metadata[titleField] ?? [], language);
  const subtype = schema.subtypes.get(kind)?.get(row.subtype);
  const mediaLong = { total: kind === "object" ? await countMedia(sql, VISITOR, id) : 0, size: MOST_MEDIA };
  const [shown, names, media, linked] = await Promise.all([
    shownFields(sql, schema, kind, metadata),
    arks.of(sql, [id]),
    mediaLong.total > 0
      ? listMedia(sql, VISITOR, id, { limit: MOST_MEDIA, offset: offsetOf(part, mediaLong) })
      : [],
    linkedTo(sql, schema, row, title.value, language, part),
  ]);
  return {
    row,
    subtype: subtypeName(subtype, row.subtype, language),
    title,
    fields: shown
      .filter(({ field }) => field.name !== titleField)
      .map(({ field, entries }) => ({
        field,
        label: labelText(field.label, language, field.name),
        entries: field.is_translatable ? entriesFor(entries, language) : entries,
      })),
    ark: names.get(id)?.url ?? null,
    part,
    media: media.filter(isShown),
    mediaLong,
    ...linked,
    rightsNames: await namesOfRights(sql, schema, language, addressesOfRights(metadata, media)),
  };
}

const addressesOfRights = (metadata: Metadata, media: readonly Medium[]): string[] => [
  ...(metadata.rights ?? []).map(({ value }) => value),
  ...media.flatMap(({ license_uri }) => license_uri ?? []),
];

/** Of one field; none when it has no public value. */
export const entriesOf = ({ fields }: Pick<RecordView, "fields">, name: string): ShownEntry[] =>
  fields.find(({ field }) => field.name === name)?.entries ?? [];

/** Names of who made it: of the records that it is linked to, else as the cataloguer wrote them. */
export function makersOf(record: RecordView): string[] {
  const linked = linkedMakers(record);
  return linked.length > 0
    ? linked.map(({ title }) => title)
    : entriesOf(record, "creator_text").map(({ value }) => value);
}

/** Those whom links name as makers, with and without a qualifier. */
export const linkedMakers = ({ links }: Pick<RecordView, "links">): Link[] =>
  (links.find(({ type }) => type === "created_by")?.items ?? []).filter((link) => link.isMaker);

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

/** All that leads away from here, named in one question. */
async function linkedTo(
  sql: Sql,
  schema: Schema,
  row: RecordRow,
  title: string,
  language: Language,
  part: number,
): Promise<Pick<RecordView, "links" | "also" | "parent" | "children" | "childrenLong">> {
  const [groups, children] = await Promise.all([
    publicLinks(sql, schema, row, { part, size: MOST_LINKS }),
    childrenOf(sql, row, part),
  ]);
  const { below } = children;
  const hubs = row.record_type === "object" ? hubsOf(groups) : [];
  const beside = await publicNeighbours(sql, row.id, hubs, MOST_ALSO);
  const ids = [
    ...groups.flatMap(({ links }) => links.map(({ other_id }) => other_id)),
    ...beside.flat(),
    ...below,
    ...(row.parent_id === null ? [] : [row.parent_id]),
  ];
  const shown = await readHits(sql, schema, VISITOR, [...new Set(ids)], [language]);
  const t = translator(language);
  /** `qualifier`: read with its name. */
  const link = (id: string, metadata: Metadata = {}, qualifier: string | null = null): Link[] => {
    const found = shown.get(id);
    if (!found) return [];
    const notes = Object.values(partedNotes(metadata).notes).flatMap((entries) =>
      entriesFor(entries, language),
    );
    const { lang: _, ...unmarked } = found;
    const named = qualifier === null ? found : { ...unmarked, title: attributed(t, qualifier, found.title) };
    return [{ ...named, notes, isQualified: isQualified(metadata), isMaker: isMaker(metadata) }];
  };
  const linksOf = ({ type, label, links, total }: LinkGroup): Links[] => {
    const plain = labelText(label, language, type);
    const long = { total, size: MOST_LINKS };
    const all = links.map((each) => ({ ...each, qualifier: qualifierOf(schema, each.metadata, language) }));
    if (schema.relationTypes.has(type)) {
      const isMaker = links.some(({ metadata }) => readsAsMaker(type, metadata));
      const items = all.flatMap(({ other_id, metadata, qualifier }) => link(other_id, metadata, qualifier));
      return [{ type, label: isMaker ? { value: t("attribution.maker") } : plain, items, long }];
    }
    // what the workshop made is not by the master
    const qualifiers = [...new Set(all.map(({ qualifier }) => qualifier))].sort(
      (a, b) => Number(a !== null) - Number(b !== null),
    );
    return qualifiers.map((qualifier, index) => {
      const own = all.filter((each) => each.qualifier === qualifier);
      return {
        type,
        label: qualifier === null ? plain : { value: attributed(t, qualifier, title) },
        items: own.flatMap(({ other_id, metadata }) => link(other_id, metadata)),
        long: index < qualifiers.length - 1 ? { ...long, total: own.length } : long,
      };
    });
  };
  return {
    links: groups.flatMap(linksOf),
    also: hubs.flatMap(({ relationType: type, id }, index) =>
      link(id).map((of) => ({ type, of, items: beside[index]!.flatMap((other) => link(other)) })),
    ),
    parent: (row.parent_id !== null && link(row.parent_id)[0]) || null,
    children: below.flatMap((id) => link(id)),
    childrenLong: children.long,
  };
}

/** What is below it in a tree. */
async function childrenOf(
  sql: Sql,
  { record_type, id }: RecordRow,
  part: number,
): Promise<{ below: string[]; long: Long }> {
  const long = { total: 0, size: MOST_BELOW };
  if (!kinds[record_type].columns.includes("parent_id")) return { below: [], long };
  long.total = await countBelow(sql, VISITOR, record_type, id);
  const page = { limit: MOST_BELOW, offset: offsetOf(part, long) };
  return { below: await idsBelow(sql, VISITOR, record_type, id, page), long };
}

function hubsOf(groups: readonly LinkGroup[]): { relationType: string; id: string }[] {
  return ALSO.flatMap((relationType) => {
    const first = groups
      .find(({ type }) => type === relationType)
      ?.links.find(({ metadata }) => !isQualified(metadata) && isMaker(metadata));
    return first ? [{ relationType, id: first.other_id }] : [];
  });
}
