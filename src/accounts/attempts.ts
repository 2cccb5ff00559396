/**
 * How often something may be tried on one account (interface §5). Counted by the e-mail address that is typed, so that
 * accounts which do not exist are locked like those which do; only its hash is kept. A new password, by mail, from an
 * administrator or from the command line, begins the count anew: it is what helps somebody who is locked out.
 *
 * Passwords are counted by account and client address, so that no stranger locks somebody else out. What many addresses try
 * together has a bound of its own, twenty times higher, behind which one more is let in every nine seconds; addresses from
 * which the account has signed in do not wait for that (NIST SP 800-63B §5.2.2).
 */
import { bucketOf, tooMany } from "../http/limits.ts";
import type { NamedLimit, Services } from "../services.ts";
import { emailKey } from "./email.ts";
import { familiarClients, recordSecurityEvent } from "./security-events.ts";
import type { StoredAccount } from "./store.ts";

const LIMITS = {
  /** Wrong passwords from one address; the right one forgets them. */
  password: { name: "password", limit: 5, windowSeconds: 900 },
  /** Passwords from all addresses that the account has not come from. */
  strangers: { name: "password-strangers", limit: 100, windowSeconds: 900 },
  /** Demands for a reset mail. */
  "password-reset": { name: "password-reset", limit: 3, windowSeconds: 3600 },
} as const satisfies Record<string, NamedLimit>;

const LOCKED =
  "After too many wrong passwords this account is locked for this address, also for the right password. Wait, or set a new one: by the link for a forgotten password, or on the server with svc-manage reset-admin";

const ONCE_PER_LOCK: NamedLimit = { name: "lock-told", limit: 1, windowSeconds: 900 };

/** A password tried on an address, as it was typed, from another address; `account` undefined: it has none. */
export type Guess = {
  email: string;
  account: Pick<StoredAccount, "id" | "token_version"> | undefined;
  client: string;
};

/**
 * Counts a demand for a reset mail before it is met, so that many at once are no more than many in turn. 429 when it is
 * one too many.
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
 * Counts a password before it is looked at. 429 when it is one too many; the first refusal is kept as the security event
 * `login_blocked`, without which a flood would fill the table.
 */
export async function demandUnlocked(
  services: Pick<Services, "counter" | "sql">,
  guess: Guess,
): Promise<void> {
  const { account, client } = guess;
  const { here, everywhere } = await countedAs(guess);
  await demand(LIMITS.password, here);
  // asked also for an account that there is not: both take the same time
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
    // the same for the right password: it is not looked at, or the lock would let people go on guessing
    throw tooMany(limit, tally, LOCKED);
  }
}

/** The password was right: what was wrong before, from this address, counts no more. */
export async function forgetFailures({ counter }: Pick<Services, "counter">, guess: Guess): Promise<void> {
  const { here } = await countedAs(guess);
  await counter.forget(LIMITS.password, here);
  await counter.forget(ONCE_PER_LOCK, here);
}

async function countedAs({ email, account, client }: Guess): Promise<{ here: string; everywhere: string }> {
  // the version is another one with every new password, whichever process set it
  const who = account ? `${emailKey(email)}\n${account.token_version}` : emailKey(email);
  return { here: await hashOf(`${who}\n${bucketOf(client)}`), everywhere: await hashOf(who) };
}

async function hashOf(counted: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(counted));
  return Array.from(new Uint8Array(digest).subarray(0, 16), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}
