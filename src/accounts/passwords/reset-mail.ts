/** The mail for resetting a password. Its addresses come from the configuration, never from the request. */
import type { Config } from "../../config/read.ts";
import { said } from "../../messages/said.ts";
import { type Language, translator } from "../../messages/translate.ts";
import type { OutgoingMail } from "../../services.ts";
import { mailOf } from "../mail-text.ts";
import { RESET_MINUTES } from "./reset-store.ts";

/**
 * The token follows the `#` of the link, so that browsers never send it to a server, and it appears in no log or Referer. The
 * mail also explains how to use the API.
 */
export function resetMail(
  { baseUrl, adminUrl }: Pick<Config, "baseUrl" | "adminUrl">,
  to: string,
  token: string,
  language: Language,
): OutgoingMail {
  const link = `${adminUrl}/reset#token=${token}`;
  const api = `${baseUrl}/v1/auth/password-reset/confirm`;
  const host = new URL(baseUrl).host;
  const paragraphs = [
    said("mail.reset.requested", { host }),
    said("mail.reset.open"),
    link,
    said("mail.reset.api"),
    api,
    said("mail.reset.body", { token }),
    said("mail.reset.valid", { minutes: RESET_MINUTES }),
    said("mail.reset.ignore"),
  ];
  return mailOf(translator(language), to, said("mail.reset.subject", { host }), paragraphs, link);
}
