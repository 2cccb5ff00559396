/** Collections of the museum as IIIF collections (Presentation API 3.0 §5.1): a tree whose leaves are manifests. */
import { type Caller, VISITOR } from "../caller.ts";
import { readRecord } from "../records/read/read.ts";
import { findNamed, idsBelow } from "../records/read/store.ts";
import type { Entry } from "../records/record.ts";
import { currentSchema } from "../records/schema.ts";
import { isShown, visibleMedia, visibleMetadata, visibleTo } from "../records/visibility.ts";
import type { Services, Sql } from "../services.ts";
import { settingsOf } from "../settings/settings.ts";
import {
  type LanguageMap,
  languageMap,
  manifestAddress,
  messageMap,
  PRESENTATION_CONTEXT,
} from "./manifest.ts";
import { providerOf } from "./provider.ts";

/** The most items of a IIIF collection, which has no pages: more than this a viewer cannot list. */
const MOST_ITEMS = 5_000;

type NeededServices = Pick<Services, "sql" | "config">;
type Reference = { id: string; type: "Collection" | "Manifest"; label: LanguageMap };

export const collectionAddress = (baseUrl: string, id: string): string =>
  `${baseUrl}/iiif/presentation/3/collections/${id}`;

export async function collectionOf(
  { sql, config }: NeededServices,
  caller: Caller,
  id: string,
): Promise<unknown> {
  const { baseUrl } = config;
  const row = await readRecord(sql, caller, "collection", id);
  const schema = await currentSchema(sql, row.configuration_version);
  const label = languageMap(
    visibleMetadata(schema, VISITOR, "collection", row.metadata).title ?? [],
    row.idno,
  );
  const below = await idsBelow(sql, caller, "collection", id, { limit: MOST_ITEMS });
  const objects = await objectsWithMedia(sql, caller, id);
  return {
    "@context": PRESENTATION_CONTEXT,
    id: collectionAddress(baseUrl, id),
    type: "Collection",
    label,
    ...(await providerIn({ sql, config })),
    homepage: [{ id: `${baseUrl}/collections/${id}`, type: "Text", label, format: "text/html" }],
    ...(row.parent_id
      ? { partOf: [{ id: collectionAddress(baseUrl, row.parent_id), type: "Collection" }] }
      : {}),
    items: [
      ...(await references(sql, caller, below, (other) => ({
        id: collectionAddress(baseUrl, other),
        type: "Collection",
      }))),
      ...(await references(sql, caller, objects, (other) => ({
        id: manifestAddress(baseUrl, other),
        type: "Manifest",
      }))),
    ],
  };
}

export async function topCollection({ sql, config }: NeededServices, caller: Caller): Promise<unknown> {
  const { baseUrl } = config;
  const top = await idsBelow(sql, caller, "collection", null, { limit: MOST_ITEMS });
  return {
    "@context": PRESENTATION_CONTEXT,
    id: `${baseUrl}/iiif/presentation/3/collections`,
    type: "Collection",
    label: messageMap("kind.collection"),
    ...(await providerIn({ sql, config })),
    items: await references(sql, caller, top, (id) => ({
      id: collectionAddress(baseUrl, id),
      type: "Collection",
    })),
  };
}

async function providerIn({ sql, config }: NeededServices): Promise<{ provider?: readonly unknown[] }> {
  const provider = providerOf(config.baseUrl, await settingsOf({ sql }));
  return provider.length > 0 ? { provider } : {};
}

/** Objects in the collection that have something to show. */
async function objectsWithMedia(sql: Sql, caller: Caller, collectionId: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select r.id from records r
    where r.record_type = 'object' and ${visibleTo(sql, caller)}
      and r.id in (
        select l.from_id from relations l join relation_types t on t.name = l.relation_type and t.is_public
        where l.to_id = ${collectionId}
        union
        select l.to_id from relations l join relation_types t on t.name = l.relation_type and t.is_public
        where l.from_id = ${collectionId})
      and exists (
        select 1 from object_media m where m.object_id = r.id and ${visibleMedia(sql, caller)}
          and ${isShown(sql)}
          and (m.category not in ('audio', 'video') or m.duration is not null))
    order by r.idno limit ${MOST_ITEMS}`;
  return rows.map(({ id }) => id);
}

/** With their names in every language. */
async function references(
  sql: Sql,
  caller: Caller,
  ids: readonly string[],
  refer: (id: string) => Pick<Reference, "id" | "type">,
): Promise<Reference[]> {
  if (ids.length === 0) return [];
  const schema = await currentSchema(sql);
  const rows = new Map((await findNamed(sql, caller, ids)).map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = rows.get(id);
    if (!row) return [];
    const names: readonly Entry[] =
      visibleMetadata(schema, VISITOR, row.record_type, { title: row.names ?? [] }).title ?? [];
    return [{ ...refer(id), label: languageMap(names, row.idno) }];
  });
}
