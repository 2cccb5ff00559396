/** Resets passwords by mail. Only the hash of a token is stored, so that a copy of the database gives no access. */

import { said } from "../../messages/said.ts";
import type { Language } from "../../messages/translate.ts";
import { invalidAt, Problem } from "../../problem.ts";
import type { OutgoingMail, Services } from "../../services.ts";
import { queueNotice } from "../account-notices.ts";
import { queueMail, withdrawResetMails } from "../mail-queue.ts";
import { randomSecret, secretHash } from "../secrets.ts";
import { recordEventBy, recordSecurityEvent } from "../security-events.ts";
import { findAccountByEmail, findAccountById, setPassword } from "../store.ts";
import { normalisePassword, passwordFault } from "./passwords.ts";
import { resetMail } from "./reset-mail.ts";
import { endReset, findReset, keepReset, useReset } from "./reset-store.ts";

type NeededServices = Pick<Services, "config" | "sql" | "mail">;

/**
 * Queues the mail for the account with this address, and invalidates an older token. Unknown and disabled accounts cause the same
 * work and rows, so that neither the answer nor its duration reveals who has an account.
 */
export async function requestReset(
  services: NeededServices,
  email: string,
  client: string,
  language: Language,
): Promise<void> {
  const { sql, mail } = services;
  if (mail === null) {
    throw new Problem("unavailable", said("problem.mail.off"));
  }
  const account = await findAccountByEmail(sql, email);
  const accountId = account && !account.disabled ? account.id : null;
  await sql.begin(async (tx) => {
    await withdrawResetMails(tx, accountId);
    await endReset(tx, accountId);
    await queueMail(tx, "password_reset", accountId, language);
    await recordSecurityEvent(tx, { event: "password_reset_requested", actorId: null, accountId, client });
  });
}

/** Makes the mail for a request, with a token that is valid from now on; null if the mail is no longer wanted. */
export async function writeResetMail(
  { sql, config }: Pick<Services, "config" | "sql">,
  mailId: string,
  accountId: string,
  language: Language,
): Promise<OutgoingMail | null> {
  const account = await findAccountById(sql, accountId);
  if (!account) return null;
  const token = randomSecret();
  if (!(await keepReset(sql, mailId, await secretHash(token)))) return null;
  return resetMail(config, account.email, token, language);
}

/** Sets the password, which ends all sessions of the account. The token stays valid if the password is refused. */
export async function confirmReset(
  { sql, passwords, mail, givenPasswords }: Pick<Services, "sql" | "passwords" | "mail" | "givenPasswords">,
  token: string,
  chosen: string,
  client: string,
  language: Language,
): Promise<void> {
  const tokenHash = await secretHash(token);
  const account = await findReset(sql, tokenHash);
  if (!account) throw refusedReset();
  const fault = passwordFault(chosen, account.email);
  if (fault) throw invalidAt("/new_password", fault);
  // before the transaction: hashing is slow, and on the embedded database a transaction blocks everybody
  const passwordHash = await passwords.hash(normalisePassword(chosen));
  await sql.begin(async (tx) => {
    if (!(await useReset(tx, tokenHash))) throw refusedReset();
    if ((await setPassword(tx, account, passwordHash)) === undefined) throw refusedReset();
    await withdrawResetMails(tx, account.id);
    await queueNotice(tx, { mail }, "password_changed", account, language);
    await recordEventBy(tx, { caller: account, client }, "password_reset", account.id);
  });
  await givenPasswords?.forget(account.email);
}

function refusedReset(): Problem {
  return invalidAt("/token", said("fault.reset_token"));
}
