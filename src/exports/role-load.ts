/** Roles of an export: those of the same name are made like them, but for the superuser, who may always do everything. */
import type { Tx } from "../services.ts";

export async function loadRoles(tx: Tx, rows: readonly string[]): Promise<void> {
  await tx`
    insert into roles (name, label, sort_order, permissions)
    select name, label, sort_order, permissions
    from json_populate_recordset(null::roles, ${`[${rows.join(",")}]`}::text::json)
    where name <> 'superuser'
    on conflict (name) do update set label = excluded.label, sort_order = excluded.sort_order,
      permissions = excluded.permissions`;
}
