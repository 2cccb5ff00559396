/** /v1/auth/password-reset: a new password by mail (contract §5.9 and §8.3, interface §5). */
import { z } from "zod";
import { type Api, endpoint } from "../http/endpoint.ts";
import { isStorable } from "../text.ts";
import { demandResetAllowed } from "./attempts.ts";
import { confirmReset, requestReset } from "./password-reset.ts";
import { RESET_MINUTES } from "./password-reset-store.ts";
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from "./passwords.ts";

/** Bytes of any body here. */
const LARGEST = 16 * 1024;
const TAG = "accounts";
const NO_STORE = { "Cache-Control": "no-store" };

const ResetRequest = z
  .strictObject({ email: z.string().min(1).max(320).openapi({ example: "admin@museum.example" }) })
  .openapi("PasswordResetRequest");

const ResetRequested = z.object({ message: z.string() }).openapi("PasswordResetRequested");

const ResetConfirmation = z
  .strictObject({
    token: z.string().min(1).max(200).openapi({ description: "As it is in the mail" }),
    new_password: z
      .string()
      .min(1)
      .max(LONGEST_PASSWORD)
      .refine(isStorable, "contains a NUL or half of a surrogate pair")
      .openapi({
        format: "password",
        description: `At least ${SHORTEST_PASSWORD} characters; no very common one, nothing with the e-mail address in it`,
      }),
  })
  .openapi("PasswordResetConfirmation");

/** One answer for known and unknown addresses. */
const ACCEPTED = { message: "If there is an account with this address, a mail is on its way to it" };

export function passwordResetRoutes(api: Api): void {
  const { services } = api;

  endpoint(api, {
    method: "post",
    path: "/v1/auth/password-reset",
    tag: TAG,
    summary: "Ask for a new password by mail",
    description:
      "The same answer whether there is such an account or not. A new request ends the token of the one before.",
    access: "public",
    body: { schema: ResetRequest, limit: LARGEST },
    answers: { 202: { description: "Accepted", schema: ResetRequested } },
    problems: [429, 503],
    async handle({ c, body }) {
      await demandResetAllowed(services, body.email);
      await requestReset(services, body.email, c.get("client") ?? "");
      return c.json(ACCEPTED, 202, NO_STORE);
    },
  });

  endpoint(api, {
    method: "post",
    path: "/v1/auth/password-reset/confirm",
    tag: TAG,
    summary: "Choose a new password with the token of the mail",
    description: `The token is good once and for ${RESET_MINUTES} minutes. Ends every session of the account.`,
    access: "public",
    body: { schema: ResetConfirmation, limit: LARGEST },
    answers: { 204: { description: "The new password holds" } },
    async handle({ c, body }) {
      await confirmReset(services, body.token, body.new_password, c.get("client") ?? "");
      return c.body(null, 204, NO_STORE);
    },
  });
}
