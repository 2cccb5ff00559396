/**
 * How often something may be tried on one account, whoever tries (interface §5). Counted by the address that is typed,
 * so that accounts which do not exist are locked like those which do; only its hash is kept. A new password, by mail,
 * from an administrator or from the command line, begins the count anew: it is what helps somebody who is locked out.
 */
import { tooMany } from "../http/limits.ts";
import type { NamedLimit, Services } from "../services.ts";
import { emailKey } from "./email.ts";
import { recordSecurityEvent } from "./security-events.ts";
import type { StoredAccount } from "./store.ts";

const LIMITS = {
  /** Wrong passwords; the right one forgets them. */
  password: { name: "password", limit: 5, windowSeconds: 900 },
  /** Demands for a reset mail. */
  "password-reset": { name: "password-reset", limit: 3, windowSeconds: 3600 },
} as const satisfies Record<string, NamedLimit>;

const ONCE_PER_LOCK: NamedLimit = { name: "lock-told", limit: 1, windowSeconds: 900 };

export type Attempt = keyof typeof LIMITS;

/** A password tried on an address, as it was typed, from another address; `account` undefined: it has none. */
export type Guess = {
  email: string;
  account: Pick<StoredAccount, "id" | "token_version"> | undefined;
  client: string;
};

/**
 * Counts one attempt before it is made, so that many at once are no more than many in turn. 429 when it is one too many.
 *
 * @param email as it was typed
 */
export async function demandAllowed(
  { counter }: Pick<Services, "counter">,
  attempt: Attempt,
  email: string,
): Promise<void> {
  const tally = await counter.hit(LIMITS[attempt], await hashOf(email));
  if (!tally.allowed) throw tooMany(LIMITS[attempt], tally);
}

/**
 * As `demandAllowed` for a password; the first refusal is kept as the security event `login_blocked`, without which a
 * flood would fill the table.
 */
export async function demandUnlocked(
  services: Pick<Services, "counter" | "sql">,
  { email, account, client }: Guess,
): Promise<void> {
  const who = await hashOf(email, account);
  const tally = await services.counter.hit(LIMITS.password, who);
  if (tally.allowed) return;
  if ((await services.counter.hit(ONCE_PER_LOCK, who)).allowed) {
    const accountId = account?.id ?? null;
    await recordSecurityEvent(services.sql, { event: "login_blocked", actorId: null, accountId, client });
  }
  throw tooMany(LIMITS.password, tally);
}

/** The password was right: what was wrong before counts no more. */
export async function forgetFailures(
  { counter }: Pick<Services, "counter">,
  { email, account }: Pick<Guess, "email" | "account">,
): Promise<void> {
  const who = await hashOf(email, account);
  await counter.forget(LIMITS.password, who);
  await counter.forget(ONCE_PER_LOCK, who);
}

async function hashOf(email: string, account?: Pick<StoredAccount, "token_version">): Promise<string> {
  // the version is another one with every new password, whichever process set it
  const counted = account ? `${emailKey(email)}\n${account.token_version}` : emailKey(email);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(counted));
  return Array.from(new Uint8Array(digest).subarray(0, 16), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}
