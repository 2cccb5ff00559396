/** Links of symmetric types: one link between two records, stored in either direction. */
import type { Tx } from "../services.ts";
import type { Link, NewRelation } from "./relations.ts";
import type { Schema } from "./schema.ts";

export type Ends = Pick<NewRelation, "from_id" | "relation_type" | "to_id">;

export const isSymmetric = (schema: Schema, { relation_type }: Ends) =>
  schema.relationTypes.get(relation_type)?.inverse === relation_type;

const mirrored = <T extends Ends>(link: T): T => ({ ...link, from_id: link.to_id, to_id: link.from_id });

/** Identifies a link, but for its role. A link of a symmetric type has the same key in both directions. */
export function linkKey(schema: Schema, link: Ends): string {
  const { from_id, relation_type, to_id } =
    isSymmetric(schema, link) && link.to_id < link.from_id ? mirrored(link) : link;
  return `${from_id} ${relation_type} ${to_id}`;
}

const saysMore = ({ metadata }: NewRelation): boolean => Object.keys(metadata).length > 0;

/**
 * The existing links that `links` may meet, by key: those in either direction of a symmetric type, and those whose metadata_ may
 * change.
 */
export async function linksThere(
  tx: Tx,
  schema: Schema,
  links: readonly NewRelation[],
): Promise<Map<string, Link[]>> {
  const probes = links.flatMap((link) =>
    isSymmetric(schema, link) ? [link, mirrored(link)] : saysMore(link) ? [link] : [],
  );
  const there = new Map<string, Link[]>();
  if (probes.length === 0) return there;
  const rows = await tx<Link[]>`
    select from_id, to_id, relation_type, metadata from relations
    where (from_id, relation_type, to_id) in (
      select x.from_id, x.relation_type, x.to_id
      from json_to_recordset(${tx.json(probes as never)}::json) as x(relation_type text, from_id uuid, to_id uuid))
    order by created_at, id`;
  for (const row of rows) {
    const key = linkKey(schema, row);
    there.set(key, [...(there.get(key) ?? []), row]);
  }
  return there;
}

/**
 * The links to write. Symmetric ones get the direction of the link that is there, else that of the first one. A link of which
 * nothing more is said is left out beside another that has a role.
 */
export function asThere(
  schema: Schema,
  links: readonly NewRelation[],
  there: ReadonlyMap<string, readonly Link[]>,
): NewRelation[] {
  const first = new Map<string, Ends>();
  const withMore = new Set(links.filter(saysMore).map((link) => linkKey(schema, link)));
  return links.flatMap((link) => {
    const key = linkKey(schema, link);
    if (!saysMore(link) && withMore.has(key)) return [];
    const { from_id, to_id } = there.get(key)?.[0] ?? first.get(key) ?? link;
    first.set(key, { ...link, from_id, to_id });
    return [{ ...link, from_id, to_id }];
  });
}
