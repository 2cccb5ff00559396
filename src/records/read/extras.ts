/** What `?include=` adds to records (interface §2). */

import { z } from "zod";
import type { Caller } from "../../caller.ts";
import { preferredLanguages } from "../../http/answer/negotiate.ts";
import type { Ctx } from "../../http/endpoint.ts";
import { wordsPattern } from "../../http/text-shape.ts";
import { said } from "../../messages/said.ts";
import type { Translate } from "../../messages/translate.ts";
import { invalidAt } from "../../problem.ts";
import type { Services } from "../../services.ts";
import { beginning } from "../../text.ts";
import { kinds } from "../kinds.ts";
import { listRelations } from "../links/relations.ts";
import { bestTitle, type RecordRow } from "../record.ts";
import type { Schema } from "../schema.ts";
import { visibleMetadata, visibleRecord } from "../visibility.ts";

export const EXTRAS = ["title", "relations", "version", "ark", "media"] as const;
type Extra = (typeof EXTRAS)[number];

/** Available in lists, too: everything that needs no query per record. */
export const EXTRAS_OF_LISTS = EXTRAS.filter((extra) => extra !== "relations");

/** How many media are included with a record, and with each record of a list. */
export const MOST_MEDIA = { one: 200, list: 10 };
const MOST_RELATIONS = 200;

/** The first of a list, and how many there are. */
type Beginning = { items: unknown[]; total: number };

/** The first `each` media of these objects that the caller may see; none for other kinds. Implemented in another room. */
export type MediaOf = (
  services: Services,
  caller: Caller,
  ids: readonly string[],
  each: number,
  t: Translate,
) => Promise<ReadonlyMap<string, Beginning>>;

export const includeShape = (extras: readonly Extra[]) =>
  z
    .string()
    .optional()
    .openapi({
      description: `Comma-separated extras: ${extras.join(", ")}`,
      pattern: wordsPattern(extras),
      example: "title,ark",
    });

/** The requested extras; 422 for one that is not among these. */
export function extrasOf(include: string | undefined, extras: readonly Extra[]): ReadonlySet<Extra> {
  const wanted = include === undefined ? [] : include.split(",").map((name) => name.trim());
  const unknown = wanted.filter((name) => !(extras as readonly string[]).includes(name));
  if (unknown.length > 0) {
    const values = { names: beginning(unknown.join(", "), 100), choices: extras.join(", ") };
    const detail = said("fault.include.unknown", values);
    throw invalidAt("query:include", detail);
  }
  return new Set(wanted as Extra[]);
}

/**
 * Records as this caller may see them, with the requested extras. `ark` is null if a record has none. Lists may be cut: `_total`
 * says how many there are, and `_url` has them in pages. `mediaOf`: loads the media of these records.
 */
export async function withExtras(
  { sql, arks }: Services,
  c: Ctx,
  schema: Schema,
  caller: Caller,
  rows: readonly RecordRow[],
  wanted: ReadonlySet<Extra>,
  mediaOf: (ids: readonly string[]) => ReturnType<MediaOf>,
): Promise<Record<string, unknown>[]> {
  const languages = preferredLanguages(c.req.header("Accept-Language"));
  const ids = rows.map(({ id }) => id);
  const names = await arks.of(sql, wanted.has("ark") ? ids : []);
  const media = wanted.has("media") ? await mediaOf(ids) : null;
  const bodies: Record<string, unknown>[] = [];
  for (const row of rows) {
    const body = visibleRecord(schema, caller, row);
    if (wanted.has("title")) {
      const metadata = visibleMetadata(schema, caller, row.record_type, row.metadata);
      body.title = bestTitle(metadata[kinds[row.record_type].titleField], languages) ?? row.idno;
    }
    if (wanted.has("version")) body.version = row.version;
    if (wanted.has("ark")) body.ark = names.get(row.id)?.ark ?? null;
    const address = `/v1/${kinds[row.record_type].plural}/${row.id}`;
    const add = (name: string, { items, total }: Beginning) =>
      Object.assign(body, {
        ...{ [name]: items, [`${name}_total`]: total },
        // other kinds have no media
        ...(name === "media" && row.record_type !== "object"
          ? {}
          : { [`${name}_url`]: `${address}/${name}` }),
      });
    if (wanted.has("relations"))
      add("relations", await listRelations(sql, caller, schema, row, { limit: MOST_RELATIONS, offset: 0 }));
    if (media) add("media", media.get(row.id)!);
    bodies.push(body);
  }
  return bodies;
}
