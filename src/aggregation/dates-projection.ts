/**
 * Updates the date of the last public change of each record. A record's version cannot serve for this: it also
 * changes with private fields, and it does not change when a linked maker is renamed.
 */

import { setsOf } from "../formats/harvest-sets.ts";
import { viewsOf } from "../formats/view.ts";
import { said } from "../messages/said.ts";
import { SEARCH_TARGET } from "../ports/search-index.ts";
import { inHalves } from "../records/batch/in-halves.ts";
import type { Kind } from "../records/kinds.ts";
import type { Projection } from "../records/projections.ts";
import { giveDates, type Redated } from "../records/public/dates.ts";
import type { LoadedRecord } from "../records/public/loaded.ts";
import type { Services } from "../services.ts";
import { fingerprintOf } from "./fingerprint.ts";

export const datesProjection: Projection = {
  target: "public-dates",
  title: said("projection.dates"),
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

/** Records that were never public have no date. */
async function redate(services: Services, ids: readonly string[]): Promise<void> {
  const { sql, search } = services;
  const shown = new Map<string, Pick<Redated, "fingerprint" | "sets" | "has_manifest">>();
  for (const view of await viewsOf(services, ids)) {
    const sets = setsOf(view);
    const fingerprint = await fingerprintOf(view, sets);
    shown.set(view.record.row.id, { fingerprint, sets, has_manifest: hasManifest(view.record) });
  }
  const known = await sql<{ id: string; record_type: Kind; is_dated: boolean; before: string | null }[]>`
    select r.id, r.record_type, d.record_id is not null as is_dated, d.fingerprint as before
    from records r left join public_dates d on d.record_id = r.id
    where r.id = any(${ids as string[]}) and r.published_at is not null`;
  const none = { fingerprint: null, sets: [], has_manifest: false };
  const now = known.map((row) => ({ ...row, ...(shown.get(row.id) ?? none) }));
  await giveDates(
    sql,
    now
      .filter(({ is_dated, before, fingerprint }) => !is_dated || fingerprint !== before)
      .map(({ is_dated: _, before: __, ...row }) => row),
    search.storesPublicDates ? [SEARCH_TARGET] : [],
  );
}

/** Collections are IIIF collections; an object has a manifest when it has files to show. */
const hasManifest = ({ row, media }: LoadedRecord): boolean =>
  row.record_type === "collection" || media.length > 0;
