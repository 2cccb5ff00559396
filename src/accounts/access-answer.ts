/** What somebody gets who has shown who they are: an access token to send, a refresh token to keep. */
import { z } from "zod";
import type { Api, Ctx } from "../http/endpoint.ts";
import { keepRefreshToken } from "./session-cookie.ts";
import type { Entered } from "./sessions.ts";
import { issueToken } from "./tokens.ts";

/** RFC 6749 §5.1; the refresh token is not among them, as no script should see it. */
export const AccessToken = z
  .object({
    access_token: z.string(),
    token_type: z.literal("bearer"),
    expires_in: z.int().openapi({ description: "Seconds" }),
    must_change_password: z
      .boolean()
      .openapi({ description: "true: only /v1/auth/* answers until it is changed" }),
  })
  .openapi("AccessToken");

export async function tokenAnswer(
  { services }: Api,
  c: Ctx,
  { account, session, refresh }: Entered,
): Promise<Response> {
  const { accessToken, expiresIn } = await issueToken(services, account.id, session);
  if (refresh) keepRefreshToken(c, services.config, refresh);
  return c.json(
    {
      access_token: accessToken,
      token_type: "bearer",
      expires_in: expiresIn,
      must_change_password: account.must_change_password,
    },
    200,
    { "Cache-Control": "no-store" },
  );
}
