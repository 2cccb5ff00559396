/** The answer to a sign-in: an access token and a refresh token. */
import { z } from "zod";
import type { Api, Ctx } from "../../http/endpoint.ts";
import { keepRefreshToken } from "./cookie.ts";
import type { Entered } from "./sessions.ts";
import { issueToken } from "./tokens.ts";

/** RFC 6749 §5.1. Contains the refresh token only for programs that ask for it, so that no script in a page sees one. */
export const AccessToken = z
  .object({
    access_token: z.string(),
    token_type: z.literal("bearer"),
    expires_in: z.int().openapi({ description: "Seconds" }),
    must_change_password: z
      .boolean()
      .openapi({ description: "true: only /v1/auth/* works until the password is changed" }),
    refresh_token: z.string().optional().openapi({
      description:
        "Only for programs with the scope offline_access: the token for the next POST /v1/auth/refresh, valid for one use",
    }),
  })
  .openapi("AccessToken");

/** Where the refresh token goes: into a cookie for browsers, into the answer for programs. */
export type Keeper = "cookie" | "program";

export async function tokenAnswer(
  { services }: Api,
  c: Ctx,
  { account, session, refresh }: Entered,
  keeper: Keeper = "cookie",
): Promise<Response> {
  const { accessToken, expiresIn } = await issueToken(services, account.id, session);
  if (refresh && keeper === "cookie") keepRefreshToken(c, services.config, refresh);
  return c.json(
    {
      access_token: accessToken,
      token_type: "bearer",
      expires_in: expiresIn,
      must_change_password: account.must_change_password,
      ...(refresh && keeper === "program" ? { refresh_token: refresh.token } : {}),
    },
    200,
    { "Cache-Control": "no-store" },
  );
}
