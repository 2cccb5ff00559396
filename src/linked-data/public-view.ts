/**
 * Records as public formats show them, and whether that has become another: what OAI-PMH and its formats are made of, and
 * what the public dates (`records/public-dates.ts`) go by. Both read the same, so that no format shows what moves no date.
 */
import { VISITOR } from "../caller.ts";
import { plainArray } from "../ids.ts";
import { fieldsOf } from "../records/schema.ts";
import { visibleTo } from "../records/visibility.ts";
import type { Ark, Services, Sql } from "../services.ts";
import { type Settings, settingsOf } from "../settings/settings.ts";
import { loadForGraphs } from "./load.ts";
import type { LoadedRecord, Neighbour, Surroundings } from "./loaded.ts";

/**
 * `links` are those that lead away from the record: what leads to it is shown where it comes from, or a photographer would
 * have another date with each of 59,000 photographs.
 */
export type PublicView = LoadedRecord & {
  ark: Ark | null;
  /** By id of the record and of what it points at: what lies above, the nearest first, as far as all between is public. */
  above: ReadonlyMap<string, readonly string[]>;
};

/** What many records share, and what the installation says of itself. */
export type Shared = Surroundings & { settings: Settings };

export type PublicViews = { shared: Shared; views: PublicView[] };

/** The public ones among these records, in the order of their ids. */
export async function loadPublicViews(
  { sql, arks, config }: Pick<Services, "sql" | "arks" | "config">,
  ids: readonly string[],
): Promise<PublicViews> {
  const { around, records } = await loadForGraphs(sql, config.baseUrl, ids, { incoming: false });
  const collections = records.flatMap(({ row, links }) => [row, ...links.map(({ other }) => other)]);
  const [settings, names, above] = await Promise.all([
    settingsOf({ sql }),
    arks.of(
      sql,
      records.map(({ row }) => row.id),
    ),
    ancestors(
      sql,
      collections.flatMap(({ id, record_type }) => (record_type === "collection" ? [id] : [])),
    ),
  ]);
  return {
    shared: { ...around, settings },
    views: records.map((record) => ({ ...record, ark: names.get(record.row.id) ?? null, above })),
  };
}

async function ancestors(sql: Sql, ids: readonly string[]): Promise<Map<string, string[]>> {
  if (ids.length === 0) return new Map();
  const rows = await sql<{ id: string; above: string[] }[]>`
    with recursive up as (
      select c.id, r.id as parent, r.parent_id, 1 as height
      from records c join records r on r.id = c.parent_id
      where c.id = any(${plainArray([...new Set(ids)])}::uuid[]) and ${visibleTo(sql, VISITOR)}
      union all
      select u.id, r.id, r.parent_id, u.height + 1
      from up u join records r on r.id = u.parent_id
      where ${visibleTo(sql, VISITOR)})
    select id, json_agg(parent order by height) as above from up group by id`;
  return new Map(rows.map(({ id, above }) => [id, above]));
}

/**
 * Another text when anything else is shown of the record: its values and what is said of them, its files, its neighbours,
 * the museum, and the sets that it is in.
 */
export async function fingerprintOf(
  shared: Shared,
  view: PublicView,
  sets: readonly string[],
): Promise<string> {
  const { row, parent, links, media, named, ark, above } = view;
  const { schema, settings } = shared;
  // by name: the order of fields is of no consequence
  const fields = [...fieldsOf(schema, row.record_type).values()]
    .filter(({ name }) => row.metadata[name])
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  const mentioned = [
    ...(parent ? [parent] : []),
    ...links.map(({ other }) => other),
    ...fields
      .filter(({ field_type }) => field_type === "relation")
      .flatMap(({ name }) => row.metadata[name]!.map(({ value }) => named.get(value.toLowerCase()) ?? null)),
  ];
  const subtype = (record: Pick<Neighbour, "record_type" | "subtype"> | null) => {
    const { label, crm_class } =
      (record && schema.subtypes.get(record.record_type)?.get(record.subtype)) ?? {};
    return [label, crm_class];
  };
  const shown = {
    row: { ...undated(row), metadata: fields.map(({ name }) => [name, row.metadata[name]]) },
    ark,
    mentioned: mentioned.map((record) => record && undated(record)),
    media: media.map(undated),
    subtypes: [row, ...mentioned].map(subtype),
    fields: fields.map(({ name, label, field_type, mapping, vocabulary }) => [
      [label, field_type, mapping],
      vocabulary && row.metadata[name]!.map(({ value }) => shared.term(vocabulary, value)),
    ]),
    links: links.map(({ other: _, ...link }) => {
      const { label, inverse_label, mapping } = schema.relationTypes.get(link.relation_type) ?? {};
      return [
        link,
        label,
        inverse_label,
        mapping,
        link.metadata.role?.map(({ value }) => shared.term("role", value)),
      ];
    }),
    above: [row, ...mentioned].map((record) => record && above.get(record.id)),
    museum: [settings.name, settings.metadata_rights],
    sets,
  };
  return digest(JSON.stringify(shown));
}

/** Without the time of the last change, which moves with what is private, too. */
function undated<T extends { updated_at: string }>({ updated_at: _, ...rest }: T): Omit<T, "updated_at"> {
  return rest;
}

async function digest(text: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(hash).subarray(0, 15)));
}
