/** GET /v1/deletions: what clients must remove from their copies. */
import { z } from "zod";
import { cachedJson, contentTag } from "../../http/answer/caching.ts";
import { listOf } from "../../http/answer/list-envelope.ts";
import { type Api, endpoint } from "../../http/endpoint.ts";
import { several, TimeShape, wholeNumber } from "../../http/text-shape.ts";
import type { Sql } from "../../services.ts";
import { KINDS, type Kind } from "../kinds.ts";
import { IdShape } from "../shape.ts";
import { readableKinds, wholeKinds } from "../visibility.ts";
import { type Cursor, readCursor, writeCursor } from "./cursor.ts";

const DeletionShape = z
  .object({ id: IdShape, record_type: z.enum(KINDS), deleted_at: z.string() })
  .openapi("Deletion");

const Query = z.strictObject({
  since: TimeShape.optional().openapi({
    description: "At this time or later; UTC unless an offset is given",
  }),
  type: several(z.enum(KINDS)).optional().openapi({ description: "One of these" }),
  page_size: wholeNumber(1, 200).default(50),
  cursor: z.string().max(2_000).optional().openapi({ description: "Opaque; taken from the next link" }),
});

export function deletionRoutes(api: Api): void {
  const { services } = api;

  endpoint(api, {
    method: "get",
    path: "/v1/deletions",
    tag: "records",
    summary: "List deleted records",
    description:
      "Oldest first. For record types that the caller may read: deleted records, for 30 days, or for ever if they were " +
      "public. For other types: records that are no longer public, for ever. Restored records are not listed. The Link " +
      "header (RFC 8288) gives next.",
    access: "public",
    query: Query,
    answers: {
      200: { description: "A page", schema: listOf(DeletionShape).openapi("DeletionList") },
      304: { description: "Unchanged" },
    },
    async handle({ c, caller, query: { cursor: text, page_size, ...asked } }) {
      const whole = wholeKinds(caller).filter((kind) => asked.type?.includes(kind) ?? true);
      const open = readableKinds(caller).filter(
        (kind) => !wholeKinds(caller).includes(kind) && (asked.type?.includes(kind) ?? true),
      );
      const list = JSON.stringify(["deletions", asked.since ?? null, page_size, whole, open]);
      const cursor = text === undefined ? null : await readCursor(services, list, text);
      const found = await findDeletions(services.sql, { whole, open, since: asked.since }, cursor, page_size);
      const { total, page, items, next } = found;
      const body = { total, page, page_size, items };
      const url = new URL(c.req.url);
      if (next) url.searchParams.set("cursor", await writeCursor(services, list, next));
      const link = next ? { link: `<${url.pathname}${url.search}>; rel="next"` } : {};
      return cachedJson(c, caller, body, await contentTag([body, link]), link);
    },
  });
}

type Deletion = z.output<typeof DeletionShape>;

async function findDeletions(
  sql: Sql,
  { whole, open, since }: { whole: readonly Kind[]; open: readonly Kind[]; since: string | undefined },
  cursor: Cursor | null,
  limit: number,
): Promise<{ total: number; page: number; items: Deletion[]; next: Cursor | null }> {
  const from = since === undefined ? sql`` : sql`and deleted_at >= ${since}::timestamptz`;
  const all = sql`(
    select id, record_type, deleted_at from records
    where deleted_at is not null and record_type = any(${whole as string[]})
    union all
    select record_id, record_type, datestamp from public_dates
    where fingerprint is null and record_type = any(${open as string[]})) d(id, record_type, deleted_at)`;
  const after = cursor ? sql`and (deleted_at, id) > (${cursor.key}::timestamptz, ${cursor.id}::uuid)` : sql``;
  const total =
    cursor?.total ??
    (await sql<[{ n: number }]>`select count(*)::int as n from ${all} where true ${from}`)[0].n;
  const rows = await sql<Deletion[]>`
    select id, record_type, deleted_at from ${all} where true ${from} ${after}
    order by deleted_at, id limit ${limit + 1}`;
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const page = cursor?.page ?? 1;
  const next =
    rows.length > limit && last ? { key: last.deleted_at, id: last.id, page: page + 1, total } : null;
  return { total, page, items, next };
}
