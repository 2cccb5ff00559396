/** SQL of the password resets. One function, one statement. */
import type { Sql, Tx } from "../../services.ts";

/** Minutes for which a token is valid after its mail was made. */
export const RESET_MINUTES = 30;

/**
 * Stores the hash of a token, replacing an older one. Returns false if the mail is no longer wanted, because it was withdrawn or
 * the account was disabled.
 *
 * @param mailId the queued mail for the token
 */
export async function keepReset(sql: Sql, mailId: string, tokenHash: string): Promise<boolean> {
  const { count } = await sql`
    insert into password_resets (account_id, token_hash, token_version, expires_at)
    select a.id, ${tokenHash}, a.token_version, now() + make_interval(mins => ${RESET_MINUTES})
    from mail_queue m join accounts a on a.id = m.account_id
    where m.id = ${mailId} and m.given_up_at is null and a.disabled_at is null
    on conflict (account_id) do update set token_hash = excluded.token_hash,
      token_version = excluded.token_version, expires_at = excluded.expires_at`;
  return count === 1;
}

export type OpenReset = { id: string; email: string; token_version: number };

/** The account of this token; undefined if the token is unknown, used or expired. */
export async function findReset(sql: Sql, tokenHash: string): Promise<OpenReset | undefined> {
  const [row] = await sql<OpenReset[]>`
    select a.id, a.email, a.token_version
    from password_resets p join accounts a on a.id = p.account_id and a.token_version = p.token_version
    where p.token_hash = ${tokenHash} and p.expires_at > now() and a.disabled_at is null`;
  return row;
}

/** Invalidates the token. Returns false if it was used or replaced meanwhile. */
export async function useReset(tx: Tx, tokenHash: string): Promise<boolean> {
  const { count } = await tx`
    delete from password_resets where token_hash = ${tokenHash} and expires_at > now()`;
  return count === 1;
}

export async function endReset(tx: Tx, accountId: string | null): Promise<void> {
  await tx`delete from password_resets where account_id = ${accountId}`;
}

export async function forgetResets(sql: Sql): Promise<void> {
  await sql`delete from password_resets where expires_at < now()`;
}
