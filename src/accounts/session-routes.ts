/** /v1/auth/refresh and logout: going on with a session, and ending it (interface §5). */
import { z } from "zod";
import { type Api, accountOf, endpoint } from "../http/endpoint.ts";
import { demandOwnOrigin } from "../http/origin.ts";
import { Problem } from "../problem.ts";
import { AccessToken, tokenAnswer } from "./access-answer.ts";
import { claimsOf } from "./identify.ts";
import { endPageSession } from "./page-session.ts";
import { keepRefreshToken, refreshTokenOf } from "./session-cookie.ts";
import { GRACE_SECONDS, IDLE_DAYS, LONGEST_DAYS } from "./session-store.ts";
import { endAllSessions, endSession, endSessionOf, refreshSession } from "./sessions.ts";

const TAG = "accounts";

export const RefreshTokenShape = z.string().min(1).max(200);

const RefreshBody = z
  .strictObject({
    refresh_token: RefreshTokenShape.optional().openapi({
      description: "Of a program; without it the cookie is taken",
    }),
  })
  .openapi("Refresh");

export function sessionRoutes(api: Api): void {
  const { services } = api;
  const { config } = services;

  endpoint(api, {
    method: "post",
    path: "/v1/auth/refresh",
    tag: TAG,
    summary: "Go on with a session",
    description: [
      "Takes the cookie of signing in and gives a new access token and a new cookie; of a program the refresh token in",
      "the body, and gives the next one in the answer. Each is good for one",
      `use: one that comes again ends the session, except within ${GRACE_SECONDS} seconds, for two tabs that refresh at`,
      "the same time; the second then gets an access token and keeps the refresh token of the first. A session ends",
      `${IDLE_DAYS} days after its last use and ${LONGEST_DAYS} days after signing in. 403 for pages of other origins.`,
      "Authorization headers are not looked at.",
    ].join(" "),
    access: "public",
    body: { schema: RefreshBody, limit: 1_024, optional: true },
    answers: { 200: { description: "A new access token, and a new refresh token", schema: AccessToken } },
    problems: [403],
    async handle({ c, body: { refresh_token } }) {
      demandOwnOrigin(c, config);
      const token = refresh_token ?? refreshTokenOf(c, config);
      const entered = await refreshSession(services, token, c.get("client"));
      return tokenAnswer(api, c, entered, refresh_token === undefined ? "cookie" : "program");
    },
  });

  endpoint(api, {
    method: "post",
    path: "/v1/auth/logout",
    tag: TAG,
    summary: "End this session",
    description:
      "The one of the cookie, the one of the access token in the Authorization header, and the one of the pages when its " +
      "token is in X-CSRF-Token, whichever is sent; its access tokens end with it, at once and everywhere. Without any of " +
      "them, or with what is no longer taken, nothing happens. " +
      "403 for pages of other origins.",
    access: "public",
    answers: { 204: { description: "Ended; the cookie is taken away" } },
    problems: [403],
    async handle({ c }) {
      demandOwnOrigin(c, config);
      const client = c.get("client");
      await endSession(services, refreshTokenOf(c, config), client);
      const claims = await claimsOf(services, c.req.header("Authorization") ?? "").catch(noneWhenRefused);
      if (claims) await endSessionOf(services, claims, client);
      await endPageSession(services, c);
      keepRefreshToken(c, config, null);
      return c.body(null, 204);
    },
  });

  endpoint(api, {
    method: "post",
    path: "/v1/auth/logout-everywhere",
    tag: TAG,
    summary: "End all sessions",
    description: "Ends every session and every access token of the account at once. API keys stay.",
    access: "self",
    answers: { 204: { description: "Ended; the cookie is taken away" } },
    async handle({ c, caller }) {
      await endAllSessions(services, accountOf(caller).id, c.get("client"));
      keepRefreshToken(c, config, null);
      return c.body(null, 204);
    },
  });
}

/** A token that nobody takes has no session to be ended. */
function noneWhenRefused(error: unknown): null {
  if (error instanceof Problem) return null;
  throw error;
}
