/** SQL of the API keys. One function, one statement. */
import type { Sql, Tx } from "../../services.ts";
import { accountColumns, type StoredAccount } from "../store.ts";

/** A key as shown; times in UTC without an offset. */
export type StoredKey = {
  id: string;
  name: string;
  key_prefix: string;
  permissions: string[];
  expires_at: string | null;
  last_used_at: string | null;
  created_at: string;
};

function keyColumns(sql: Sql | Tx) {
  return sql`id, name, key_prefix, permissions, expires_at, last_used_at, created_at`;
}

export async function listKeys(sql: Sql | Tx, accountId: string): Promise<StoredKey[]> {
  return sql<StoredKey[]>`
    select ${keyColumns(sql)} from api_keys where account_id = ${accountId} order by created_at, id`;
}

export async function findKey(sql: Sql | Tx, accountId: string, id: string): Promise<StoredKey | undefined> {
  const [row] = await sql<StoredKey[]>`
    select ${keyColumns(sql)} from api_keys where account_id = ${accountId} and id = ${id}`;
  return row;
}

export type NewKey = Pick<StoredKey, "id" | "name" | "key_prefix" | "permissions" | "expires_at"> & {
  accountId: string;
  keyHash: string;
};

/** Undefined if the account already has `most` keys. */
export async function insertKey(tx: Tx, key: NewKey, most: number): Promise<StoredKey | undefined> {
  const [row] = await tx<StoredKey[]>`
    insert into api_keys (id, account_id, name, key_prefix, key_hash, permissions, expires_at)
    select ${key.id}, ${key.accountId}, ${key.name}, ${key.key_prefix}, ${key.keyHash}, ${key.permissions},
      ${key.expires_at}::timestamptz
    where (select count(*) from api_keys where account_id = ${key.accountId}) < ${most}
    returning ${keyColumns(tx)}`;
  return row;
}

export async function updateKey(
  tx: Tx,
  key: Pick<StoredKey, "id" | "name" | "permissions" | "expires_at">,
): Promise<StoredKey | undefined> {
  const [row] = await tx<StoredKey[]>`
    update api_keys set name = ${key.name}, permissions = ${key.permissions}, expires_at = ${key.expires_at}
    where id = ${key.id} returning ${keyColumns(tx)}`;
  return row;
}

/** The deleted key; undefined if there is none. */
export async function deleteKey(tx: Tx, accountId: string, id: string): Promise<StoredKey | undefined> {
  const [row] = await tx<StoredKey[]>`
    delete from api_keys where account_id = ${accountId} and id = ${id} returning ${keyColumns(tx)}`;
  return row;
}

export async function deleteKeysOf(tx: Tx, accountId: string): Promise<StoredKey[]> {
  return tx<StoredKey[]>`delete from api_keys where account_id = ${accountId} returning ${keyColumns(tx)}`;
}

/** Whether the account still has this role. If so, locks it until the transaction ends. */
export async function holdRole(tx: Tx, { id, role }: Pick<StoredAccount, "id" | "role">): Promise<boolean> {
  const held = await tx`select 1 from accounts where id = ${id} and role = ${role} for share`;
  return held.length > 0;
}

export type UsedKey = StoredAccount & {
  key_id: string;
  scopes: string[];
  expired: boolean;
  /** The recorded last use is more than a minute ago. */
  use_is_news: boolean;
};

export async function findUsedKey(
  sql: Sql,
  by: { id: string } | { keyHash: string },
): Promise<UsedKey | undefined> {
  const [row] = await sql<UsedKey[]>`
    select ${accountColumns(sql)}, k.id as key_id, k.permissions as scopes,
      coalesce(k.expires_at <= now(), false) as expired,
      coalesce(k.last_used_at < now() - interval '1 minute', true) as use_is_news
    from api_keys k join accounts a on a.id = k.account_id join roles r on r.name = a.role
    where ${"id" in by ? sql`k.id = ${by.id}` : sql`k.key_hash = ${by.keyHash}`}`;
  return row;
}

/** Of simultaneous requests, only the first one writes. */
export async function touchKey(sql: Sql, id: string): Promise<void> {
  await sql`
    update api_keys set last_used_at = now()
    where id = ${id} and coalesce(last_used_at < now() - interval '1 minute', true)`;
}
