/** Signs an account in without its password. */
import { prepareSession } from "../../../src/accounts/sessions/sessions.ts";
import { issueToken } from "../../../src/accounts/sessions/tokens.ts";
import type { StoredAccount } from "../../../src/accounts/store.ts";
import type { Services } from "../../../src/services.ts";

/** An access token of a new session. */
export async function signedIn(
  services: Pick<Services, "config" | "signingKey" | "sql">,
  account: Pick<StoredAccount, "id" | "token_version">,
): Promise<string> {
  const { id, begin } = await prepareSession();
  await services.sql.begin((tx) => begin(tx, account));
  return (await issueToken(services, account.id, id)).accessToken;
}
