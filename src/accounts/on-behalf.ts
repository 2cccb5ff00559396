/** Whoever asked for a job, as they are when it is done: what they lost since, the job may not do either. */
import { type Account, OPERATOR } from "../caller.ts";
import { Problem } from "../problem.ts";
import type { Sql } from "../services.ts";
import { asCaller } from "./as-caller.ts";
import { withinScopes } from "./key-scopes.ts";
import { findKeyOwner } from "./key-store.ts";
import { findAccountInSession } from "./session-store.ts";
import { findAccountById } from "./store.ts";

/** How a job remembers who asked: null for the program itself. */
export type OnBehalf = { account: string; key: string | null } | null;

export function onBehalfOf(caller: Account): OnBehalf {
  return caller === OPERATOR ? null : { account: caller.id, key: caller.keyId ?? null };
}

/** As they are now, whoever sends a request that takes long; 403 when the session or key with which it began has ended. */
export async function stillCalling(sql: Sql, caller: Account): Promise<Account> {
  const { id: account, sessionId: session } = caller;
  if (session === undefined) return callerOf(sql, onBehalfOf(caller));
  const now = await findAccountInSession(sql, { session, account });
  if (!now || now.must_change_password) throw gone("session");
  return { ...asCaller(now), sessionId: session };
}

/** 403 when the account, or the key with which it asked, is no longer valid. */
export async function callerOf(sql: Sql, asked: OnBehalf): Promise<Account> {
  if (asked === null) return OPERATOR;
  if (asked.key === null) {
    const account = await findAccountById(sql, asked.account);
    if (!account || account.disabled || account.must_change_password) throw gone("account");
    return asCaller(account);
  }
  const owner = await findKeyOwner(sql, asked.key);
  if (!owner || owner.expired || owner.disabled || owner.must_change_password) throw gone("API key");
  return {
    ...asCaller(owner),
    permissions: withinScopes(owner.permissions, owner.scopes),
    keyId: owner.key_id,
  };
}

function gone(what: string): Problem {
  return new Problem("forbidden", `The ${what} that asked for this is no longer valid`);
}
