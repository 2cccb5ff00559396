/** SQL of accounts for administrators. One function, one statement. */

import { emailKey } from "../accounts/email.ts";
import type { Permissions } from "../caller.ts";
import type { Sql, Tx } from "../services.ts";
import { folded } from "../vocabularies/terms/store.ts";

export type UserRow = {
  id: string;
  email: string;
  display_name: string;
  role: string;
  permissions: Permissions;
  disabled: boolean;
  must_change_password: boolean;
  last_login_at: string | null;
  created_at: string;
};

export type UserFilter = { role?: string; disabled?: boolean; q?: string };

/** Held until the transaction ends, so that rules about several accounts and roles can be checked. */
export async function lockStaff(tx: Tx): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtext('staff'))`;
}

function userColumns(sql: Sql | Tx) {
  return sql`a.id, a.email, a.display_name, a.role, r.permissions, a.disabled_at is not null as disabled,
    a.must_change_password, a.last_login_at, a.created_at`;
}

function matching(sql: Sql, { role, disabled, q }: UserFilter) {
  return sql`true
    ${role === undefined ? sql`` : sql`and a.role = ${role}`}
    ${disabled === undefined ? sql`` : sql`and (a.disabled_at is not null) = ${disabled}`}
    ${q ? sql`and strpos(${folded(sql, sql`a.email || ' ' || a.display_name`)}, ${folded(sql, sql`${q}::text`)}) > 0` : sql``}`;
}

export async function countUsers(sql: Sql, filter: UserFilter): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from accounts a where ${matching(sql, filter)}`;
  return row!.n;
}

/** By address. */
export async function listUsers(
  sql: Sql,
  filter: UserFilter,
  page: { limit: number; offset: number },
): Promise<UserRow[]> {
  return sql<UserRow[]>`
    select ${userColumns(sql)} from accounts a join roles r on r.name = a.role
    where ${matching(sql, filter)}
    order by a.email_key collate "C"
    limit ${page.limit} offset ${page.offset}`;
}

export async function findUser(sql: Sql | Tx, id: string): Promise<UserRow | undefined> {
  const [row] = await sql<UserRow[]>`
    select ${userColumns(sql)} from accounts a join roles r on r.name = a.role where a.id = ${id}`;
  return row;
}

/** The same, locked until the transaction ends: its owner might change the password meanwhile. */
export async function holdUser(tx: Tx, id: string): Promise<UserRow | undefined> {
  const [row] = await tx<UserRow[]>`
    select ${userColumns(tx)} from accounts a join roles r on r.name = a.role where a.id = ${id} for update of a`;
  return row;
}

/** Accounts that may administer others, including disabled ones. */
export async function listAdministrators(sql: Sql): Promise<UserRow[]> {
  return sql<UserRow[]>`
    select ${userColumns(sql)} from accounts a join roles r on r.name = a.role
    where a.role in ('admin', 'superuser')
    order by a.email_key collate "C"`;
}

export type UserState = Pick<
  UserRow,
  "email" | "display_name" | "role" | "disabled" | "must_change_password"
>;

/** `passwordHash` null: the password stays. `ends`: all tokens and sessions of the account end. */
export async function updateUser(
  tx: Tx,
  id: string,
  state: UserState,
  { passwordHash, ends }: { passwordHash: string | null; ends: boolean },
): Promise<void> {
  await tx`
    update accounts set email = ${state.email}, email_key = ${emailKey(state.email)},
      display_name = ${state.display_name}, role = ${state.role}, must_change_password = ${state.must_change_password},
      disabled_at = case when ${state.disabled} then coalesce(disabled_at, now()) end,
      password_hash = coalesce(${passwordHash}::text, password_hash),
      token_version = token_version + ${ends ? 1 : 0}
    where id = ${id}`;
}

export async function deleteUser(tx: Tx, id: string): Promise<void> {
  await tx`delete from accounts where id = ${id}`;
}

/** Whether there is another superuser who can sign in. */
export async function hasOtherSuperuser(tx: Tx, id: string): Promise<boolean> {
  const [row] = await tx<{ found: boolean }[]>`
    select exists (
      select 1 from accounts where role = 'superuser' and disabled_at is null and id <> ${id}) as found`;
  return row!.found;
}

/** Whether the history of a record or an import names this account. */
export async function isInHistory(tx: Tx, id: string): Promise<boolean> {
  const [row] = await tx<{ found: boolean }[]>`
    select exists (select 1 from revisions where actor_id = ${id})
      or exists (select 1 from imports where actor_id = ${id}) as found`;
  return row!.found;
}
