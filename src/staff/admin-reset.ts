/** Gives an administrator who cannot sign in any more a new password (contract §4.6), for `svc-manage reset-admin`. */
import { queueNotice } from "../accounts/account-notices.ts";
import { normalisePassword, randomPassword } from "../accounts/passwords/passwords.ts";
import { recordSecurityEvent } from "../accounts/security-events.ts";
import { said } from "../messages/said.ts";
import { Refusal } from "../refusal.ts";
import type { Services } from "../services.ts";
import { holdUser, lockStaff, type UserRow, updateUser } from "./user-store.ts";

/**
 * Returns the new random password, which must be changed at the next sign-in. All sessions of the account end. Throws a
 * Refusal if the account is not an administrator, or is disabled and `enable` is not set.
 */
export async function resetAdmin(
  { sql, passwords, mail }: Pick<Services, "sql" | "passwords" | "mail">,
  { id, email }: Pick<UserRow, "id" | "email">,
  { enable }: { enable: boolean },
): Promise<string> {
  const password = randomPassword();
  // hashing is slow, and on the embedded database a transaction blocks everybody
  const passwordHash = await passwords.hash(normalisePassword(password));
  await sql.begin("isolation level read committed", async (tx) => {
    await lockStaff(tx);
    const account = await holdUser(tx, id);
    const isStill = account && ["admin", "superuser"].includes(account.role) && (enable || !account.disabled);
    if (!isStill) throw new Refusal(said("cli.reset.changed", { email }));
    const state = { ...account, disabled: false, must_change_password: true };
    await updateUser(tx, id, state, { passwordHash, ends: true });
    await queueNotice(tx, { mail }, "password_changed", account);
    await recordSecurityEvent(tx, {
      event: "admin_reset",
      actorId: null,
      accountId: id,
      client: "",
      detail: { enabled: account.disabled },
    });
  });
  return password;
}
