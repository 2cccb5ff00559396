/** The first administrator, made by the service (contract §5.8), becomes the account of a person. The one-time password is the code. */
import { z } from "zod";
import { NameShape } from "../accounts/own-name.ts";
import { demandUnlocked, forgetFailures } from "../accounts/passwords/attempts.ts";
import { newPasswordFault, normalisePassword } from "../accounts/passwords/passwords.ts";
import { recordEventBy, recordSecurityEvent } from "../accounts/security-events.ts";
import { type Entered, prepareSession } from "../accounts/sessions/sessions.ts";
import { accountColumns, type StoredAccount, touchLastLogin } from "../accounts/store.ts";
import { readAs } from "../http/faults.ts";
import { said } from "../messages/said.ts";
import { invalid } from "../problem.ts";
import type { Services, Sql, Tx } from "../services.ts";
import { EmailShape } from "./user-shape.ts";
import { lockStaff, updateUser } from "./user-store.ts";

/**
 * The administrator whose one-time password nobody has used yet, while it is the only account. With other accounts,
 * there are people who can sign in, and they do so as usual.
 */
export async function findUnclaimed(sql: Sql | Tx): Promise<StoredAccount | undefined> {
  const [row] = await sql<StoredAccount[]>`
    select ${accountColumns(sql)} from accounts a join roles r on r.name = a.role
    where a.role in ('admin', 'superuser') and a.must_change_password and a.last_login_at is null
      and a.disabled_at is null and not exists (select from accounts other where other.id <> a.id)`;
  return row;
}

const ClaimShape = z.strictObject({ display_name: NameShape.min(1), email: EmailShape });

type Claim = { code: string; display_name: string; email: string; password: string };

/**
 * Gives the account its name, address and password, and starts a session. Null if it was claimed already, also by a
 * request at the same time. 422 for a wrong code, which counts as a wrong password at sign-in.
 */
export async function claimFirstAccount(
  services: Pick<Services, "sql" | "passwords" | "counter" | "givenPasswords">,
  { code, password, ...typed }: Claim,
  client: string,
): Promise<Entered | null> {
  const { sql, passwords } = services;
  const read = readAs(ClaimShape, typed);
  const fault = newPasswordFault(password, { email: typed.email, current: code });
  const faults = [
    ...("faults" in read ? read.faults : []),
    ...(fault ? [{ pointer: "/new_password", detail: fault }] : []),
  ];
  if ("faults" in read || faults.length > 0) throw invalid(faults);
  const account = await findUnclaimed(sql);
  if (!account) return null;
  const guess = { email: account.email, account, client };
  await demandUnlocked(services, guess);
  if (!(await passwords.verify(normalisePassword(code), account.password_hash))) {
    await recordSecurityEvent(sql, { event: "login_failed", actorId: null, accountId: account.id, client });
    throw invalid([{ pointer: "/code", detail: said("fault.first_code") }]);
  }
  await forgetFailures(services, guess);
  const passwordHash = await passwords.hash(normalisePassword(password));
  const { id: session, refresh, begin } = await prepareSession("page");
  // read committed, so that after waiting for the lock it sees what the last holder changed
  const claimed = await sql.begin("isolation level read committed", async (tx) => {
    await lockStaff(tx);
    const { id, token_version } = (await findUnclaimed(tx)) ?? {};
    if (id !== account.id || token_version !== account.token_version) return null;
    const now = { ...account, ...read.data, must_change_password: false, token_version: token_version + 1 };
    await updateUser(tx, id, now, { passwordHash, ends: true });
    await touchLastLogin(tx, id);
    await begin(tx, now);
    const changed = ["email", "display_name", "password"];
    await recordEventBy(tx, { caller: now, client }, "account_changed", id, {
      changed,
      email: now.email,
      email_before: account.email,
    });
    await recordEventBy(tx, { caller: now, client }, "login_succeeded", id);
    return now;
  });
  if (claimed === null) return null;
  await services.givenPasswords?.forget(account.email);
  return { account: claimed, session, refresh };
}
