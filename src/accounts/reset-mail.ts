/**
 * The mail for resetting a password. Its addresses come from the configuration, never from the request. The token
 * follows `#`, so browsers never send it to a server.
 */
import type { Config } from "../config/read.ts";
import type { OutgoingMail } from "../services.ts";
import { mailOf } from "./mail-text.ts";
import { RESET_MINUTES } from "./password-reset-store.ts";

/**
 * The token follows the `#` of the link, so it is never sent to a server and appears in no log or Referer. The mail
 * also explains how to use the API.
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
    `Somebody, probably you, requested a new password for your account at ${host}.`,
    "To choose it, open:",
    link,
    "Or use the API: send a POST request with the header Content-Type: application/json to",
    api,
    `{"token": "${token}", "new_password": "your new password"}`,
    `This works once and for ${RESET_MINUTES} minutes. It signs you out everywhere.`,
    "If you did not request this, do nothing: your password stays the same. Do not forward this mail.",
  ];
  return mailOf(to, `New password for ${host}`, paragraphs, link);
}
