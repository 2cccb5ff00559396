/** Sends mails one after the other, until none is due or the relay does not answer: claim → write → send → finish. */
import { noticeMail } from "../src/accounts/account-notices.ts";
import {
  claimMail,
  finishMail,
  giveUpMail,
  MOST_TRIES,
  putOffMail,
  type QueuedMail,
} from "../src/accounts/mail-queue.ts";
import { writeResetMail } from "../src/accounts/passwords/reset.ts";
import { errorFields, messageOf } from "../src/log.ts";
import type { Mail, Services } from "../src/services.ts";

/** Returns how many mails the relay accepted. Failed mails become due again later. */
export async function sendMails(
  services: Services,
  stopped: () => boolean | Promise<boolean> = () => false,
): Promise<number> {
  const { mail, sql } = services;
  if (mail === null) return 0;
  let sent = 0;
  while (!(await stopped())) {
    const queued = await claimMail(sql);
    if (!queued) break;
    const outcome = await sendOne(services, mail, queued);
    if (outcome === "sent") sent++;
    // the next mail would wait for the same relay
    if (outcome === "failed") break;
  }
  return sent;
}

async function sendOne(
  services: Services,
  mail: Mail,
  { id, kind, account_id, address, language, asked_at, attempts, stale }: QueuedMail,
): Promise<"sent" | "not sent" | "failed"> {
  const { sql, log } = services;
  if (account_id === null) {
    await finishMail(sql, id);
    return "not sent";
  }
  const giveUp = async (reason: string) => {
    await giveUpMail(sql, id, reason);
    log.error("mail given up", { mail: id, kind, attempts, reason });
    return "not sent" as const;
  };
  if (stale) return giveUp("it could not be sent for a day");
  try {
    const written =
      kind === "password_reset"
        ? await writeResetMail(services, id, account_id, language)
        : noticeMail(services.config, kind, address!, asked_at, language);
    const answer = written === null ? null : await mail.send(written);
    if (answer) return await giveUp(answer.refused);
    await finishMail(sql, id);
    if (written !== null) log.info("mail sent", { mail: id, kind, attempts });
    return written === null ? "not sent" : "sent";
  } catch (error) {
    const reason = messageOf(error);
    if (attempts >= MOST_TRIES) await giveUp(reason);
    else {
      await putOffMail(sql, id, reason);
      log.warn("mail not sent; it is retried later", { mail: id, kind, attempts, ...errorFields(error) });
    }
    return "failed";
  }
}
