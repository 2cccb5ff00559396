/** SQL of the accounts. One function, one statement. */
import type { Permissions } from "../caller.ts";
import type { Sql, Tx } from "../services.ts";
import { isStorable } from "../text.ts";
import { emailKey } from "./email.ts";

export type StoredAccount = {
  id: string;
  email: string;
  display_name: string;
  role: string;
  permissions: Permissions;
  password_hash: string;
  must_change_password: boolean;
  token_version: number;
  disabled: boolean;
};

/** The columns of a `StoredAccount`, from tables named `a` and `r`. */
export function accountColumns(sql: Sql | Tx) {
  return sql`a.id, a.email, a.display_name, a.role, r.permissions, a.password_hash, a.must_change_password,
    a.token_version, a.disabled_at is not null as disabled`;
}

/** The account with this address, in any spelling. */
export async function findAccountByEmail(sql: Sql | Tx, email: string): Promise<StoredAccount | undefined> {
  const key = emailKey(email);
  if (!isStorable(key)) return undefined;
  const [row] = await sql<StoredAccount[]>`
    select ${accountColumns(sql)} from accounts a join roles r on r.name = a.role where a.email_key = ${key}`;
  return row;
}

/** @param id a UUID */
export async function findAccountById(sql: Sql | Tx, id: string): Promise<StoredAccount | undefined> {
  const [row] = await sql<StoredAccount[]>`
    select ${accountColumns(sql)} from accounts a join roles r on r.name = a.role where a.id = ${id}`;
  return row;
}

export type NewAccount = {
  id: string;
  email: string;
  displayName: string;
  role: string;
  passwordHash: string;
  mustChangePassword: boolean;
};

/** Violates the constraint `accounts_email_key_key` if the address already has an account. */
export async function insertAccount(tx: Tx, account: NewAccount): Promise<void> {
  await tx`
    insert into accounts (id, email, email_key, display_name, password_hash, role, must_change_password)
    values (${account.id}, ${account.email}, ${emailKey(account.email)}, ${account.displayName},
      ${account.passwordHash}, ${account.role}, ${account.mustChangePassword})`;
}

/**
 * Stores a password chosen by the owner, which ends all tokens. Returns the new token version; undefined if the account was
 * disabled, or its password changed, after `seen` was read.
 */
export async function setPassword(
  tx: Tx,
  seen: Pick<StoredAccount, "id" | "token_version">,
  passwordHash: string,
): Promise<number | undefined> {
  const [row] = await tx<{ token_version: number }[]>`
    update accounts
    set password_hash = ${passwordHash}, must_change_password = false, token_version = token_version + 1
    where id = ${seen.id} and token_version = ${seen.token_version} and disabled_at is null
    returning token_version`;
  return row?.token_version;
}

export async function endTokens(tx: Tx, id: string): Promise<void> {
  await tx`update accounts set token_version = token_version + 1 where id = ${id}`;
}

/** Stores the same password with the current algorithm, unless it was changed meanwhile. Ends no sessions. */
export async function renewPasswordHash(tx: Tx, id: string, from: string, to: string): Promise<void> {
  await tx`update accounts set password_hash = ${to} where id = ${id} and password_hash = ${from}`;
}

/** Counts accounts that may administer others, including disabled ones, which can be enabled again. */
export async function countAdministrators(sql: Sql | Tx): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from accounts where role in ('admin', 'superuser')`;
  return row!.count;
}

export async function touchLastLogin(tx: Tx, id: string): Promise<void> {
  await tx`update accounts set last_login_at = now() where id = ${id}`;
}

/** Takes a lock until the transaction ends, so that only one of several first starts creates the first account. */
export async function lockFirstRun(tx: Tx): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtext('first-run'))`;
}
