/** Access tokens: short-lived JWTs (RFC 7519), signed with the key of the instance, as RFC 8725 advises. */

import { errors, jwtVerify, SignJWT } from "jose";
import { UUID } from "../../ids.ts";
import { said } from "../../messages/said.ts";
import type { MessageKey } from "../../messages/translate.ts";
import { Problem } from "../../problem.ts";
import type { Services } from "../../services.ts";

/** The only accepted algorithm, whatever the token claims (RFC 8725 §3.1). */
const ALGORITHM = "HS256";
/** Distinguishes access tokens from anything else signed with the same key (RFC 8725 §3.9). */
const AUDIENCE = "svc-api";

export type Signing = Pick<Services, "config" | "signingKey">;

/** Imported keys, because importing one costs twice as much as checking a signature. */
const KEYS = new WeakMap<Uint8Array, CryptoKey>();

/** The key of the instance, for HMAC with SHA-256. */
export async function signingKey(services: Signing): Promise<CryptoKey> {
  const bytes = await services.signingKey();
  let key = KEYS.get(bytes);
  if (!key) {
    const hmac = { name: "HMAC", hash: "SHA-256" };
    // a copy, because a view of shared memory is not a BufferSource
    key = await crypto.subtle.importKey("raw", new Uint8Array(bytes), hmac, false, ["sign", "verify"]);
    KEYS.set(bytes, key);
  }
  return key;
}

/** The issuer is the public address. Local development has none that stays the same. */
function issuerOf({ localDevelopment, baseUrl }: Signing["config"]): string {
  return localDevelopment ? "urn:svc:local" : baseUrl;
}

/** `expiresIn` in seconds. */
export type IssuedToken = { accessToken: string; expiresIn: number };

export type AccessClaims = { account: string; session: string };

/** A token that is valid for `JWT_EXPIRES_SECONDS`, or until its session ends. */
export async function issueToken(services: Signing, account: string, session: string): Promise<IssuedToken> {
  const { jwtExpiresSeconds: expiresIn } = services.config;
  const now = Math.floor(Date.now() / 1000);
  const accessToken = await new SignJWT({ sid: session })
    .setProtectedHeader({ alg: ALGORITHM, typ: "JWT" })
    .setIssuer(issuerOf(services.config))
    .setAudience(AUDIENCE)
    .setSubject(account)
    .setIssuedAt(now)
    .setExpirationTime(now + expiresIn)
    .setJti(crypto.randomUUID())
    .sign(await signingKey(services));
  return { accessToken, expiresIn };
}

/**
 * The claims of a token that this instance signed and that has not expired. The calling code must check that the session is still
 * active.
 */
export async function verifyToken(services: Signing, token: string): Promise<AccessClaims> {
  const { payload } = await jwtVerify(token, await signingKey(services), {
    algorithms: [ALGORITHM],
    issuer: issuerOf(services.config),
    audience: AUDIENCE,
    requiredClaims: ["sub", "sid", "iat", "exp", "jti"],
  }).catch((cause: unknown) => {
    if (!(cause instanceof errors.JOSEError)) throw cause;
    throw refusedToken(
      cause instanceof errors.JWTExpired ? "problem.token.expired" : "problem.token.invalid",
      cause,
    );
  });
  const { sub, sid } = payload;
  if (!isId(sub) || !isId(sid)) throw refusedToken("problem.token.invalid");
  return { account: sub, session: sid };
}

function isId(value: unknown): value is string {
  return typeof value === "string" && UUID.test(value);
}

/** 401 according to RFC 6750 §3.1. */
export function refusedToken(key: MessageKey, cause?: unknown): Problem {
  return new Problem("unauthenticated", said(key), {
    headers: { "WWW-Authenticate": 'Bearer error="invalid_token"' },
    cause,
  });
}
