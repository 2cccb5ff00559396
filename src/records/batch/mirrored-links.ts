/** Links of batches: which links that there are they meet. Those of symmetric types are stored in either direction. */
import type { Tx } from "../../services.ts";
import { attributionKey, isQualified, mayBeQualified, partedNotes } from "../links/attributions.ts";
import type { Link, NewRelation } from "../links/relations.ts";
import type { Metadata } from "../record.ts";
import type { Schema } from "../schema.ts";

export type Ends = Pick<NewRelation, "from_id" | "relation_type" | "to_id">;

export const isSymmetric = (schema: Schema, { relation_type }: Ends) =>
  schema.relationTypes.get(relation_type)?.inverse === relation_type;

const mirrored = <T extends Ends>(link: T): T => ({ ...link, from_id: link.to_id, to_id: link.from_id });

/** A link of a symmetric type has the same key in both directions. */
export function endsKey(schema: Schema, link: Ends): string {
  const { from_id, relation_type, to_id } =
    isSymmetric(schema, link) && link.to_id < link.from_id ? mirrored(link) : link;
  return `${from_id} ${relation_type} ${to_id}`;
}

/** Identifies a link, but for its role: its ends, and how it qualifies a maker. */
export const linkKey = (schema: Schema, link: Ends & { metadata: Metadata }): string =>
  `${endsKey(schema, link)} ${attributionKey(link.metadata)}`;

const saysMore = ({ metadata }: Pick<NewRelation, "metadata">): boolean => Object.keys(metadata).length > 0;

/**
 * The links as they are to be written, and those that there are, by `linkKey`, which they may meet: those in either direction of
 * a symmetric type, those whose metadata_ may change, and those to the same maker.
 */
export async function meetLinks(
  tx: Tx,
  schema: Schema,
  wanted: readonly NewRelation[],
): Promise<{ links: NewRelation[]; there: Map<string, Link[]> }> {
  const isOfMaker = ({ relation_type }: Ends) => mayBeQualified(schema.relationTypes.get(relation_type)!);
  const probes = wanted.flatMap((link) =>
    isSymmetric(schema, link) ? [link, mirrored(link)] : saysMore(link) || isOfMaker(link) ? [link] : [],
  );
  const found = new Map<string, Link[]>();
  const there = new Map<string, Link[]>();
  const rows =
    probes.length === 0
      ? []
      : await tx<Link[]>`
          select id, from_id, to_id, relation_type, metadata, created_at::text as created_at from relations
          where (from_id, relation_type, to_id) in (
            select x.from_id, x.relation_type, x.to_id
            from json_to_recordset(${tx.json(probes as never)}::json) as x(relation_type text, from_id uuid, to_id uuid))
          order by created_at, id`;
  for (const row of rows) {
    const ends = endsKey(schema, row);
    found.set(ends, [...(found.get(ends) ?? []), row]);
    const key = linkKey(schema, row);
    there.set(key, [...(there.get(key) ?? []), row]);
  }
  return { links: wanted.map((link) => asQualified(link, found.get(endsKey(schema, link)) ?? [])), there };
}

/** Whether the source says how the maker is qualified, even if it is by nothing. */
export const tellsQualifier = ({ metadata }: Pick<NewRelation, "metadata">): boolean =>
  Object.keys(partedNotes(metadata).qualifying).length > 0;

/** A link of which the source does not say whether the maker is qualified is as the one that there is. */
function asQualified(link: NewRelation, there: readonly Link[]): NewRelation {
  const { qualifying, notes } = partedNotes(link.metadata);
  const plain = there.some(({ metadata }) => !isQualified(metadata));
  const as =
    !tellsQualifier(link) && !plain && there[0] ? partedNotes(there[0].metadata).qualifying : qualifying;
  const said = Object.entries(as).filter(([, entries]) => entries.length > 0);
  return { ...link, metadata: { ...Object.fromEntries(said), ...notes } };
}

/** Whether the source says what roles or other notes the link has, even if it is none. */
export const hasNotes = ({ metadata }: Pick<NewRelation, "metadata">): boolean =>
  Object.keys(partedNotes(metadata).notes).length > 0;

/**
 * The links to write. Symmetric ones get the direction of the link that is there, else that of the first one. A link without
 * notes is left out beside another that has some.
 */
export function asThere(
  schema: Schema,
  links: readonly NewRelation[],
  there: ReadonlyMap<string, readonly Link[]>,
): NewRelation[] {
  const first = new Map<string, Ends>();
  const withMore = new Set(links.filter(hasNotes).map((link) => linkKey(schema, link)));
  return links.flatMap((link) => {
    const key = linkKey(schema, link);
    if (!hasNotes(link) && withMore.has(key)) return [];
    const { from_id, to_id } = there.get(key)?.[0] ?? first.get(key) ?? link;
    first.set(key, { ...link, from_id, to_id });
    return [{ ...link, from_id, to_id }];
  });
}
