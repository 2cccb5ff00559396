/** SQL of relation types. One function, one statement. */
import type { Kind } from "../../records/kinds.ts";
import { markSelected } from "../../records/outbox.ts";
import type { RelationType } from "../../records/schema.ts";
import type { Sql, Tx } from "../../services.ts";
import { orderBehind } from "../configuration-store.ts";

function relationTypeColumns(sql: Sql | Tx) {
  return sql`name, inverse, label, inverse_label, from_types, to_types, is_public, is_hierarchical, sort_order,
    mapping`;
}

export async function findRelationType(tx: Tx, name: string): Promise<RelationType | undefined> {
  const [row] = await tx<RelationType[]>`
    select ${relationTypeColumns(tx)} from relation_types where name = ${name}`;
  return row;
}

/** The other types that are called like this one from either end. */
export async function namesakes(tx: Tx, type: RelationType): Promise<{ name: string; inverse: string }[]> {
  return tx<{ name: string; inverse: string }[]>`
    select name, inverse from relation_types
    where name <> ${type.name} and (name = ${type.inverse} or inverse in (${type.name}, ${type.inverse}))
    order by name`;
}

export const nextRelationTypeOrder = (tx: Tx): Promise<number> => orderBehind(tx, tx`relation_types`);

export async function saveRelationType(tx: Tx, type: RelationType): Promise<RelationType> {
  const [row] = await tx<RelationType[]>`
    insert into relation_types (name, inverse, label, inverse_label, from_types, to_types, is_public, is_hierarchical,
      sort_order, mapping)
    values (${type.name}, ${type.inverse}, ${tx.json(type.label)}, ${tx.json(type.inverse_label)},
      ${type.from_types as string[]}, ${type.to_types as string[]}, ${type.is_public},
      ${type.is_hierarchical}, ${type.sort_order}, ${tx.json(type.mapping as never)})
    on conflict (name) do update set inverse = excluded.inverse, label = excluded.label,
      inverse_label = excluded.inverse_label, from_types = excluded.from_types, to_types = excluded.to_types,
      is_public = excluded.is_public, is_hierarchical = excluded.is_hierarchical, sort_order = excluded.sort_order,
      mapping = excluded.mapping
    returning ${relationTypeColumns(tx)}`;
  return row!;
}

export async function deleteRelationType(tx: Tx, name: string): Promise<void> {
  await tx`delete from relation_types where name = ${name}`;
}

/** All links of this type, also those of records in the trash. */
export async function countRelations(tx: Tx, name: string): Promise<number> {
  const [row] = await tx<{ n: number }[]>`
    select count(*)::int as n from relations where relation_type = ${name}`;
  return row!.n;
}

export async function countMisfits(
  tx: Tx,
  name: string,
  from: readonly Kind[],
  to: readonly Kind[],
): Promise<number> {
  const [row] = await tx<{ n: number }[]>`
    select count(*)::int as n
    from relations l join records f on f.id = l.from_id join records t on t.id = l.to_id
    where l.relation_type = ${name}
      and not (f.record_type = any(${from as string[]}) and t.record_type = any(${to as string[]}))`;
  return row!.n;
}

/** Records take the titles of those they lead to into their search text: a worker projects them again. */
export async function markRelationTypeChanged(tx: Tx, name: string, hides: boolean): Promise<void> {
  const owners = tx`
    select distinct l.from_id from relations l join records r on r.id = l.from_id
    where l.relation_type = ${name} and r.deleted_at is null`;
  await markSelected(tx, owners, { by: "worker", hides });
}
