/**
 * Mails about a changed password or address, so that account owners learn of changes that they did not make. They contain no
 * secrets and no links that change anything.
 */
import type { Config } from "../config/read.ts";
import { datesOf } from "../messages/dates.ts";
import { said } from "../messages/said.ts";
import { type Language, type Translate, translator } from "../messages/translate.ts";
import type { OutgoingMail, Services, Tx } from "../services.ts";
import { type NoticeKind, queueMail } from "./mail-queue.ts";
import { mailOf } from "./mail-text.ts";

/**
 * Queues a notice in the transaction of the change. Does nothing if mail is off. @param account with its former address
 * @param language of the owner, if they made the change themselves
 */
export async function queueNotice(
  tx: Tx,
  { mail }: Pick<Services, "mail">,
  kind: NoticeKind,
  account: { id: string; email: string },
  language: Language = "en",
): Promise<void> {
  if (mail !== null) await queueMail(tx, kind, account.id, language, account.email);
}

/** @param at the time of the change, as the database writes it */
export function noticeMail(
  { baseUrl, adminUrl, timeZone }: Pick<Config, "baseUrl" | "adminUrl" | "timeZone">,
  kind: NoticeKind,
  to: string,
  at: string,
  language: Language,
): OutgoingMail {
  const t = translator(language);
  const { host } = new URL(baseUrl);
  const forgotten = `${adminUrl}/forgotten`;
  const when = momentOf(t, at, timeZone);
  return kind === "password_changed"
    ? mailOf(
        t,
        to,
        said("mail.password_changed.subject", { host }),
        [
          said("mail.password_changed.when", { host, when }),
          said("mail.password_changed.known"),
          said("mail.password_changed.unknown", { host }),
          forgotten,
        ],
        forgotten,
      )
    : mailOf(t, to, said("mail.email_changed.subject", { host }), [
        said("mail.email_changed.when", { host, when }),
        said("mail.email_changed.known"),
        said("mail.email_changed.unknown", { host }),
      ]);
}

/** `21 November 2026 at 06:10 (UTC)`. */
function momentOf({ language }: Translate, at: string, timeZone: string): string {
  const format = datesOf(language, { dateStyle: "long", timeStyle: "short", timeZone });
  return `${format(new Date(`${at.slice(0, 23)}Z`))} (${timeZone})`;
}
