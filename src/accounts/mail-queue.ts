/**
 * The queue of mails. A request adds a row. The worker claims it for a while, makes the mail, and deletes the row
 * once the relay has accepted it. If a process dies at the wrong moment, a mail may arrive twice, but none is lost.
 */
import { newId } from "../ids.ts";
import type { Language } from "../messages/translate.ts";
import type { Sql, Tx } from "../services.ts";

export type NoticeKind = "password_changed" | "email_changed";
export type MailKind = "password_reset" | NoticeKind;

/** Attempts per mail. With the waits between them, they take about three hours. */
export const MOST_TRIES = 10;

/** How long a claim lasts: longer than the timeout of the relay. */
const LEASE = "2 minutes";
/** An older mail is no longer sent. It waited because the service or its mail was off. */
const STALE = "1 day";

/**
 * @param language of its words @param accountId null: no account has the address; the row is deleted when it is claimed.
 * @param address the recipient of a notice, even if the account has another address by then
 */
export async function queueMail(
  tx: Tx,
  kind: MailKind,
  accountId: string | null,
  language: Language,
  address: string | null = null,
): Promise<void> {
  await tx`
    insert into mail_queue (id, kind, account_id, address, language)
    values (${newId()}, ${kind}, ${accountId}, ${address}, ${language})`;
}

/** Withdraws unsent mails for a new password, even those being sent. */
export async function withdrawResetMails(tx: Tx, accountId: string | null): Promise<void> {
  await tx`delete from mail_queue where kind = 'password_reset' and account_id = ${accountId}`;
}

export type QueuedMail = {
  id: string;
  kind: MailKind;
  account_id: string | null;
  /** For notices only. */
  address: string | null;
  language: Language;
  asked_at: string;
  /** The number of attempts, including this one. */
  attempts: number;
  stale: boolean;
};

export async function claimMail(sql: Sql): Promise<QueuedMail | undefined> {
  const [row] = await sql<QueuedMail[]>`
    update mail_queue set attempts = attempts + 1, due_at = now() + ${LEASE}::interval
    where id = (
      select id from mail_queue
      where given_up_at is null
        -- none is put off for so long unless the clock was set back since
        and (due_at <= now() or due_at > now() + interval '65 minutes')
      order by due_at limit 1
      for update skip locked)
    returning id, kind, account_id, address, language, asked_at, attempts, asked_at < now() - ${STALE}::interval as stale`;
  return row;
}

export async function finishMail(sql: Sql, id: string): Promise<void> {
  await sql`delete from mail_queue where id = ${id}`;
}

/** The wait doubles with each failure, from half a minute to an hour. */
export async function putOffMail(sql: Sql, id: string, reason: string): Promise<void> {
  await sql`
    update mail_queue set last_error = ${reason.slice(0, 500)},
      due_at = now() + least(interval '1 hour', interval '15 seconds' * 2 ^ least(attempts, 12))
    where id = ${id}`;
}

/** The mail is not retried. Its row stays for a month, to explain why it did not arrive. */
export async function giveUpMail(sql: Sql, id: string, reason: string): Promise<void> {
  await sql`update mail_queue set last_error = ${reason.slice(0, 500)}, given_up_at = now() where id = ${id}`;
}

/** Deletes mails that were given up a month ago. */
export async function forgetMails(sql: Sql): Promise<void> {
  await sql`delete from mail_queue where given_up_at < now() - interval '30 days'`;
}
