/** Turns the row of an account into a caller. */
import type { Account } from "../caller.ts";
import { withinScopes } from "./keys/scopes.ts";
import type { UsedKey } from "./keys/store.ts";
import type { StoredAccount } from "./store.ts";

/** An authenticated account, with all permissions of its role. */
export function asCaller(account: StoredAccount): Account {
  return {
    kind: "account",
    id: account.id,
    email: account.email,
    displayName: account.display_name,
    role: account.role,
    permissions: account.permissions,
    mustChangePassword: account.must_change_password,
  };
}

/** The owner of an API key, with the permissions of the key. */
export function asKeyCaller(used: UsedKey): Account {
  const permissions = withinScopes(used.permissions, used.scopes);
  return { ...asCaller(used), permissions, keyId: used.key_id };
}
