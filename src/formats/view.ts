/** The data for delivering a record: everything in its graph, plus identifying data of the records it mentions. */
import { languages, translator } from "../messages/translate.ts";
import { ancestors, type Named, namedRecords } from "../records/public/beyond-links.ts";
import { loadPublic, type ReaderServices } from "../records/public/load.ts";
import type { LoadedRecord, Surroundings } from "../records/public/loaded.ts";
import { type Entry, entriesOf } from "../records/record.ts";
import { type Settings, settingsOf } from "../settings/settings.ts";
import { rightsIri } from "../vocabularies/rights.ts";

/** Contains only what visitors may see. */
export type DeliveredView = {
  around: Surroundings;
  /**
   * `links` start from the record. Other records show the links to it; otherwise the date of a photographer would change
   * with each of 59,000 photographs.
   */
  record: LoadedRecord;
  /** The public linked records, and the places and participants of occurrences, by id. */
  named: ReadonlyMap<string, Named>;
  /** Collection → its ancestors, the nearest first, up to the first that is not public. */
  above: ReadonlyMap<string, readonly string[]>;
  /** `rights`: the licence of the metadata. */
  museum: { names: readonly Entry[]; homepage: string; rights: string | null };
  harvestSets: Settings["harvest_sets"];
};

/** The public records among these, in the order of the ids. */
export async function viewsOf(services: ReaderServices, ids: readonly string[]): Promise<DeliveredView[]> {
  const { sql, config } = services;
  const { around, records } = await loadPublic(services, ids, { incoming: false });
  if (records.length === 0) return [];
  const others = records.flatMap(({ links }) => links.map(({ other }) => other));
  const collections = [...records.map(({ row }) => row), ...others].flatMap(({ id, record_type }) =>
    record_type === "collection" ? [id] : [],
  );
  const [named, above, { name, homepage_url, metadata_rights, harvest_sets: harvestSets }] =
    await Promise.all([
      namedRecords(sql, around.schema, others),
      ancestors(sql, collections),
      settingsOf(services),
    ]);
  const own = entriesOf(name);
  // without a name in the settings, the default name of the pages
  const called = languages().map((lang) => ({ value: translator(lang)("catalogue"), lang }));
  const museum = {
    names: own.length > 0 ? own : called,
    homepage: homepage_url ?? config.baseUrl,
    rights: metadata_rights && rightsIri(metadata_rights),
  };
  return records.map((record) => ({ around, record, named, above, museum, harvestSets }));
}
