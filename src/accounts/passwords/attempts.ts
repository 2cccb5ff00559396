/**
 * Limits attempts on one account (interface §5). They are counted by the typed e-mail address, so that non-existent accounts are
 * locked like real ones. Only a hash of the address is stored. A new password (by mail, by an administrator or on the command
 * line) resets the count, so it helps a user who is locked out.
 *
 * Passwords are counted by account and client address, so that nobody can lock out somebody else. Attempts from all
 * addresses together have a limit twenty times higher; above it, one attempt is allowed every nine seconds. Addresses
 * from which the account has signed in are exempt from that limit (NIST SP 800-63B §5.2.2).
 */
import { hex, sha256 } from "../../bytes.ts";
import { bucketOf } from "../../config/networks.ts";
import { tooMany } from "../../http/limits.ts";
import type { NamedLimit, Services } from "../../services.ts";
import { emailKey } from "../email.ts";
import { familiarClients, recordSecurityEvent } from "../security-events.ts";
import type { StoredAccount } from "../store.ts";

const LIMITS = {
  /** Wrong passwords from one client address. The right one resets the count. */
  password: { name: "password", limit: 5, windowSeconds: 900 },
  /** Passwords from all client addresses from which the account has not signed in. */
  strangers: { name: "password-strangers", limit: 100, windowSeconds: 900 },
  /** Requests for a reset mail. */
  "password-reset": { name: "password-reset", limit: 3, windowSeconds: 3600 },
} as const satisfies Record<string, NamedLimit>;

const ONCE_PER_LOCK: NamedLimit = { name: "lock-told", limit: 1, windowSeconds: 900 };

/** An attempt to sign in: the e-mail address as typed, its account if there is one, and the client address. */
export type Guess = {
  email: string;
  account: Pick<StoredAccount, "id" | "token_version"> | undefined;
  client: string;
};

/**
 * Counts a request for a reset mail before it is handled, so that simultaneous requests do not exceed the limit. Throws 429 above
 * it.
 *
 * @param email as it was typed
 */
export async function demandResetAllowed(
  { counter }: Pick<Services, "counter">,
  email: string,
): Promise<void> {
  const limit = LIMITS["password-reset"];
  const tally = await counter.hit(limit, await hashOf(emailKey(email)));
  if (!tally.allowed) throw tooMany(limit, tally);
}

/**
 * Counts a password before it is checked. Throws 429 above the limit. Only the first refusal is logged, as the security event
 * `login_blocked`, so that a flood does not fill the table.
 */
export async function demandUnlocked(
  services: Pick<Services, "counter" | "sql">,
  guess: Guess,
): Promise<void> {
  const { account, client } = guess;
  const { here, everywhere } = await countedAs(guess);
  await demand(LIMITS.password, here);
  // also for a non-existent account, so that both take the same time
  const familiar = await familiarClients(services.sql, account?.id ?? null);
  if (familiar.some((each) => bucketOf(each) === bucketOf(client))) return;
  await demand(LIMITS.strangers, everywhere);

  async function demand(limit: NamedLimit, who: string): Promise<void> {
    const tally = await services.counter.hit(limit, who);
    if (tally.allowed) return;
    if ((await services.counter.hit(ONCE_PER_LOCK, who)).allowed) {
      const accountId = account?.id ?? null;
      await recordSecurityEvent(services.sql, { event: "login_blocked", actorId: null, accountId, client });
    }
    // do not check even the right password, or guessing could continue despite the lock
    throw tooMany(limit, tally, "problem.sign_in.locked");
  }
}

/** Resets the count of this client address after a right password. */
export async function forgetFailures({ counter }: Pick<Services, "counter">, guess: Guess): Promise<void> {
  const { here } = await countedAs(guess);
  await counter.forget(LIMITS.password, here);
  await counter.forget(ONCE_PER_LOCK, here);
}

async function countedAs({ email, account, client }: Guess): Promise<{ here: string; everywhere: string }> {
  // every new password changes the version, so that it resets the count in all processes
  const who = account ? `${emailKey(email)}\n${account.token_version}` : emailKey(email);
  return { here: await hashOf(`${who}\n${bucketOf(client)}`), everywhere: await hashOf(who) };
}

async function hashOf(counted: string): Promise<string> {
  return hex((await sha256(counted)).subarray(0, 16));
}
