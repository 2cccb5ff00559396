/** Links of symmetric types. */
import type { Tx } from "../services.ts";
import type { NewRelation } from "./relations.ts";
import type { Schema } from "./schema.ts";

type Ends = Pick<NewRelation, "from_id" | "relation_type" | "to_id">;

/** Identifies a link, but for its role. */
export const linkKey = (link: Ends) => `${link.from_id} ${link.relation_type} ${link.to_id}`;

const isSymmetric = (schema: Schema, { relation_type }: Ends) =>
  schema.relationTypes.get(relation_type)?.inverse === relation_type;

const mirrored = (link: Ends): Ends => ({ ...link, from_id: link.to_id, to_id: link.from_id });

/** Identifies a link. A link of a symmetric type has two keys, one for each direction. */
export function linkKeys(schema: Schema, link: Ends): string[] {
  return isSymmetric(schema, link) ? [linkKey(link), linkKey(mirrored(link))] : [linkKey(link)];
}

/** A symmetric type has one link between two records, in either direction. */
export async function withoutMirrored(
  tx: Tx,
  schema: Schema,
  links: readonly NewRelation[],
): Promise<readonly NewRelation[]> {
  const symmetric = links.filter((link) => isSymmetric(schema, link));
  if (symmetric.length === 0) return links;
  const rows = await tx<Ends[]>`
    select l.from_id, l.to_id, l.relation_type
    from json_to_recordset(${tx.json(symmetric as never)}::json) as x(relation_type text, from_id uuid, to_id uuid)
      join relations l on l.from_id = x.to_id and l.to_id = x.from_id and l.relation_type = x.relation_type`;
  const there = new Set(rows.map(linkKey));
  return links.filter((link) => {
    if (!isSymmetric(schema, link)) return true;
    if (there.has(linkKey(mirrored(link)))) return false;
    there.add(linkKey(link));
    return true;
  });
}
