/**
 * Loads the accounts of an export, so that the history still names them. They have no passwords. Existing accounts
 * keep their password and role, so that an export cannot take over an installation.
 */
import type { Tx } from "../services.ts";

type Incoming = { id: string; email_key: string };

type Kept = {
  id: string;
  email_key: string;
  password_hash: string;
  role: string;
  must_change_password: boolean;
  token_version: number;
  disabled_at: string | null;
};

export async function loadAccounts(tx: Tx, rows: readonly string[], passwordHash: string): Promise<void> {
  const incoming = rows.map((row) => JSON.parse(row) as Incoming);
  const here = new Map((await takeNamesakes(tx, incoming)).map((row) => [row.email_key, row]));
  const nobody = { password_hash: passwordHash, must_change_password: true, token_version: 1 };
  const accounts = incoming.map((row) => {
    const { id: _other, ...own } = here.get(row.email_key) ?? { ...nobody, id: "" };
    return { ...row, ...own };
  });
  await insertAccounts(tx, accounts);
}

export type SignIn = {
  /** New accounts, without a password. */
  without: number;
  administrators: number;
  /** Enabled administrators with a password. */
  able: number;
};

/** Counts who can sign in after the accounts were loaded. */
export async function whoMaySignIn(tx: Tx, passwordHash: string): Promise<SignIn> {
  const [row] = await tx<[SignIn]>`
    select count(*) filter (where password_hash = ${passwordHash})::int as without,
      count(*) filter (where role in ('admin', 'superuser'))::int as administrators,
      count(*) filter (where role in ('admin', 'superuser') and disabled_at is null
        and password_hash <> ${passwordHash})::int as able
    from accounts`;
  return { ...row };
}

/** Existing accounts with the same address but another id: they are removed and created again under the id that the records name. */
async function takeNamesakes(tx: Tx, incoming: readonly Incoming[]): Promise<Kept[]> {
  const ids = incoming.map(({ id }) => id);
  const keys = incoming.map(({ email_key }) => email_key);
  return tx<Kept[]>`
    delete from accounts a
    using unnest(${ids}::uuid[], ${keys}::text[]) x(id, email_key)
    where a.email_key = x.email_key and a.id <> x.id
    returning a.id, a.email_key, a.password_hash, a.role, a.must_change_password, a.token_version, a.disabled_at`;
}

async function insertAccounts(tx: Tx, accounts: readonly object[]): Promise<void> {
  await tx`
    insert into accounts (id, email, email_key, display_name, role, disabled_at, last_login_at, created_at,
      password_hash, must_change_password, token_version)
    select id, email, email_key, display_name, role, disabled_at, last_login_at, created_at,
      password_hash, must_change_password, token_version
    from json_populate_recordset(null::accounts, ${JSON.stringify(accounts)}::text::json)
    on conflict (id) do nothing`;
}
