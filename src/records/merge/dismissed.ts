/** What was said to be different from a merged record or term is different from the one that stays, too. */
import type { Tx } from "../../services.ts";
import type { Pair } from "./links.ts";

/** The table with the pairs of records, or of terms. */
export type DismissedTable = "not_duplicates" | "not_duplicate_terms";

/** Rows of it, as JSON. `own`: those of the merged one; `added`: those that are new. */
export type MovedDismissed = Record<"own" | "added", { low_id: string; high_id: string }[]>;

export async function moveDismissed(
  tx: Tx,
  table: DismissedTable,
  { from, into }: Pair,
): Promise<MovedDismissed> {
  const own = await tx<{ row: MovedDismissed["own"][number] }[]>`
    select to_jsonb(n) as row from ${tx(table)} n where ${from} in (low_id, high_id) order by low_id, high_id`;
  const added = await tx<MovedDismissed["added"]>`
    insert into ${tx(table)} (low_id, high_id, at, actor_id)
    select least(o.other, ${into}::uuid), greatest(o.other, ${into}::uuid), n.at, n.actor_id
    from ${tx(table)} n cross join lateral (
      select case when n.low_id = ${from} then n.high_id else n.low_id end as other) o
    where ${from} in (n.low_id, n.high_id) and o.other <> ${into}
    on conflict do nothing
    returning low_id, high_id`;
  return { own: own.map(({ row }) => row), added: [...added] };
}

/** Undoes it. */
export async function returnDismissed(
  tx: Tx,
  table: DismissedTable,
  { own, added }: MovedDismissed,
): Promise<void> {
  const pairs = (rows: MovedDismissed["own"]) =>
    tx`json_populate_recordset(null::${tx(table)}, ${tx.json(rows as never)}::json) x`;
  await tx`
    delete from ${tx(table)} n using ${pairs(added)} where n.low_id = x.low_id and n.high_id = x.high_id`;
  await tx`
    insert into ${tx(table)} (low_id, high_id, at, actor_id) select x.low_id, x.high_id, x.at, x.actor_id from ${pairs(own)}
    on conflict do nothing`;
}
