/** Limits for those who administer accounts and roles: they can neither give nor change permissions that they lack. */

import { refusedToken } from "../accounts/sessions/tokens.ts";
import { findAccountById } from "../accounts/store.ts";
import { type Account, mayUse, type Permissions, refuse } from "../caller.ts";
import type { Requester } from "../http/endpoint.ts";
import { type Said, said } from "../messages/said.ts";
import type { MessageKey } from "../messages/translate.ts";
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
    if (!callerNow || callerNow.disabled) throw refusedToken("problem.token.ended");
    // an API key may permit less than its account
    const permissions = shared(caller.permissions, callerNow.permissions);
    const actor: Account = { ...caller, role: callerNow.role, permissions };
    if (!mayUse(actor, "users:manage")) throw refuse(actor, "users:manage");
    return { result: await work(tx, actor) };
  });
  return done.result as T;
}

/** Permissions that a refusal names. */
const MOST_NAMED = 3;

type RankedRole = { name: string; permissions: Permissions };

/** Why the actor may not give or change this role, or change its holders; null if they may. */
export function reasonBeyond(actor: Account, role: RankedRole): Said | null {
  if (role.name === SUPERUSER && actor.role !== SUPERUSER) {
    return said("problem.role.superuser_only");
  }
  const more = permissionsBeyond(actor.permissions, role.permissions);
  if (more.length === 0) return null;
  const values = { permissions: more.slice(0, MOST_NAMED).join(", "), more: more.length - MOST_NAMED };
  return said(values.more > 0 ? "problem.role.beyond_more" : "problem.role.beyond", values);
}

/** 403 unless the actor has all permissions of the role. @param key what is said, beside `subject` and a `reason` */
export function demandWithin(actor: Account, role: RankedRole, key: MessageKey, subject: string): void {
  const reason = reasonBeyond(actor, role);
  if (reason !== null) throw new Problem("forbidden", said(key, { subject, reason }));
}
