/** The dates of what is public follow the records: each whose public side has become another gets a new one. */
import { inHalves } from "../records/in-halves.ts";
import type { Kind } from "../records/kinds.ts";
import type { Projection } from "../records/projections.ts";
import { giveDates } from "../records/public-dates.ts";
import type { Services } from "../services.ts";
import type { LoadedRecord } from "./loaded.ts";
import { fingerprintOf, loadPublicViews } from "./public-view.ts";

export const datesProjection: Projection = {
  target: "public-dates",
  title: "the dates of what is public",
  about: "published",
  isEnabled: () => true,
  fillsItself: true,
  showsConfiguration: true,
  project: (services, ids) =>
    inHalves(
      ids,
      (part) => redate(services, part),
      async () => void (await services.sql`select 1`),
    ),
  idsAfter: async ({ sql }, after, limit) => {
    const rows = await sql<{ id: string }[]>`
      select record_id as id from public_dates ${after === null ? sql`` : sql`where record_id > ${after}`}
      order by record_id limit ${limit}`;
    return rows.map(({ id }) => id);
  },
};

/** What never was public has no date. */
async function redate(services: Services, ids: readonly string[]): Promise<void> {
  const { sql } = services;
  const { around, views } = await loadPublicViews(services, ids);
  const prints = new Map(
    await Promise.all(views.map(async (view) => [view.row.id, await fingerprintOf(around, view)] as const)),
  );
  const withManifest = new Set(views.filter(hasManifest).map(({ row }) => row.id));
  const known = await sql<{ id: string; record_type: Kind; is_dated: boolean; fingerprint: string | null }[]>`
    select r.id, r.record_type, d.record_id is not null as is_dated, d.fingerprint
    from records r left join public_dates d on d.record_id = r.id
    where r.id = any(${ids as string[]}) and r.published_at is not null`;
  const now = known.map((row) => ({
    ...row,
    fingerprint: prints.get(row.id) ?? null,
    has_manifest: withManifest.has(row.id),
    before: row.fingerprint,
  }));
  await giveDates(
    sql,
    now.filter(({ is_dated, before, fingerprint }) => !is_dated || fingerprint !== before),
  );
}

/** Collections are IIIF collections; an object has a manifest when it has files to show. */
const hasManifest = ({ row, media }: LoadedRecord): boolean =>
  row.record_type === "collection" || media.length > 0;
