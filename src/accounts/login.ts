/** Signing in, and changing the password with which one does. */
import { invalid, Problem } from "../problem.ts";
import type { Passwords, Services } from "../services.ts";
import { demandUnlocked, forgetFailures } from "./attempts.ts";
import type { Account } from "./caller.ts";
import { normalisePassword, passwordFault } from "./passwords.ts";
import {
  findAccountByEmail,
  findAccountById,
  type StoredAccount,
  setPassword,
  touchLastLogin,
} from "./store.ts";
import { refusedToken } from "./tokens.ts";

type Given = Pick<Services, "sql" | "passwords" | "counter">;

/** A hash that no password fits, one for each way of hashing. */
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
 * The account, when the password is right. Unknown, disabled and wrong take the same time and get the same answer, so
 * that nobody learns here who has an account. After five failures in a quarter of an hour no password is looked at.
 */
export async function signIn(
  services: Given,
  email: string,
  password: string,
  client: string,
): Promise<StoredAccount> {
  const { sql, passwords } = services;
  await demandUnlocked(services, email, client);
  const dummy = await dummyHash(passwords);
  const account = await findAccountByEmail(sql, email);
  const right = await passwords.verify(normalisePassword(password), account?.password_hash ?? dummy);
  if (!account || !right || account.disabled) {
    throw new Problem("unauthenticated", "The e-mail address or the password is not right", {
      headers: { "WWW-Authenticate": "Bearer" },
    });
  }
  await forgetFailures(services, email);
  await sql.begin((tx) => touchLastLogin(tx, account.id));
  return account;
}

/** Ends every token of the account; answers the account as it is then, for a fresh one. */
export async function changePassword(
  services: Given,
  caller: Account,
  current: string,
  chosen: string,
  client: string,
): Promise<StoredAccount> {
  const { sql, passwords } = services;
  const fault = passwordFault(chosen, caller.email);
  if (fault) throw invalid([{ pointer: "/new_password", detail: fault }]);
  if (normalisePassword(chosen) === normalisePassword(current)) {
    throw invalid([{ pointer: "/new_password", detail: "is the same as the current password" }]);
  }
  const account = await findAccountById(sql, caller.id);
  if (!account) throw refusedToken("is no longer valid");
  // who has found somebody's session open must not find the password out here
  await demandUnlocked(services, account.email, client);
  if (!(await passwords.verify(normalisePassword(current), account.password_hash))) {
    throw invalid([{ pointer: "/current_password", detail: "is not the password of this account" }]);
  }
  await forgetFailures(services, account.email);
  const hash = await passwords.hash(normalisePassword(chosen));
  const version = await sql.begin((tx) => setPassword(tx, account, hash));
  if (version === undefined) throw refusedToken("is no longer valid");
  return { ...account, must_change_password: false, token_version: version };
}
