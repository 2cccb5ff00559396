/** Access tokens: short-lived JWTs (RFC 7519), signed with the key of the instance, as RFC 8725 advises. */
import { errors, jwtVerify, SignJWT } from "jose";
import { Problem } from "../problem.ts";
import type { Services } from "../services.ts";

/** The only algorithm, whatever a token says of itself (RFC 8725 §3.1). */
const ALGORITHM = "HS256";
/** Tells access tokens from anything else that is ever signed with the same key (RFC 8725 §3.9). */
const AUDIENCE = "svc-api";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What signs. */
export type Signing = Pick<Services, "config" | "signingKey">;

/** Importing the key costs twice as much as checking a signature. */
const KEYS = new WeakMap<Uint8Array, CryptoKey>();

/** The key of the instance, for HMAC with SHA-256. */
export async function signingKey(services: Signing): Promise<CryptoKey> {
  const bytes = await services.signingKey();
  let key = KEYS.get(bytes);
  if (!key) {
    const hmac = { name: "HMAC", hash: "SHA-256" };
    // copied: a view of shared memory is no BufferSource
    key = await crypto.subtle.importKey("raw", new Uint8Array(bytes), hmac, false, ["sign", "verify"]);
    KEYS.set(bytes, key);
  }
  return key;
}

/** The instance. Without a public address it has one for each port, and those that share a key are one instance. */
function issuerOf({ localDevelopment, baseUrl }: Signing["config"]): string {
  return localDevelopment ? "urn:svc:local" : baseUrl;
}

/** `expiresIn` in seconds. */
export type IssuedToken = { accessToken: string; expiresIn: number };

/** Whose token it is, and the session that it belongs to and ends with. */
export type AccessClaims = { account: string; session: string };

/** A token that is good for `JWT_EXPIRES_SECONDS`, or until its session ends. */
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
 * What a token says that this instance signed and that has not expired. That the session still goes on is for the caller
 * to see.
 */
export async function verifyToken(services: Signing, token: string): Promise<AccessClaims> {
  const { payload } = await jwtVerify(token, await signingKey(services), {
    algorithms: [ALGORITHM],
    issuer: issuerOf(services.config),
    audience: AUDIENCE,
    requiredClaims: ["sub", "sid", "iat", "exp", "jti"],
  }).catch((cause: unknown) => {
    if (!(cause instanceof errors.JOSEError)) throw cause;
    throw refusedToken(cause instanceof errors.JWTExpired ? "has expired" : "is not valid", cause);
  });
  const { sub, sid } = payload;
  if (!isId(sub) || !isId(sid)) throw refusedToken("is not valid");
  return { account: sub, session: sid };
}

function isId(value: unknown): value is string {
  return typeof value === "string" && UUID.test(value);
}

/** 401 as RFC 6750 §3.1 words it. */
export function refusedToken(why: string, cause?: unknown): Problem {
  return new Problem("unauthenticated", `The access token ${why}; sign in again`, {
    headers: { "WWW-Authenticate": 'Bearer error="invalid_token"' },
    cause,
  });
}
