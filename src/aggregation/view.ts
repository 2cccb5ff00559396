/** What a record is delivered from: all that its graph shows, and of the records that it names what says who or where they are. */
import { VISITOR } from "../caller.ts";
import { plainArray } from "../ids.ts";
import { type GraphServices, loadForGraphs, MOST_INCOMING } from "../linked-data/load.ts";
import type { LoadedRecord, Surroundings } from "../linked-data/loaded.ts";
import { LANGUAGES, MESSAGES } from "../pages/messages.ts";
import type { Kind } from "../records/kinds.ts";
import type { Entry, Metadata } from "../records/record.ts";
import { currentSchema, type Schema } from "../records/schema.ts";
import { maySeeLinksOf, visibleMetadata, visibleTo } from "../records/visibility.ts";
import type { Sql } from "../services.ts";
import { settingsOf } from "../settings/settings.ts";

/** A public record that is named, with its public values. */
export type Named = {
  id: string;
  record_type: Kind;
  subtype: string;
  idno: string;
  metadata: Metadata;
  lat: number | null;
  lon: number | null;
  /** Public places where an occurrence took place, by their ids. */
  sites: readonly string[];
};

/** Nothing here is a secret. */
export type DeliveredView = {
  around: Surroundings;
  record: LoadedRecord;
  /** Every public record at the other end of a link, and the places of occurrences, by id. */
  named: ReadonlyMap<string, Named>;
  museum: { names: readonly Entry[]; homepage: string };
};

/** The public ones among these records, in the order of their ids. */
export async function viewsOf(services: GraphServices, ids: readonly string[]): Promise<DeliveredView[]> {
  const { around, records } = await loadForGraphs(services, ids);
  if (records.length === 0) return [];
  const others = new Set(records.flatMap(({ links }) => links.map(({ other }) => other.id)));
  const named = await namedRecords(services.sql, [...others]);
  const { name, homepage_url } = await settingsOf(services);
  const own = Object.entries(name).map(([lang, value]) => ({ value, lang }));
  // while nobody has said what the museum is called, it is called what its pages say
  const called = LANGUAGES.map((lang) => ({ value: MESSAGES[lang].catalogue, lang }));
  const museum = { names: own.length > 0 ? own : called, homepage: homepage_url ?? services.config.baseUrl };
  return records.map((record) => ({ around, record, named, museum }));
}

async function namedRecords(sql: Sql, ids: readonly string[]): Promise<Map<string, Named>> {
  const schema = await currentSchema(sql);
  const first = await readNamed(sql, schema, ids);
  const sites = await sitesOf(
    sql,
    schema,
    first.filter(({ record_type }) => record_type === "occurrence").map(({ id }) => id),
  );
  const known = new Map(
    first.map((row): [string, Named] => [row.id, { ...row, sites: sites.get(row.id) ?? [] }]),
  );
  const places = new Set([...sites.values()].flat().filter((id) => !known.has(id)));
  for (const row of await readNamed(sql, schema, [...places])) known.set(row.id, row);
  return known;
}

async function readNamed(sql: Sql, schema: Schema, ids: readonly string[]): Promise<Named[]> {
  if (ids.length === 0) return [];
  const rows = await sql<Omit<Named, "sites">[]>`
    select r.id, r.record_type, r.subtype, r.idno, r.metadata, r.lat, r.lon from records r
    where r.id = any(${plainArray(ids)}::uuid[]) and ${visibleTo(sql, VISITOR)}`;
  return rows.map((row) => ({
    ...row,
    metadata: visibleMetadata(schema, VISITOR, row.record_type, row.metadata),
    sites: [],
  }));
}

/** By which an occurrence leads to its place. */
export const TOOK_PLACE_AT = "took_place_at";

async function sitesOf(sql: Sql, schema: Schema, ids: readonly string[]): Promise<Map<string, string[]>> {
  const sites = new Map<string, string[]>();
  const type = schema.relationTypes.get(TOOK_PLACE_AT);
  if (ids.length === 0 || !type || !maySeeLinksOf(VISITOR, type, "occurrence")) return sites;
  // offset keeps the planner from reading all links
  const rows = await sql<{ from_id: string; id: string }[]>`
    select l.from_id, r.id
    from unnest(${plainArray(ids)}::uuid[]) o(id)
      cross join lateral (
        select from_id, to_id from relations
        where from_id = o.id and relation_type = ${TOOK_PLACE_AT} order by id limit ${MOST_INCOMING}) l
      join records r on r.id = l.to_id
    where ${visibleTo(sql, VISITOR)}`;
  for (const { from_id, id } of rows) sites.set(from_id, [...(sites.get(from_id) ?? []), id]);
  return sites;
}
