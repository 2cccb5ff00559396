/**
 * Sessions: a refresh token in a cookie, valid for one use, is exchanged for a new access token and the next refresh token
 * (RFC 9700 §4.14.2).
 *
 * A token is `<family>.<secret>`. The family stays for the whole session, and the secret changes at every use. An old secret means
 * that the token was copied. It is unknown whether the thief or the owner came second, so the session ends.
 *
 * Two tabs of one browser may refresh at the same moment. So for some seconds, the token just replaced still gives an access token,
 * but no new refresh token: the browser already has that from the other tab, and a thief gets no session.
 */
import { newId } from "../../ids.ts";
import { said } from "../../messages/said.ts";
import { Problem } from "../../problem.ts";
import type { Services, Sql, Tx } from "../../services.ts";
import { randomSecret, secretHash } from "../secrets.ts";
import { recordEventBy, recordSecurityEvent } from "../security-events.ts";
import { endTokens, type StoredAccount } from "../store.ts";
import {
  deleteSession,
  deleteSessionsOf,
  dropSurplusSessions,
  type FoundSession,
  findAccountInSession,
  findSession,
  IDLE_DAYS,
  insertSession,
  rotateSession,
} from "./store.ts";
import type { AccessClaims } from "./tokens.ts";

type NeededServices = Pick<Services, "sql">;

const DAY = 24 * 60 * 60;

/**
 * A `program` uses refresh tokens that are valid once. A `page` uses a cookie that stays the same. The length of the family
 * distinguishes them, so that one cannot be used as the other.
 */
export type SessionKind = "program" | "page";

const FAMILY_BYTES: Readonly<Record<SessionKind, number>> = { program: 16, page: 18 };
const TOKENS: Readonly<Record<SessionKind, RegExp>> = {
  program: /^([\w-]{22})\.([\w-]{43})$/,
  page: /^([\w-]{24})\.([\w-]{43})$/,
};

/** The content of a cookie. `seconds`: until the session ends without further use. */
export type RefreshToken = { token: string; seconds: number };

/** A new session. It is made before the transaction, so that hashing does not block the database. */
export type PreparedSession = {
  id: string;
  refresh: RefreshToken;
  begin(tx: Tx, account: Pick<StoredAccount, "id" | "token_version">): Promise<void>;
};

export async function prepareSession(kind: SessionKind = "program"): Promise<PreparedSession> {
  const family = randomSecret(FAMILY_BYTES[kind]);
  const secret = randomSecret();
  const [familyHash, hash] = [await secretHash(family), await secretHash(secret)];
  const id = newId();
  return {
    id,
    refresh: { token: `${family}.${secret}`, seconds: IDLE_DAYS * DAY },
    async begin(tx, account) {
      await insertSession(tx, { id, account, familyHash, secretHash: hash });
      await dropSurplusSessions(tx, account.id);
    },
  };
}

/** The account of a session. `refresh` is null if the browser already has the right cookie. */
export type Entered = { account: StoredAccount; session: string; refresh: RefreshToken | null };

/** Refreshes a session. Throws 401 if it has ended. */
export async function refreshSession(
  { sql }: NeededServices,
  token: string | undefined,
  client: string,
): Promise<Entered> {
  const read = await hashesOf("program", token);
  const session = read && (await findSession(sql, read.familyHash, read.hash));
  if (!session) throw ended();
  if (!session.alive) {
    await sql.begin((tx) => deleteSession(tx, session.session_id));
    throw ended();
  }
  if (session.token === "present") {
    const secret = randomSecret();
    const next = await secretHash(secret);
    if (await sql.begin((tx) => rotateSession(tx, session.session_id, read.hash, next))) {
      const seconds = Math.min(IDLE_DAYS * DAY, session.seconds_left);
      const refresh = { token: `${read.family}.${secret}`, seconds };
      return { account: session, session: session.session_id, refresh };
    }
    // another request was faster: check the current state
    return refreshSession({ sql }, token, client);
  }
  if (session.token === "replaced") {
    return { account: session, session: session.session_id, refresh: null };
  }
  await endStolen({ sql }, session, client);
  throw ended();
}

/** Ends the session of this refresh token, if there is one. An old token ends it too. */
export async function endSession(
  { sql }: NeededServices,
  token: string | undefined,
  client: string,
): Promise<void> {
  const read = await hashesOf("program", token);
  const session = read && (await findSession(sql, read.familyHash, read.hash));
  if (session?.alive) await logOut(sql, { session: session.session_id, account: session.id }, client);
}

/** Ends the session of an access token, if it is active. */
export async function endSessionOf(
  { sql }: NeededServices,
  token: AccessClaims,
  client: string,
): Promise<void> {
  if (await findAccountInSession(sql, token)) await logOut(sql, token, client);
}

export async function logOut(sql: Sql, { session, account }: AccessClaims, client: string): Promise<void> {
  await sql.begin(async (tx) => {
    if (!(await deleteSession(tx, session))) return;
    await recordEventBy(tx, { caller: { id: account }, client }, "logged_out", account, {
      everywhere: false,
    });
  });
}

export async function endAllSessions(
  { sql }: NeededServices,
  accountId: string,
  client: string,
): Promise<void> {
  await sql.begin(async (tx) => {
    await endTokens(tx, accountId);
    await deleteSessionsOf(tx, accountId);
    const by = { caller: { id: accountId }, client };
    await recordEventBy(tx, by, "logged_out", accountId, { everywhere: true });
  });
}

async function endStolen({ sql }: NeededServices, session: FoundSession, client: string): Promise<void> {
  await sql.begin(async (tx) => {
    if (!(await deleteSession(tx, session.session_id))) return;
    await recordSecurityEvent(tx, { event: "session_reused", actorId: null, accountId: session.id, client });
  });
}

type Hashes = { family: string; familyHash: string; hash: string };

export async function hashesOf(kind: SessionKind, token: string | undefined): Promise<Hashes | undefined> {
  const [, family, secret] = TOKENS[kind].exec(token ?? "") ?? [];
  if (family === undefined || secret === undefined) return undefined;
  return { family, familyHash: await secretHash(family), hash: await secretHash(secret) };
}

function ended(): Problem {
  return new Problem("unauthenticated", said("problem.session.ended"), {
    headers: { "WWW-Authenticate": "Bearer" },
  });
}
