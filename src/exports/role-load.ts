/** Loads the roles of an export. Existing roles of the same name are replaced, except superuser, which always has all permissions. */
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
