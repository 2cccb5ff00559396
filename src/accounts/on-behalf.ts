/** The account that started a job, with its current permissions, which limit the job. */
import { type Account, OPERATOR } from "../caller.ts";
import { said } from "../messages/said.ts";
import type { MessageKey } from "../messages/translate.ts";
import { Problem } from "../problem.ts";
import type { Sql } from "../services.ts";
import { asCaller, asKeyCaller } from "./as-caller.ts";
import { findUsedKey } from "./keys/store.ts";
import { findAccountInSession } from "./sessions/store.ts";
import { findAccountById } from "./store.ts";

/** How a job stores who started it; null for the service itself. */
export type OnBehalf = { account: string; key: string | null } | null;

export function onBehalfOf(caller: Account): OnBehalf {
  return caller === OPERATOR ? null : { account: caller.id, key: caller.keyId ?? null };
}

/** The caller of a long request with current permissions. Throws 403 if the session or key with which it started has ended. */
export async function callerNow(sql: Sql, caller: Account): Promise<Account> {
  const { id: account, sessionId: session } = caller;
  if (session === undefined) return callerOf(sql, onBehalfOf(caller));
  const now = await findAccountInSession(sql, { session, account });
  if (!now || now.must_change_password) throw noLongerValid("problem.starter.session");
  return { ...asCaller(now), sessionId: session };
}

/** The caller of a job with current permissions. Throws 403 if the account, or the key that started the job, is no longer valid. */
export async function callerOf(sql: Sql, principal: OnBehalf): Promise<Account> {
  if (principal === null) return OPERATOR;
  if (principal.key === null) {
    const account = await findAccountById(sql, principal.account);
    if (!account || account.disabled || account.must_change_password)
      throw noLongerValid("problem.starter.account");
    return asCaller(account);
  }
  const owner = await findUsedKey(sql, { id: principal.key });
  if (!owner || owner.expired || owner.disabled || owner.must_change_password)
    throw noLongerValid("problem.starter.key");
  return asKeyCaller(owner);
}

function noLongerValid(key: MessageKey): Problem {
  return new Problem("forbidden", said(key));
}
