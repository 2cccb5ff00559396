/** From the row of an account to somebody who asks. */
import type { Account } from "../caller.ts";
import type { StoredAccount } from "./store.ts";

/** An account that has proved who it is, with all that its role permits. */
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
