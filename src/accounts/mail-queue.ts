/**
 * Mails that are to be sent. A request leaves a row, the worker claims it for a while, makes the mail and deletes the row
 * once the relay has taken it. A mail can arrive twice when a process dies at the wrong moment, but never not at all.
 */
import { newId } from "../ids.ts";
import type { Sql, Tx } from "../services.ts";

export type NoticeKind = "password_changed" | "email_changed";
export type MailKind = "password_reset" | NoticeKind;

/** A mail is tried so often: with the waits between, for about three hours. */
export const MOST_TRIES = 10;

/** How long a claim holds before somebody else may try; longer than the relay is waited for. */
const LEASE = "2 minutes";
/** Asked for longer ago than this, because the service or its mail was off, it is not expected any more. */
const STALE = "1 day";

/** @param accountId null: nobody has the address; the row is dropped when it is claimed. */
export async function queueMail(tx: Tx, kind: "password_reset", accountId: string | null): Promise<void> {
  await tx`insert into mail_queue (id, kind, account_id) values (${newId()}, ${kind}, ${accountId})`;
}

/** @param address where it goes, whatever address the account has by then */
export async function queueNotice(
  tx: Tx,
  kind: NoticeKind,
  accountId: string,
  address: string,
): Promise<void> {
  await tx`
    insert into mail_queue (id, kind, account_id, address) values (${newId()}, ${kind}, ${accountId}, ${address})`;
}

/** Takes back what was not sent yet, also while it is being sent. */
export async function takeBackMails(tx: Tx, kind: MailKind, accountId: string | null): Promise<void> {
  await tx`delete from mail_queue where kind = ${kind} and account_id = ${accountId}`;
}

export type QueuedMail = {
  id: string;
  kind: MailKind;
  account_id: string | null;
  /** Of a notice only. */
  address: string | null;
  asked_at: string;
  /** How often it was tried, this time too. */
  attempts: number;
  stale: boolean;
};

/** Takes the mail that has been due for longest. */
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
    returning id, kind, account_id, address, asked_at, attempts, asked_at < now() - ${STALE}::interval as stale`;
  return row;
}

export async function finishMail(sql: Sql, id: string): Promise<void> {
  await sql`delete from mail_queue where id = ${id}`;
}

/** Each failed try waits twice as long, from half a minute to an hour. */
export async function putOffMail(sql: Sql, id: string, reason: string): Promise<void> {
  await sql`
    update mail_queue set last_error = ${reason.slice(0, 500)},
      due_at = now() + least(interval '1 hour', interval '15 seconds' * 2 ^ least(attempts, 12))
    where id = ${id}`;
}

/** Is not tried again; the row stays for a month, for whoever looks why a mail did not come. */
export async function giveUpMail(sql: Sql, id: string, reason: string): Promise<void> {
  await sql`update mail_queue set last_error = ${reason.slice(0, 500)}, given_up_at = now() where id = ${id}`;
}

/** Deletes what was given up a month ago. */
export async function forgetMails(sql: Sql): Promise<void> {
  await sql`delete from mail_queue where given_up_at < now() - interval '30 days'`;
}
