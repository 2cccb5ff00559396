/** Links of symmetric types. */
import type { Tx } from "../services.ts";
import type { NewRelation } from "./relations.ts";
import type { Schema } from "./schema.ts";

type Ends = Pick<NewRelation, "from_id" | "relation_type" | "to_id">;

/** A symmetric type has one link between two records, in either direction. */
export async function withoutMirrored(
  tx: Tx,
  schema: Schema,
  links: readonly NewRelation[],
): Promise<readonly NewRelation[]> {
  const isAlike = ({ relation_type }: NewRelation) =>
    schema.relationTypes.get(relation_type)?.inverse === relation_type;
  const alike = links.filter(isAlike);
  if (alike.length === 0) return links;
  const rows = await tx<Ends[]>`
    select l.from_id, l.to_id, l.relation_type
    from json_to_recordset(${tx.json(alike as never)}::json) as x(relation_type text, from_id uuid, to_id uuid)
      join relations l on l.from_id = x.to_id and l.to_id = x.from_id and l.relation_type = x.relation_type`;
  const key = (link: Ends) => `${link.from_id} ${link.relation_type} ${link.to_id}`;
  const there = new Set(rows.map(key));
  return links.filter((link) => {
    if (!isAlike(link)) return true;
    if (there.has(key({ ...link, from_id: link.to_id, to_id: link.from_id }))) return false;
    there.add(key(link));
    return true;
  });
}
