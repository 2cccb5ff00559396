/** /v1/auth/refresh and logout: continue and end sessions (interface §5). */
import { z } from "zod";
import { type Api, accountOf, endpoint } from "../../http/endpoint.ts";
import { demandOwnOrigin } from "../../http/request/origin.ts";
import { Problem } from "../../problem.ts";
import { claimsOf } from "../identify.ts";
import { AccessToken, tokenAnswer } from "./access-answer.ts";
import { keepRefreshToken, refreshTokenOf } from "./cookie.ts";
import { endPageSession } from "./page-session.ts";
import { endAllSessions, endSession, endSessionOf, refreshSession } from "./sessions.ts";
import { GRACE_SECONDS, IDLE_DAYS, LONGEST_DAYS } from "./store.ts";

const TAG = "accounts";

export const RefreshTokenShape = z.string().min(1).max(200);

const RefreshBody = z
  .strictObject({
    refresh_token: RefreshTokenShape.optional().openapi({
      description: "For programs; without it, the cookie is used",
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
    summary: "Refresh a session",
    description: [
      "Exchanges the sign-in cookie for a new access token and a new cookie. Programs send the refresh token in",
      "the body and get the next one in the answer. Each is valid for one",
      `use; using it again ends the session, except within ${GRACE_SECONDS} seconds, for two tabs that refresh at`,
      "the same time; the second then gets an access token and keeps the refresh token of the first. A session ends",
      `${IDLE_DAYS} days after its last use and ${LONGEST_DAYS} days after signing in. 403 for pages of other origins.`,
      "Authorization headers are ignored.",
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
    description: [
      "Ends the sessions of the refresh token in the body, of the cookie, of the access token in the Authorization",
      "header, and of the pages (if their token is in X-CSRF-Token), whichever are sent, with all their access tokens,",
      "at once and everywhere. Without any of them, or if they are no longer valid, nothing happens.",
      "403 for pages of other origins.",
    ].join(" "),
    access: "public",
    body: { schema: RefreshBody, limit: 1_024, optional: true },
    answers: { 204: { description: "Ended; the cookie is deleted" } },
    problems: [403],
    async handle({ c, body: { refresh_token } }) {
      demandOwnOrigin(c, config);
      const client = c.get("client");
      await endSession(services, refresh_token, client);
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
    description: "Ends every session and every access token of the account at once. API keys stay valid.",
    access: "self",
    answers: { 204: { description: "Ended; the cookie is deleted" } },
    async handle({ c, caller }) {
      await endAllSessions(services, accountOf(caller).id, c.get("client"));
      keepRefreshToken(c, config, null);
      return c.body(null, 204);
    },
  });
}

/** An invalid token has no session to end. */
function noneWhenRefused(error: unknown): null {
  if (error instanceof Problem) return null;
  throw error;
}
