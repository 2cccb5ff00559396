/** Identifies a program by an API key of an account. */
import type { Account } from "../../caller.ts";
import { errorFields } from "../../log.ts";
import { said } from "../../messages/said.ts";
import type { MessageKey } from "../../messages/translate.ts";
import { Problem } from "../../problem.ts";
import type { Services } from "../../services.ts";
import { asKeyCaller } from "../as-caller.ts";
import { secretHash } from "../secrets.ts";
import { findUsedKey, touchKey } from "./store.ts";

const KEY = /^svc_[0-9a-z]{10}_[\w-]{43}$/;

/**
 * Paths that API keys cannot use: signing in and out, passwords, staff pages, and the keys themselves. A stolen key
 * must not be able to create another.
 */
const CLOSED_TO_KEYS = /^\/v1\/(auth\/(?!me$)|users\/[^/]+\/api-keys(\/|$))|^\/admin(\/|$)/;

/**
 * The owner, with the permissions of the key. Throws 401 if the key is unknown, revoked or expired, or its owner is disabled.
 * Throws 403 on paths that are closed to keys, and while the owner must change the password.
 *
 * @param path as it is routed, without the prefix /api
 */
export async function accountOfKey(services: Services, key: string, path: string): Promise<Account> {
  const used = KEY.test(key)
    ? await findUsedKey(services.sql, { keyHash: await secretHash(key) })
    : undefined;
  if (!used) throw refusedKey("problem.key.unknown");
  if (used.expired) throw refusedKey("problem.key.expired");
  if (used.disabled) throw refusedKey("problem.key.ended");
  if (used.must_change_password) {
    throw new Problem("forbidden", said("problem.key.password_change"));
  }
  if (CLOSED_TO_KEYS.test(path)) {
    throw new Problem("forbidden", said("problem.key.not_here"));
  }
  if (used.use_is_news) {
    // not awaited: the answer does not depend on it
    touchKey(services.sql, used.key_id).catch((error: unknown) =>
      services.log.warn("the last use of an API key could not be written", errorFields(error)),
    );
  }
  return asKeyCaller(used);
}

function refusedKey(key: MessageKey): Problem {
  return new Problem("unauthenticated", said(key), { headers: { "WWW-Authenticate": "Bearer" } });
}
