/** /v1/auth: signs in, reads one's own account, and changes one's name and password (contract §5, interface §5). */

import { z } from "zod";
import type { Account } from "../caller.ts";
import { type Api, accountOf, endpoint, requesterOf } from "../http/endpoint.ts";
import { readAs } from "../http/faults.ts";
import { FORM, readFields } from "../http/request/form.ts";
import { demandOwnOrigin } from "../http/request/origin.ts";
import { wordsFor } from "../http/words.ts";
import { invalid } from "../problem.ts";
import { changePassword, signIn } from "./login.ts";
import { NameShape, renameSelf } from "./own-name.ts";
import { NewPasswordShape, PasswordShape } from "./passwords/passwords.ts";
import { AccessToken, tokenAnswer } from "./sessions/access-answer.ts";
import { RefreshTokenShape } from "./sessions/routes.ts";
import { refreshSession } from "./sessions/sessions.ts";

/** Most bytes of a body here. */
const LARGEST = 16 * 1024;
const TAG = "accounts";
const NO_STORE = { "Cache-Control": "no-store" };

const Email = z.string().min(1).max(320).openapi({ example: "admin@museum.example" });
const TokenForm = z
  .object({
    grant_type: z.literal("password").optional(),
    username: Email.openapi({ description: "The e-mail address" }),
    password: PasswordShape,
    scope: z.string().max(1_000).optional().openapi({
      description:
        "With `offline_access`, the refresh token is in the answer, for programs, instead of in a cookie",
      example: "offline_access",
    }),
  })
  .openapi("TokenForm", {
    description: "client_id and client_secret may be sent and are ignored",
  });

/** RFC 6749 §6, for OAuth 2 clients. */
const RefreshForm = z.object({ grant_type: z.literal("refresh_token"), refresh_token: RefreshTokenShape });

const Login = z.strictObject({ email: Email, password: PasswordShape }).openapi("Login");

const PasswordChange = z
  .strictObject({
    current_password: PasswordShape,
    new_password: NewPasswordShape,
  })
  .openapi("PasswordChange");

const Me = z
  .object({
    id: z.uuid(),
    email: z.string(),
    display_name: z.string(),
    role: z.string(),
    permissions: z
      .object({
        records: z
          .record(z.string(), z.array(z.enum(["read", "create", "update", "delete", "publish"])))
          .openapi({ description: "The permitted actions by record type" }),
        features: z.array(z.string()),
      })
      .openapi({ description: "What the account may do" }),
    must_change_password: z.boolean(),
  })
  .openapi("Me");

const MeChange = z.strictObject({ display_name: NameShape }).openapi("MeChange");

function meJson({ id, email, displayName, role, permissions, mustChangePassword }: Account) {
  const { records, features } = permissions;
  return {
    ...{ id, email, display_name: displayName, role, permissions: { records, features } },
    must_change_password: mustChangePassword,
  };
}

const tokenAnswers = {
  200: { description: "An access token, and a refresh token in a cookie", schema: AccessToken },
};

export function accountRoutes(api: Api): void {
  const { services } = api;

  endpoint(api, {
    method: "post",
    path: "/v1/auth/token",
    tag: TAG,
    summary: "Sign in with an OAuth 2 form",
    description:
      "Resource owner password credentials (RFC 6749 §4.3). Also accepts grant_type=refresh_token with a refresh_token, " +
      "like POST /v1/auth/refresh. Authorization headers are ignored.",
    access: "public",
    body: { schema: TokenForm, types: [FORM], streamed: true },
    answers: tokenAnswers,
    problems: [401, 403],
    async handle({ c }) {
      demandOwnOrigin(c, services.config);
      const fields = Object.fromEntries(await readFields(c, LARGEST));
      if (fields.grant_type === "refresh_token") {
        const { refresh_token } = readForm(RefreshForm, fields);
        return tokenAnswer(api, c, await refreshSession(services, refresh_token, c.get("client")), "program");
      }
      const { username, password, scope = "" } = readForm(TokenForm, fields);
      const entered = await signIn(services, username, password, c.get("client"));
      const keeper = scope.split(" ").includes("offline_access") ? "program" : "cookie";
      return tokenAnswer(api, c, entered, keeper);
    },
  });

  endpoint(api, {
    method: "post",
    path: "/v1/auth/login",
    tag: TAG,
    summary: "Sign in",
    description: "Authorization headers are ignored.",
    access: "public",
    body: { schema: Login, limit: LARGEST },
    answers: tokenAnswers,
    problems: [401, 403],
    async handle({ c, body }) {
      demandOwnOrigin(c, services.config);
      return tokenAnswer(api, c, await signIn(services, body.email, body.password, c.get("client")));
    },
  });

  endpoint(api, {
    method: "get",
    path: "/v1/auth/me",
    tag: TAG,
    summary: "Read your own account",
    access: "self",
    answers: { 200: { description: "The account, its role and permissions", schema: Me } },
    handle({ c, caller }) {
      return c.json(meJson(accountOf(caller)), 200, NO_STORE);
    },
  });

  endpoint(api, {
    method: "patch",
    path: "/v1/auth/me",
    tag: TAG,
    summary: "Change your own name",
    description: "403 for an API key.",
    access: "self",
    body: { schema: MeChange, limit: LARGEST },
    answers: { 200: { description: "The account, its role and permissions", schema: Me } },
    async handle({ c, caller, body }) {
      const account = accountOf(caller);
      await renameSelf(services, requesterOf(c), body.display_name);
      return c.json(meJson({ ...account, displayName: body.display_name }), 200, NO_STORE);
    },
  });

  endpoint(api, {
    method: "post",
    path: "/v1/auth/password",
    tag: TAG,
    summary: "Change your own password",
    description:
      "Ends every session of the account, including this one. The answer contains a new token, and a cookie as after signing in.",
    access: "self",
    body: { schema: PasswordChange, limit: LARGEST },
    answers: { 200: { description: "Changed; a new access token", schema: AccessToken } },
    async handle({ c, caller, body }) {
      const { current_password: current, new_password: chosen } = body;
      const account = accountOf(caller);
      const { language } = wordsFor(c);
      const entered = await changePassword(services, account, current, chosen, c.get("client"), language);
      return tokenAnswer(api, c, entered);
    },
  });
}

/** Reads a form according to RFC 6749 §3.2: empty parameters are dropped, repeated ones are an error, unknown ones are ignored. */
function readForm<S extends z.ZodType>(shape: S, fields: Record<string, string>): z.output<S> {
  const result = readAs(shape, fields);
  if ("faults" in result) throw invalid(result.faults);
  return result.data;
}
