/** Where objects are: each is in one place (`sql/0056_one_current_place.sql`). */
import type { Tx } from "../services.ts";

/** A name of the default schema. An installation without it has no rule. */
export const STORED_AT = "stored_at";

type Link = { relation_type: string; from_id: string; to_id: string };
type EndedLink = Link & {
  id: string;
  created_at: string;
  metadata: Record<string, { value: string; lang?: string }[]>;
};

/**
 * Call it before these links are written: removes the links to the places where their objects were, and returns them for the
 * history.
 */
export async function endEarlierPlaces(tx: Tx, links: readonly Link[]): Promise<EndedLink[]> {
  const places = links.filter(({ relation_type }) => relation_type === STORED_AT);
  if (places.length === 0) return [];
  return tx<EndedLink[]>`
    delete from relations l using json_to_recordset(${tx.json(places as never)}::json) as x(from_id uuid, to_id uuid)
    where l.relation_type = ${STORED_AT} and l.from_id = x.from_id and l.to_id <> x.to_id
    returning l.id, l.from_id, l.to_id, l.relation_type, l.metadata, l.created_at::text as created_at`;
}

/** The indexes of links that say two things of the place of one object. */
export function contradictingPlaces(links: readonly (Link & { metadata: unknown })[]): number[] {
  const first = new Map<string, number>();
  return links.flatMap((link, index) => {
    if (link.relation_type !== STORED_AT) return [];
    const before = first.get(link.from_id);
    if (before === undefined) {
      first.set(link.from_id, index);
      return [];
    }
    const other = links[before]!;
    const isSame =
      other.to_id === link.to_id && JSON.stringify(other.metadata) === JSON.stringify(link.metadata);
    return isSame ? [] : [before, index];
  });
}
