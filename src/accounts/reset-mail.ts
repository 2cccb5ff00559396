/**
 * The mail with which a password is reset. Its addresses come from the configuration, never from the request. The token
 * stands behind `#`, which browsers send to no server.
 */
import type { Config } from "../config/read.ts";
import type { OutgoingMail } from "../services.ts";
import { mailOf } from "./mail-text.ts";
import { RESET_MINUTES } from "./password-reset-store.ts";

/**
 * The token stands behind `#` of the link: what follows it is never sent to a server, so that it gets into no log and no
 * Referer. Who has no admin interface is told how to do it with the API.
 */
export function resetMail(
  { baseUrl, adminUrl }: Pick<Config, "baseUrl" | "adminUrl">,
  to: string,
  token: string,
): OutgoingMail {
  const link = `${adminUrl}/reset#token=${token}`;
  const api = `${baseUrl}/v1/auth/password-reset/confirm`;
  const host = new URL(baseUrl).host;
  const paragraphs = [
    `Somebody, probably you, asked for a new password for your account at ${host}.`,
    "To choose one, open:",
    link,
    "Where no page answers at this address, use the API: send a POST request with the header Content-Type: application/json to",
    api,
    `{"token": "${token}", "new_password": "your new password"}`,
    `This works once and for ${RESET_MINUTES} minutes. It signs you out everywhere.`,
    "If you did not ask for this, do nothing: your password stays as it is. Give this mail to nobody.",
  ];
  return mailOf(to, `New password for ${host}`, paragraphs, link);
}
