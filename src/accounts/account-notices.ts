/**
 * Mails about a changed password or address, so that account owners learn of changes they did not make. They contain
 * no secrets and no links that change anything.
 */
import type { Config } from "../config/read.ts";
import type { OutgoingMail, Services, Tx } from "../services.ts";
import { type NoticeKind, queueMail } from "./mail-queue.ts";
import { mailOf } from "./mail-text.ts";

/** Queued in the transaction of the change. Does nothing if mail is off. @param account with its former address */
export async function queueNotice(
  tx: Tx,
  { mail }: Pick<Services, "mail">,
  kind: NoticeKind,
  account: { id: string; email: string },
): Promise<void> {
  if (mail !== null) await queueMail(tx, kind, account.id, account.email);
}

/** @param at the time of the change, as the database writes it */
export function noticeMail(
  { baseUrl, adminUrl, timeZone }: Pick<Config, "baseUrl" | "adminUrl" | "timeZone">,
  kind: NoticeKind,
  to: string,
  at: string,
): OutgoingMail {
  const { host } = new URL(baseUrl);
  const forgotten = `${adminUrl}/forgotten`;
  const when = `on ${momentOf(at, timeZone)}`;
  return kind === "password_changed"
    ? mailOf(
        to,
        `Your password for ${host} was changed`,
        [
          `The password of your account at ${host} was changed ${when}. All existing sessions were signed out.`,
          "If you did this, or asked somebody to do it, you need not do anything.",
          `If not, tell the administrator of ${host} at once, and request a new password:`,
          forgotten,
        ],
        forgotten,
      )
    : mailOf(to, `Your address at ${host} was changed`, [
        `The e-mail address of your account at ${host} was changed ${when}. This is the last mail to the former address, which can no longer be used to sign in.`,
        "If you know about this, you need not do anything.",
        `If not, tell the administrator of ${host} at once: only they can change the address back.`,
      ]);
}

/** `21 November 2026 at 06:10 (UTC)`. */
function momentOf(at: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone });
  return `${format.format(new Date(`${at.slice(0, 23)}Z`))} (${timeZone})`;
}
