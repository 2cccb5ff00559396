/** SQL of the subtypes of a kind. One function, one statement. */
import type { Kind } from "../../records/kinds.ts";
import type { Subtype } from "../../records/schema.ts";
import type { Tx } from "../../services.ts";
import { orderBehind, type Usage } from "../configuration-store.ts";

export async function listSubtypes(tx: Tx, kind: Kind): Promise<Subtype[]> {
  return tx<Subtype[]>`
    select record_type, name, label, is_default, sort_order, crm_class, form
    from record_subtypes where record_type = ${kind} order by sort_order, name`;
}

export const nextSubtypeOrder = (tx: Tx, kind: Kind): Promise<number> =>
  orderBehind(tx, tx`record_subtypes where record_type = ${kind}`);

export async function saveSubtype(tx: Tx, subtype: Subtype): Promise<Subtype> {
  const [row] = await tx<Subtype[]>`
    insert into record_subtypes (record_type, name, label, is_default, sort_order, crm_class, form)
    values (${subtype.record_type}, ${subtype.name}, ${tx.json(subtype.label)}, ${subtype.is_default},
      ${subtype.sort_order}, ${subtype.crm_class}, ${subtype.form})
    on conflict (record_type, name) do update
      set label = excluded.label, is_default = excluded.is_default, sort_order = excluded.sort_order,
        crm_class = excluded.crm_class, form = excluded.form
    returning record_type, name, label, is_default, sort_order, crm_class, form`;
  return row!;
}

/** A kind has one default at most. */
export async function takeDefault(tx: Tx, kind: Kind, exceptFrom: string): Promise<void> {
  await tx`
    update record_subtypes set is_default = false
    where record_type = ${kind} and is_default and name <> ${exceptFrom}`;
}

export async function deleteSubtype(tx: Tx, kind: Kind, name: string): Promise<void> {
  await tx`delete from record_subtypes where record_type = ${kind} and name = ${name}`;
}

export async function subtypeUsage(tx: Tx, kind: Kind, name: string): Promise<Usage> {
  const [row] = await tx<Usage[]>`
    select count(*)::int as records, count(*) filter (where deleted_at is not null)::int as trashed
    from records where record_type = ${kind} and purged_at is null and subtype = ${name}`;
  return row!;
}
