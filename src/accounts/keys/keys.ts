/** Creates, changes and revokes API keys. */
import { type Account, mayUse, refuse } from "../../caller.ts";
import type { Requester } from "../../http/endpoint.ts";
import { newId } from "../../ids.ts";
import { said } from "../../messages/said.ts";
import { type Fault, invalid, Problem } from "../../problem.ts";
import type { Services, Tx } from "../../services.ts";
import { randomLetters, randomSecret, secretHash } from "../secrets.ts";
import { recordEventBy, type SecurityEvent } from "../security-events.ts";
import { findAccountById, type StoredAccount } from "../store.ts";
import { covers, scopesOf } from "./scopes.ts";
import { deleteKey, deleteKeysOf, findKey, holdRole, insertKey, type StoredKey, updateKey } from "./store.ts";

const MOST_KEYS = 100;

type NeededServices = Pick<Services, "sql">;

/** The editable data of a key. `expires_at` null: never. */
export type KeyDraft = { name: string; permissions: string[]; expires_at: string | null };

/** The owner of the keys: the caller, or with `users:manage` anybody. */
export async function ownerOfKeys(
  { sql }: NeededServices,
  caller: Account,
  accountId: string,
): Promise<StoredAccount> {
  if (caller.id !== accountId && !mayUse(caller, "users:manage")) throw refuse(caller, "users:manage");
  const owner = await findAccountById(sql, accountId);
  if (!owner) throw new Problem("not_found", said("problem.account.not_found"));
  return owner;
}

/** Returns the `key` itself, which is never shown again. */
export async function createKey(
  services: NeededServices,
  by: Requester,
  owner: StoredAccount,
  draft: KeyDraft,
): Promise<{ stored: StoredKey; key: string }> {
  demandRank(by.caller, owner);
  demandDraft(owner, draft, draft.permissions, draft.expires_at);
  const prefix = `svc_${randomLetters(10)}`;
  const key = `${prefix}_${randomSecret()}`;
  const keyHash = await secretHash(key);
  const stored = await services.sql.begin(async (tx) => {
    await holdRoles(tx, by.caller, owner);
    const row = await insertKey(
      tx,
      { ...draft, id: newId(), accountId: owner.id, key_prefix: prefix, keyHash },
      MOST_KEYS,
    );
    if (row) await recordKey(tx, "key_created", by, owner.id, row);
    return row;
  });
  if (!stored) {
    throw new Problem("conflict", said("problem.key.too_many", { most: MOST_KEYS }));
  }
  return { stored, key };
}

/** Checks only added permissions against those of the owner. */
export async function changeKey(
  services: NeededServices,
  by: Requester,
  owner: StoredAccount,
  keyId: string,
  change: Partial<KeyDraft>,
): Promise<StoredKey> {
  demandRank(by.caller, owner);
  const current = (await findKey(services.sql, owner.id, keyId)) ?? noKey();
  const draft = { ...current, ...change };
  const added = draft.permissions.filter((scope) => !current.permissions.includes(scope));
  demandDraft(owner, draft, added, change.expires_at ?? null);
  const changed = await services.sql.begin(async (tx) => {
    await holdRoles(tx, by.caller, owner);
    const row = await updateKey(tx, draft);
    if (row) await recordKey(tx, "key_changed", by, owner.id, row);
    return row;
  });
  return changed ?? noKey();
}

/** Takes effect at once, with the next request. */
export async function revokeKey(
  services: NeededServices,
  by: Requester,
  owner: StoredAccount,
  keyId: string,
): Promise<void> {
  const gone = await services.sql.begin(async (tx) => {
    const row = await deleteKey(tx, owner.id, keyId);
    if (row) await recordKey(tx, "key_revoked", by, owner.id, row);
    return row;
  });
  if (!gone) noKey();
}

/** Revokes all keys of an account that becomes superuser: others may have created them (see `demandRank`). */
export async function revokeKeysOf(tx: Tx, by: Requester, accountId: string): Promise<void> {
  for (const key of await deleteKeysOf(tx, accountId)) {
    await recordKey(tx, "key_revoked", by, accountId, key);
  }
}

/** Locks the roles of both accounts, so that the checks stay true until the key is stored. */
async function holdRoles(tx: Tx, caller: Account, owner: StoredAccount): Promise<void> {
  for (const each of [caller, owner]) {
    if (await holdRole(tx, each)) continue;
    throw new Problem("conflict", said("problem.key.role_changed"));
  }
}

export function noKey(): never {
  throw new Problem("not_found", said("problem.key.not_found"));
}

/** A key has its owner's identity and role, so a key for an account with more permissions would grant these. */
function demandRank(caller: Account, owner: StoredAccount): void {
  if (owner.id === caller.id) return;
  if (owner.role === "superuser" && caller.role !== "superuser") {
    throw new Problem("forbidden", said("problem.key.superuser_only"));
  }
  if (covers(caller.permissions, owner.permissions)) return;
  throw new Problem("forbidden", said("problem.key.beyond", { email: owner.email }));
}

/** @param added the new permissions */
function demandDraft(
  owner: StoredAccount,
  { permissions }: KeyDraft,
  added: readonly string[],
  expiresAt: string | null,
): void {
  const theirs = scopesOf(owner.permissions);
  const faults: Fault[] = permissions.flatMap((scope, at) => {
    if (!added.includes(scope) || theirs.includes(scope)) return [];
    const detail =
      theirs.length === 0
        ? said("fault.key.no_permissions")
        : said("fault.key.permission", { permission: scope, permissions: theirs.join(", ") });
    return [{ pointer: `/permissions/${at}`, detail }];
  });
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) {
    faults.push({ pointer: "/expires_at", detail: said("fault.past") });
  }
  if (faults.length > 0) throw invalid(faults);
}

function recordKey(
  tx: Tx,
  event: SecurityEvent,
  by: Requester,
  accountId: string,
  { key_prefix, permissions, expires_at }: StoredKey,
): Promise<void> {
  return recordEventBy(tx, by, event, accountId, { key_prefix, permissions, expires_at });
}
