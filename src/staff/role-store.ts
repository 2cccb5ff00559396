/** SQL of roles. One function, one statement. */
import type { Permissions } from "../caller.ts";
import type { Labels } from "../records/schema.ts";
import type { Sql, Tx } from "../services.ts";

export type RoleRow = { name: string; label: Labels; sort_order: number; permissions: Permissions };

function roleColumns(sql: Sql | Tx) {
  return sql`r.name, r.label, r.sort_order, r.permissions`;
}

export async function listRoles(sql: Sql): Promise<RoleRow[]> {
  return sql<RoleRow[]>`select ${roleColumns(sql)} from roles r order by r.sort_order, r.name`;
}

export async function findRole(sql: Sql | Tx, name: string): Promise<RoleRow | undefined> {
  const [row] = await sql<RoleRow[]>`select ${roleColumns(sql)} from roles r where r.name = ${name}`;
  return row;
}

/** Violates the constraint `roles_pkey` if the name is taken. */
export async function insertRole(tx: Tx, role: RoleRow): Promise<void> {
  await tx`
    insert into roles (name, label, sort_order, permissions)
    values (${role.name}, ${tx.json(role.label)}, ${role.sort_order}, ${tx.json(role.permissions as never)})`;
}

export async function updateRole(tx: Tx, role: RoleRow): Promise<void> {
  await tx`
    update roles set label = ${tx.json(role.label)}, sort_order = ${role.sort_order},
      permissions = ${tx.json(role.permissions as never)}
    where name = ${role.name}`;
}

export async function deleteRole(tx: Tx, name: string): Promise<void> {
  await tx`delete from roles where name = ${name}`;
}

/** Accounts that have the role, disabled ones too. */
export async function countHolders(tx: Tx, name: string): Promise<number> {
  const [row] = await tx<{ n: number }[]>`select count(*)::int as n from accounts where role = ${name}`;
  return row!.n;
}
