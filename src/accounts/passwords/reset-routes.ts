/** /v1/auth/password-reset: a new password by mail (contract §5.9 and §8.3, interface §5). */
import { z } from "zod";
import { type Api, endpoint } from "../../http/endpoint.ts";
import { wordsFor } from "../../http/words.ts";
import { demandResetAllowed } from "./attempts.ts";
import { NewPasswordShape } from "./passwords.ts";
import { confirmReset, requestReset } from "./reset.ts";
import { RESET_MINUTES } from "./reset-store.ts";

/** Most bytes of a body here. */
const LARGEST = 16 * 1024;
const TAG = "accounts";
const NO_STORE = { "Cache-Control": "no-store" };

const ResetRequest = z
  .strictObject({ email: z.string().min(1).max(320).openapi({ example: "admin@museum.example" }) })
  .openapi("PasswordResetRequest");

const ResetRequested = z.object({ message: z.string() }).openapi("PasswordResetRequested");

const ResetConfirmation = z
  .strictObject({
    token: z.string().min(1).max(200).openapi({ description: "The token of the mail" }),
    new_password: NewPasswordShape,
  })
  .openapi("PasswordResetConfirmation");

export function passwordResetRoutes(api: Api): void {
  const { services } = api;

  endpoint(api, {
    method: "post",
    path: "/v1/auth/password-reset",
    tag: TAG,
    summary: "Request a password reset by mail",
    description:
      "The answer does not tell whether the account exists. A new request invalidates the previous token.",
    access: "public",
    body: { schema: ResetRequest, limit: LARGEST },
    answers: { 202: { description: "Accepted", schema: ResetRequested } },
    problems: [429, 503],
    async handle({ c, body }) {
      await demandResetAllowed(services, body.email);
      await requestReset(services, body.email, c.get("client") ?? "", wordsFor(c).language);
      // one answer for known and unknown addresses
      const t = wordsFor(c);
      return c.json({ message: t("mail.reset.accepted") }, 202, NO_STORE);
    },
  });

  endpoint(api, {
    method: "post",
    path: "/v1/auth/password-reset/confirm",
    tag: TAG,
    summary: "Set a new password with the token of the mail",
    description: `The token is valid only once, within ${RESET_MINUTES} minutes. Ends every session of the account.`,
    access: "public",
    body: { schema: ResetConfirmation, limit: LARGEST },
    answers: { 204: { description: "The new password is set" } },
    async handle({ c, body }) {
      await confirmReset(
        services,
        body.token,
        body.new_password,
        c.get("client") ?? "",
        wordsFor(c).language,
      );
      return c.body(null, 204, NO_STORE);
    },
  });
}
