/** A record: as stored, and as callers see it. */
import { type CollectionStatus, type Kind, type KindColumn, kinds, type Status } from "./kinds.ts";
import type { Labels } from "./schema.ts";

/** One value of a metadata field (contract §2.4). */
export type Entry = { value: string; lang?: string };
export type Metadata = Record<string, Entry[]>;

/** Text per language, for example a label, as entries. */
export const entriesOf = (labels: Labels): Entry[] =>
  Object.entries(labels).map(([lang, value]) => ({ lang, value }));

export const hasEntry = (entries: readonly Entry[], entry: Entry): boolean =>
  entries.some(({ value, lang }) => value === entry.value && lang === entry.lang);

/** With other values for some (`nowOf`), each of these once. */
export function renamedEntries(entries: Entry[], nowOf: (value: string) => string | undefined): Entry[] {
  const renamed = new Set(entries.map(({ value }) => nowOf(value)));
  if (renamed.size === 1 && renamed.has(undefined)) return entries;
  const named = entries.map((entry) => ({ ...entry, value: nowOf(entry.value) ?? entry.value }));
  return named.filter((entry, at) => !renamed.has(entry.value) || !hasEntry(named.slice(0, at), entry));
}

/** For comparing: no language counts as one. */
export const languageOf = ({ lang = "" }: Entry): string => lang.toLowerCase();

/**
 * Values merged by language: those given replace all of their languages, where no language counts as one. Values that are
 * already there keep their places, new ones take places that become free in their language, and all others come last.
 */
export function mergedEntries(old: readonly Entry[], given: readonly Entry[]): Entry[] {
  const fresh = [...given];
  const take = (suits: (entry: Entry) => boolean): Entry | undefined => {
    const at = fresh.findIndex(suits);
    return at < 0 ? undefined : fresh.splice(at, 1)[0];
  };
  const languages = new Set(given.map(languageOf));
  const isOf = (entry: Entry) => (other: Entry) => languageOf(other) === languageOf(entry);
  const kept = old.map((entry) => {
    const stays = take((other) => other.value === entry.value && isOf(entry)(other));
    return stays || !languages.has(languageOf(entry)) ? entry : undefined;
  });
  return [...old.flatMap((entry, index) => kept[index] ?? take(isOf(entry)) ?? []), ...fresh];
}

/** An entry with its keys in the order of the contract. */
export function tidyEntry({ value, lang }: Entry): Entry {
  return lang === undefined ? { value } : { value, lang };
}

/** The same, with the value trimmed. */
export function trimmedEntry({ value, lang }: Entry): Entry {
  return tidyEntry({ value: value.trim(), lang });
}

export type RecordRow = {
  id: string;
  record_type: Kind;
  idno: string;
  subtype: string;
  status: Status;
  collection_status: CollectionStatus | null;
  metadata: Metadata;
  lat: number | null;
  lon: number | null;
  parent_id: string | null;
  start_date: string | null;
  end_date: string | null;
  due_date: string | null;
  reference_number: string | null;
  title: string;
  version: number;
  published_at: string | null;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
  /** The record that it was merged into. */
  merged_into: string | null;
};

/** The part of a record that people edit and that its history stores. */
export type RecordState = Pick<RecordRow, "idno" | "subtype" | "status" | "metadata" | KindColumn>;

export function stateOf(row: RecordState): RecordState {
  return {
    idno: row.idno,
    subtype: row.subtype,
    status: row.status,
    collection_status: row.collection_status,
    metadata: row.metadata,
    lat: row.lat,
    lon: row.lon,
    parent_id: row.parent_id,
    start_date: row.start_date,
    end_date: row.end_date,
    due_date: row.due_date,
    reference_number: row.reference_number,
  };
}

/** Compares metadata as stored: the order of entries matters, and a missing list equals an empty one. */
export function sameEntries(x: readonly Entry[] = [], y: readonly Entry[] = []): boolean {
  return (
    x.length === y.length &&
    x.every((entry, index) => entry.value === y[index]!.value && entry.lang === y[index]!.lang)
  );
}

/** The shape of interface §2; for objects exactly the eight fields of contract §2.2, in its order. */
export function recordJson(
  row: Omit<RecordRow, "title">,
  metadata: Readonly<Record<string, Entry[]>>,
): Record<string, unknown> {
  const { subtypeKey, columns } = kinds[row.record_type];
  const json: Record<string, unknown> = { id: row.id, idno: row.idno, [subtypeKey]: row.subtype };
  if (columns.includes("collection_status")) json.collection_status = row.collection_status;
  json.status = row.status;
  for (const column of columns) if (column !== "collection_status") json[column] = row[column];
  json.metadata_ = metadata;
  json.created_at = row.created_at;
  json.updated_at = row.updated_at;
  return json;
}

export const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

/** The best title for the reader: in the requested language, else without a language, else any. */
export function bestEntry(
  entries: readonly Entry[] | undefined,
  languages: readonly string[],
): Entry | undefined {
  for (const language of languages) {
    const found = entries?.find((entry) => sameLanguage(entry.lang, language));
    if (found) return found;
  }
  return entries?.find((entry) => entry.lang === undefined) ?? entries?.[0];
}

/** Its words. */
export const bestTitle = (
  entries: readonly Entry[] | undefined,
  languages: readonly string[],
): string | null => bestEntry(entries, languages)?.value ?? null;

/** Whether a language tag (BCP 47) is of this language, in any region. */
export function sameLanguage(tag: string | undefined, wanted: string): boolean {
  return tag !== undefined && tag.toLowerCase().split("-")[0] === wanted.toLowerCase().split("-")[0];
}
