/** Collections of the museum as IIIF collections (Presentation API 3.0 §5.1): a tree whose leaves are manifests. */
import { type Caller, VISITOR } from "../caller.ts";
import { findNamed } from "../records/public/neighbours.ts";
import { publicRecord } from "../records/public/record.ts";
import { missing } from "../records/read/read.ts";
import { idsBelow } from "../records/read/store.ts";
import { idsOf } from "../records/record.ts";
import { currentSchema } from "../records/schema.ts";
import { isShown, visibleMedia, visibleNames, visibleTo } from "../records/visibility.ts";
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

type Basis = Pick<Services, "sql" | "config">;
type Reference = { id: string; type: "Collection" | "Manifest"; label: LanguageMap };

export const collectionAddress = (baseUrl: string, id: string): string =>
  `${baseUrl}/iiif/presentation/3/collections/${id}`;

export async function collectionOf(
  services: Basis & Pick<Services, "arks">,
  caller: Caller,
  id: string,
): Promise<unknown> {
  const { sql, config } = services;
  const { baseUrl } = config;
  const [record, below, objects, provider] = await Promise.all([
    publicRecord(services, caller, "collection", id),
    idsBelow(sql, caller, "collection", id, { limit: MOST_ITEMS }),
    objectsWithMedia(sql, caller, isIn(sql, id)),
    providerIn(services),
  ]);
  if (!record) throw await missing(sql, caller, "collection", id);
  const { row, titles } = record;
  const label = languageMap(titles, row.idno);
  return {
    "@context": PRESENTATION_CONTEXT,
    id: collectionAddress(baseUrl, id),
    type: "Collection",
    label,
    ...provider,
    homepage: [{ id: `${baseUrl}/collections/${id}`, type: "Text", label, format: "text/html" }],
    ...(row.parent_id
      ? { partOf: [{ id: collectionAddress(baseUrl, row.parent_id), type: "Collection" }] }
      : {}),
    items: [
      ...(await references(services, caller, "Collection", below)),
      ...(await references(services, caller, "Manifest", objects)),
    ],
  };
}

export async function topCollection(services: Basis, caller: Caller): Promise<unknown> {
  const { sql, config } = services;
  const top = await idsBelow(sql, caller, "collection", null, { limit: MOST_ITEMS });
  return {
    "@context": PRESENTATION_CONTEXT,
    id: `${config.baseUrl}/iiif/presentation/3/collections`,
    type: "Collection",
    label: messageMap("kind.collection"),
    ...(await providerIn(services)),
    items: await references(services, caller, "Collection", top),
  };
}

async function providerIn({ sql, config }: Basis): Promise<{ provider?: readonly unknown[] }> {
  const provider = providerOf(config.baseUrl, await settingsOf({ sql }));
  return provider.length > 0 ? { provider } : {};
}

/** What a search finds, best first. `id`: the address of the collection. */
export async function foundCollection(
  services: Basis,
  id: string,
  words: string,
  found: readonly string[],
): Promise<unknown> {
  const { sql } = services;
  const shown = new Set(await objectsWithMedia(sql, VISITOR, sql`r.id = any(${found as string[]}::uuid[])`));
  const ids = found.filter((each) => shown.has(each));
  return {
    "@context": PRESENTATION_CONTEXT,
    id,
    type: "Collection",
    label: words === "" ? messageMap("search.title") : { none: [words] },
    ...(await providerIn(services)),
    items: await references(services, VISITOR, "Manifest", ids),
  };
}

/** SQL: objects in the collection. */
const isIn = (sql: Sql, collectionId: string) => sql`r.id in (
  select l.from_id from relations l join relation_types t on t.name = l.relation_type and t.is_public
  where l.to_id = ${collectionId}
  union
  select l.to_id from relations l join relation_types t on t.name = l.relation_type and t.is_public
  where l.from_id = ${collectionId})`;

/** Those of these objects that have something to show. */
async function objectsWithMedia(sql: Sql, caller: Caller, those: ReturnType<typeof isIn>): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select r.id from records r
    where r.record_type = 'object' and ${visibleTo(sql, caller)} and ${those}
      and exists (
        select 1 from object_media m where m.object_id = r.id and ${visibleMedia(sql, caller)}
          and ${isShown(sql)}
          and (m.category not in ('audio', 'video') or m.duration is not null))
    order by r.idno limit ${MOST_ITEMS}`;
  return idsOf(rows);
}

/** Items of a collection, with their names in every language. */
async function references(
  { sql, config }: Basis,
  caller: Caller,
  type: Reference["type"],
  ids: readonly string[],
): Promise<Reference[]> {
  if (ids.length === 0) return [];
  const schema = await currentSchema(sql);
  const rows = await findNamed(sql, schema, caller, ids);
  const addressOf = type === "Collection" ? collectionAddress : manifestAddress;
  return ids.flatMap((id) => {
    const row = rows.get(id);
    if (!row) return [];
    const names = visibleNames(schema, VISITOR, row.record_type, row.names);
    return [{ id: addressOf(config.baseUrl, id), type, label: languageMap(names, row.idno) }];
  });
}
