/** Signs users in, and changes their own password. */
import type { Account } from "../caller.ts";
import { said } from "../messages/said.ts";
import type { Language } from "../messages/translate.ts";
import { invalidAt, Problem } from "../problem.ts";
import type { Passwords, Services } from "../services.ts";
import { queueNotice } from "./account-notices.ts";
import { demandUnlocked, forgetFailures } from "./passwords/attempts.ts";
import { newPasswordFault, normalisePassword } from "./passwords/passwords.ts";
import { recordEventBy, recordSecurityEvent } from "./security-events.ts";
import { type Entered, prepareSession, type SessionKind } from "./sessions/sessions.ts";
import { deleteSessionsOf } from "./sessions/store.ts";
import { refusedToken } from "./sessions/tokens.ts";
import {
  findAccountByEmail,
  findAccountById,
  renewPasswordHash,
  setPassword,
  touchLastLogin,
} from "./store.ts";

type NeededServices = Pick<Services, "sql" | "passwords" | "counter">;

/** A hash that no password matches, one for each algorithm. */
const DUMMIES = new WeakMap<Passwords, string>();

async function dummyHash(passwords: Passwords): Promise<string> {
  let hash = DUMMIES.get(passwords);
  if (hash === undefined) {
    hash = await passwords.hash(`${crypto.randomUUID()}${crypto.randomUUID()}`);
    DUMMIES.set(passwords, hash);
  }
  return hash;
}

/**
 * Starts a session if the password is right. Unknown accounts, disabled accounts and wrong passwords take the same
 * time and get the same answer, so that nobody learns who has an account. After five failures in a quarter of an
 * hour, no password from the same address is checked until there is a new password.
 *
 * @param client the address of the client, for the security events
 */
export async function signIn(
  services: NeededServices,
  email: string,
  password: string,
  client: string,
  kind?: SessionKind,
): Promise<Entered> {
  const { sql, passwords } = services;
  const account = await findAccountByEmail(sql, email);
  await demandUnlocked(services, { email, account, client });
  const dummy = await dummyHash(passwords);
  const right = await passwords.verify(normalisePassword(password), account?.password_hash ?? dummy);
  if (!account || !right || account.disabled) {
    // never log the typed text, which may be a password in the wrong field
    const accountId = account?.id ?? null;
    await recordSecurityEvent(sql, { event: "login_failed", actorId: null, accountId, client });
    throw new Problem("unauthenticated", said("problem.credentials.wrong"), {
      headers: { "WWW-Authenticate": "Bearer" },
    });
  }
  await forgetFailures(services, { email, account, client });
  const renewed = passwords.isOutdated(account.password_hash)
    ? await passwords.hash(normalisePassword(password))
    : null;
  const { id: session, refresh, begin } = await prepareSession(kind);
  await sql.begin(async (tx) => {
    await touchLastLogin(tx, account.id);
    if (renewed !== null) await renewPasswordHash(tx, account.id, account.password_hash, renewed);
    await begin(tx, account);
    await recordEventBy(tx, { caller: account, client }, "login_succeeded", account.id);
  });
  return { account, session, refresh };
}

/** Ends every token and session of the account. Returns the updated account with a new session. */
export async function changePassword(
  services: NeededServices & Pick<Services, "mail" | "givenPasswords">,
  caller: Account,
  current: string,
  chosen: string,
  client: string,
  language: Language,
  kind?: SessionKind,
): Promise<Entered> {
  const { sql, passwords } = services;
  const fault = newPasswordFault(chosen, { email: caller.email, current });
  if (fault) throw invalidAt("/new_password", fault);
  const account = await findAccountById(sql, caller.id);
  if (!account) throw refusedToken("problem.token.ended");
  // counted and logged like failed sign-ins, so that an open session does not allow guessing the password
  await demandUnlocked(services, { email: account.email, account, client });
  if (!(await passwords.verify(normalisePassword(current), account.password_hash))) {
    await recordEventBy(sql, { caller: account, client }, "password_change_failed", account.id);
    throw invalidAt("/current_password", said("fault.password.wrong"));
  }
  await forgetFailures(services, { email: account.email, account, client });
  const hash = await passwords.hash(normalisePassword(chosen));
  const { id: session, refresh, begin } = await prepareSession(kind);
  const changed = await sql.begin(async (tx) => {
    const version = await setPassword(tx, account, hash);
    if (version === undefined) return undefined;
    const now = { ...account, must_change_password: false, token_version: version };
    await deleteSessionsOf(tx, account.id);
    await queueNotice(tx, services, "password_changed", account, language);
    await begin(tx, now);
    await recordEventBy(tx, { caller: account, client }, "password_changed", account.id);
    return now;
  });
  if (changed === undefined) throw refusedToken("problem.token.ended");
  await services.givenPasswords?.forget(account.email);
  return { account: changed, session, refresh };
}
