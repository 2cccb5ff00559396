/** Creates accounts, and signs them in without their passwords. */
import { prepareSession } from "../../../src/accounts/sessions/sessions.ts";
import { issueToken } from "../../../src/accounts/sessions/tokens.ts";
import { insertAccount, type NewAccount, type StoredAccount } from "../../../src/accounts/store.ts";
import type { Services, Sql } from "../../../src/services.ts";

/** The id of a new account. No password opens it unless `more` has the hash of one. */
export async function newAccount(sql: Sql, email: string, more: Partial<NewAccount> = {}): Promise<string> {
  const usual = { displayName: "", role: "editor", passwordHash: "$none$", mustChangePassword: false };
  const account = { id: crypto.randomUUID(), email, ...usual, ...more };
  await sql.begin((tx) => insertAccount(tx, account));
  return account.id;
}

/** An access token of a new session. */
export async function signedIn(
  services: Pick<Services, "config" | "signingKey" | "sql">,
  account: Pick<StoredAccount, "id" | "token_version">,
): Promise<string> {
  const { id, begin } = await prepareSession();
  await services.sql.begin((tx) => begin(tx, account));
  return (await issueToken(services, account.id, id)).accessToken;
}
