/**
 * Mails that tell of a changed password or address, so that whoever did not do it hears of it. They hold no secret, and no
 * link that does something.
 */
import type { Config } from "../config/read.ts";
import type { OutgoingMail, Services, Tx } from "../services.ts";
import { type NoticeKind, queueNotice } from "./mail-queue.ts";
import { mailOf } from "./mail-text.ts";

/** In the transaction of the change, to the address that the account has then. Nothing where no mail is sent. */
export async function tellOfPassword(
  tx: Tx,
  { mail }: Pick<Services, "mail">,
  account: { id: string; email: string },
): Promise<void> {
  if (mail !== null) await queueNotice(tx, "password_changed", account.id, account.email);
}

/** The same; `former` still has the address that is given up. */
export async function tellOfAddress(
  tx: Tx,
  { mail }: Pick<Services, "mail">,
  former: { id: string; email: string },
): Promise<void> {
  if (mail !== null) await queueNotice(tx, "email_changed", former.id, former.email);
}

/** @param at when it was changed, as the database says it */
export function noticeMail(
  { baseUrl, timeZone }: Pick<Config, "baseUrl" | "timeZone">,
  kind: NoticeKind,
  to: string,
  at: string,
): OutgoingMail {
  const { host } = new URL(baseUrl);
  const when = `on ${momentOf(at, timeZone)}`;
  return kind === "password_changed"
    ? mailOf(to, `Your password for ${host} was changed`, [
        `The password of your account at ${host} was changed ${when}. Everybody who was signed in with the old one was signed out.`,
        "If you did this, or asked somebody to do it, there is nothing to do.",
        `If not, tell whoever administers ${host} at once, and choose a new password: when you sign in, use "forgotten password", or send a POST request with the header Content-Type: application/json to`,
        `${baseUrl}/v1/auth/password-reset`,
        JSON.stringify({ email: to }),
      ])
    : mailOf(to, `Your address at ${host} was changed`, [
        `Your account at ${host} was given another e-mail address ${when}. This is the last mail to the former one, with which nobody can sign in any more.`,
        "If you know of this, there is nothing to do.",
        `If not, tell whoever administers ${host} at once: only they can give the account its address back.`,
      ]);
}

/** `21 November 2026 at 06:10 (UTC)`. */
function momentOf(at: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone });
  return `${format.format(new Date(`${at.slice(0, 23)}Z`))} (${timeZone})`;
}
