/** Turns the row of an account into a caller. */
import type { Account } from "../caller.ts";
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
