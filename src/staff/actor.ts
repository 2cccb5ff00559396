/** Limits for those who administer accounts and roles: they can neither give nor change permissions that they lack. */

import { findAccountById } from "../accounts/store.ts";
import { refusedToken } from "../accounts/tokens.ts";
import { type Account, mayUse, type Permissions, refuse } from "../caller.ts";
import type { Requester } from "../http/endpoint.ts";
import { Problem } from "../problem.ts";
import type { Sql, Tx } from "../services.ts";
import { permissionsBeyond, shared } from "./permissions.ts";
import { lockStaff } from "./user-store.ts";

/** Its permissions cannot be changed. Only superusers create and change superusers. */
export const SUPERUSER = "superuser";

/** Routes of accounts and roles. */
export const STAFF = {
  tag: "staff",
  access: { read: { feature: "users:manage" }, write: { feature: "users:manage" } },
} as const;

/**
 * Makes one change of accounts or roles at a time. The caller's permissions are read again, because the change before this
 * one may have taken them away.
 */
export async function administer<T>(
  sql: Sql,
  { caller }: Requester,
  work: (tx: Tx, actor: Account) => Promise<T>,
): Promise<T> {
  // read committed, so that after waiting for the lock it sees what the last holder changed
  const done = await sql.begin("isolation level read committed", async (tx) => {
    await lockStaff(tx);
    const callerNow = await findAccountById(tx, caller.id);
    if (!callerNow || callerNow.disabled) throw refusedToken("is no longer valid");
    // an API key may permit less than its account
    const permissions = shared(caller.permissions, callerNow.permissions);
    const actor: Account = { ...caller, role: callerNow.role, permissions };
    if (!mayUse(actor, "users:manage")) throw refuse(actor, "users:manage");
    return { result: await work(tx, actor) };
  });
  return done.result as T;
}

type RankedRole = { name: string; permissions: Permissions };

/** Why the actor may not give or change this role, or change its holders; null if they may. */
export function reasonBeyond(actor: Account, role: RankedRole): string | null {
  if (role.name === SUPERUSER && actor.role !== SUPERUSER) {
    return "only a superuser can create, change or delete superusers";
  }
  const more = permissionsBeyond(actor.permissions, role.permissions);
  if (more.length === 0) return null;
  const rest = more.length > 3 ? ` and ${more.length - 3} more` : "";
  return `it has permissions that you do not have: ${more.slice(0, 3).join(", ")}${rest}`;
}

/** 403 unless the actor has all permissions of the role. @param what begins the sentence */
export function demandWithin(actor: Account, role: RankedRole, what: string): void {
  const reason = reasonBeyond(actor, role);
  if (reason !== null) throw new Problem("forbidden", `${what}: ${reason}`);
}
