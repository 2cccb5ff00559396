/** The data of a record's page: what visitors see, in the reader's language. */

import { VISITOR } from "../../caller.ts";
import { type Long, offsetOf } from "../../http/answer/list-envelope.ts";
import type { Language } from "../../messages/translate.ts";
import { labelText, type Text } from "../../pages/texts.ts";
import type { View } from "../../pages/view.ts";
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
import { publicBorrowers } from "../../records/public/borrowers.ts";
import { type LinkGroup, publicLinks, publicNeighbours } from "../../records/public/links.ts";
import { publicRecord } from "../../records/public/record.ts";
import { type ShownEntry, shownFields } from "../../records/public/terms.ts";
import { countBelow, idsBelow } from "../../records/read/store.ts";
import { type Entry, type Metadata, type RecordRow, sameLanguage } from "../../records/record.ts";
import { currentSchema, type Field, type Schema } from "../../records/schema.ts";
import type { Services, Sql } from "../../services.ts";
import { type CardFacts, subtypeName } from "../card-facts.ts";
import { type Deck, readDeck } from "../cards.ts";
import { notesInWords } from "./notes.ts";
import { namesOfRights, type RightsNames } from "./rights.ts";

/** The most files of an object on one page, and on the page that shows all; a manifest has as many. */
const MOST_MEDIA = 200;
const ALL_MEDIA = 5_000;
/** The most links of one type. */
const MOST_LINKS = 24;
/** The most records below a record in a tree. */
const MOST_BELOW = 200;
/** The most other objects by the same maker, or in the same collection. */
const MOST_ALSO = 6;

/**
 * `title`: for makers with the qualifier of the link ("workshop of Joris van Eck"). `notes`: values of the link itself, for
 * example a role. `isMaker`: the link has no other role than that of a maker.
 */
export type Link = CardFacts["record"] & { notes: readonly Text[]; isQualified: boolean; isMaker: boolean };
/** The links of one type, which have one heading. */
type Links = { type: string; label: Text; items: Link[]; long: Long };

export type RecordView = {
  row: RecordRow;
  /** The name of the subtype; empty for "other". */
  subtype: Text;
  title: Entry;
  /** In the order of the schema, without the title, in the best language for the reader. */
  fields: { field: Field; label: Text; entries: ShownEntry[] }[];
  /** The persistent address, if there is one. */
  ark: string | null;
  /** Which part of long lists the page shows. */
  part: number;
  media: Medium[];
  mediaLong: Long;
  /** The reader asked for all files (`?media=all`). */
  allMedia: boolean;
  /** The files that are captions of films and sounds. */
  captions: Medium[];
  /** By type, in the direction from this record. */
  links: Links[];
  /** Other objects of the first maker and of the first collection. `of`: the maker or the collection. */
  also: { type: string; of: Link; items: Link[] }[];
  /** The cards of all linked records. */
  deck: Deck;
  parent: Link | null;
  /** To whom the object is lent, if the museum shows it. */
  borrowers: Link[];
  children: Link[];
  childrenLong: Long;
  rightsNames: RightsNames;
};

/** The relation types by which similar objects are found. */
const ALSO = ["created_by", "in_collection"];

/**
 * Null if visitors do not see the record. Independent statements are sent together, since waiting for a database server takes
 * longer than its work.
 */
export async function viewRecord(
  services: Pick<Services, "sql" | "arks" | "config">,
  view: View,
  { kind, id, part, allMedia }: { kind: Kind; id: string; part: number; allMedia: boolean },
): Promise<RecordView | null> {
  const { sql } = services;
  const { language } = view.t;
  const { publicCollectionStatuses } = services.config;
  const links = currentSchema(sql, view.settings.version).then((schema) =>
    publicLinks(sql, schema, { id, record_type: kind }, { part, size: MOST_LINKS }, publicCollectionStatuses),
  );
  const [record, { items: media, long: mediaLong }, children, groups, borrowers] = await Promise.all([
    publicRecord(services, VISITOR, kind, id),
    mediaOf(sql, kind, id, allMedia ? ALL_MEDIA : MOST_MEDIA),
    childrenOf(sql, kind, id, part),
    links,
    kind === "object" && view.settings.show_borrower ? publicBorrowers(sql, id) : [],
  ]);
  if (!record) return null;
  const { row, schema, titles, values, ark } = record;
  const [title = { value: row.idno }] = entriesFor(titles, language);
  const [shown, rightsNames, linked] = await Promise.all([
    shownFields(sql, schema, kind, values),
    namesOfRights(sql, schema, language, addressesOfRights(values, media)),
    linkedTo(sql, schema, view, {
      row,
      title: title.value,
      groups,
      below: children.items,
      borrowers,
      publicCollectionStatuses,
    }),
  ]);
  return {
    row,
    subtype: subtypeName(schema, row, language),
    title,
    fields: shown.map(({ field, entries }) => ({
      field,
      label: labelText(field.label, language, field.name),
      entries: field.is_translatable ? entriesFor(entries, language) : entries,
    })),
    ark,
    part,
    media: media.filter(isShown),
    mediaLong,
    allMedia,
    captions: media.filter(({ category }) => category === "captions"),
    ...linked,
    childrenLong: children.long,
    rightsNames,
  };
}

const addressesOfRights = (metadata: Metadata, media: readonly Medium[]): string[] => [
  ...(metadata.rights ?? []).map(({ value }) => value),
  ...media.flatMap(({ license_uri }) => license_uri ?? []),
];

export const isLent = ({ collection_status }: Pick<RecordRow, "collection_status">): boolean =>
  collection_status === "on_loan_out";

/** The public values of one field. */
export const entriesOf = ({ fields }: Pick<RecordView, "fields">, name: string): ShownEntry[] =>
  fields.find(({ field }) => field.name === name)?.entries ?? [];

/** The same without their languages. */
export const valuesOf = (record: Pick<RecordView, "fields">, name: string): string[] =>
  entriesOf(record, name).map(({ value }) => value);

/** The records at the other ends of the links of one type. */
export const linkedBy = ({ links }: Pick<RecordView, "links">, wanted: string): Link[] =>
  links.find(({ type }) => type === wanted)?.items ?? [];

/** The names of the makers: of linked records, else as the cataloguer wrote them. */
export function makersOf(record: RecordView): string[] {
  const linked = linkedMakers(record);
  return linked.length > 0 ? linked.map(({ title }) => title) : valuesOf(record, "creator_text");
}

/** The linked makers, with and without a qualifier. */
export const linkedMakers = (record: Pick<RecordView, "links">): Link[] =>
  linkedBy(record, "created_by").filter(({ isMaker }) => isMaker);

/** The entries in the reader's language, else those without a language, else those in the language of the first entry. */
export function entriesFor<E extends Entry>(entries: readonly E[], language: Language): E[] {
  const inLanguage = (tag: string | undefined) =>
    entries.filter(({ lang }) => (tag === undefined ? lang === undefined : sameLanguage(lang, tag)));
  for (const tag of [language, undefined, entries[0]?.lang]) {
    const found = inLanguage(tag);
    if (found.length > 0) return found;
  }
  return [];
}

type Found = {
  row: RecordRow;
  title: string;
  groups: readonly LinkGroup[];
  below: readonly string[];
  borrowers: readonly string[];
  publicCollectionStatuses: readonly string[];
};

/** The linked records, and the cards of all of them. */
async function linkedTo(
  sql: Sql,
  schema: Schema,
  view: View,
  { row, title, groups, below, borrowers, publicCollectionStatuses }: Found,
): Promise<Pick<RecordView, "links" | "also" | "parent" | "borrowers" | "children" | "deck">> {
  const { t } = view;
  const { language } = t;
  const hubs = row.record_type === "object" ? hubsOf(groups) : [];
  const neighbours = await publicNeighbours(sql, row.id, hubs, MOST_ALSO, publicCollectionStatuses);
  const ids = [
    ...groups.flatMap(({ links }) => links.map(({ other_id }) => other_id)),
    ...neighbours.flat(),
    ...below,
    ...borrowers,
    ...(row.parent_id === null ? [] : [row.parent_id]),
  ];
  const notes = groups.flatMap(({ links }) => links.map(({ metadata }) => metadata));
  const [deck, noteInWords] = await Promise.all([
    readDeck(sql, view, [...new Set(ids)]),
    notesInWords(sql, language, notes),
  ]);
  const link = (id: string, metadata: Metadata = {}, qualifier: string | null = null): Link[] => {
    const found = deck.facts.get(id)?.record;
    if (!found) return [];
    const notes = Object.entries(partedNotes(metadata).notes).flatMap(([name, entries]) =>
      entriesFor(entries, language).map((entry) => noteInWords(name, entry)),
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
    // works of a workshop have a heading of their own, since they are not by the master
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
      link(id).map((of) => ({ type, of, items: neighbours[index]!.flatMap((other) => link(other)) })),
    ),
    parent: (row.parent_id !== null && link(row.parent_id)[0]) || null,
    borrowers: isLent(row) ? borrowers.flatMap((id) => link(id)) : [],
    children: below.flatMap((id) => link(id)),
    deck,
  };
}

type Part<T> = { items: T[]; long: Long };
const NOTHING = { items: [], long: { total: 0, size: 1 } };

/** The first files of an object, and how many there are. */
async function mediaOf(sql: Sql, kind: Kind, id: string, size: number): Promise<Part<Medium>> {
  if (kind !== "object") return NOTHING;
  const page = { limit: size, offset: 0 };
  const [total, items] = await Promise.all([countMedia(sql, VISITOR, id), listMedia(sql, VISITOR, id, page)]);
  return { items, long: { total, size } };
}

/** The ids of the records below it in a tree. */
async function childrenOf(sql: Sql, kind: Kind, id: string, part: number): Promise<Part<string>> {
  if (!kinds[kind].columns.includes("parent_id")) return NOTHING;
  const size = MOST_BELOW;
  const counting = countBelow(sql, VISITOR, kind, id);
  // where a later part begins depends on the count, so only the first part is read while counting
  const offset = part === 1 ? 0 : offsetOf(part, { total: await counting, size });
  const reading = idsBelow(sql, VISITOR, kind, id, { limit: size, offset });
  const [total, items] = await Promise.all([counting, reading]);
  return { items, long: { total, size } };
}

function hubsOf(groups: readonly LinkGroup[]): { relationType: string; id: string }[] {
  return ALSO.flatMap((relationType) => {
    const first = groups
      .find(({ type }) => type === relationType)
      ?.links.find(({ metadata }) => !isQualified(metadata) && isMaker(metadata));
    return first ? [{ relationType, id: first.other_id }] : [];
  });
}
