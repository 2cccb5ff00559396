/** SQL of the sessions. One function, one statement. */
import type { Sql, Tx } from "../services.ts";
import { accountColumns, type StoredAccount } from "./store.ts";

/** Not used for so long, a session ends. */
export const IDLE_DAYS = 7;
/** However much it is used, a session ends. */
export const LONGEST_DAYS = 30;
/** For so long, the token before the present one is taken for that of a second tab. */
export const GRACE_SECONDS = 10;
/** Sessions of one account; the one that was not used for longest makes room. */
const MOST_SESSIONS = 100;

export type NewSession = {
  id: string;
  account: Pick<StoredAccount, "id" | "token_version">;
  familyHash: string;
  secretHash: string;
};

export async function insertSession(
  tx: Tx,
  { id, account, familyHash, secretHash }: NewSession,
): Promise<void> {
  await tx`
    insert into sessions (id, account_id, token_version, family_hash, secret_hash)
    values (${id}, ${account.id}, ${account.token_version}, ${familyHash}, ${secretHash})`;
}

/** Somebody who signs in without ever logging out fills no table. */
export async function dropSurplusSessions(tx: Tx, accountId: string): Promise<void> {
  await tx`
    delete from sessions where id in (
      select id from sessions where account_id = ${accountId}
      order by refreshed_at desc, id desc offset ${MOST_SESSIONS})`;
}

/** A session as it is when one of its tokens comes in. */
export type FoundSession = StoredAccount & {
  session_id: string;
  /** Neither expired, nor ended by what happened to its account. */
  alive: boolean;
  /** Which of its tokens this is: the present one, the one just replaced, or an older one. */
  token: "present" | "replaced" | "old";
  /** Seconds until it ends at the latest, if it is alive. */
  seconds_left: number;
};

/** Neither expired, nor ended by what happened to its account; from tables named `s` and `a`. */
const isAlive = (sql: Sql | Tx) => sql`
  a.disabled_at is null and s.token_version = a.token_version
    and s.refreshed_at > now() - make_interval(days => ${IDLE_DAYS})
    and s.created_at > now() - make_interval(days => ${LONGEST_DAYS})`;

/** The account of a session that goes on. Both are UUIDs. */
export async function findAccountInSession(
  sql: Sql | Tx,
  { session, account }: { session: string; account: string },
): Promise<StoredAccount | undefined> {
  const [row] = await sql<StoredAccount[]>`
    select ${accountColumns(sql)}
    from sessions s join accounts a on a.id = s.account_id join roles r on r.name = a.role
    where s.id = ${session} and a.id = ${account} and ${isAlive(sql)}`;
  return row;
}

export async function findSession(
  sql: Sql | Tx,
  familyHash: string,
  secretHash: string,
): Promise<FoundSession | undefined> {
  const [row] = await sql<FoundSession[]>`
    select ${accountColumns(sql)}, s.id as session_id, ${isAlive(sql)} as alive,
      case
        when s.secret_hash = ${secretHash} then 'present'
        when s.previous_hash = ${secretHash}
          and s.refreshed_at > clock_timestamp() - make_interval(secs => ${GRACE_SECONDS}) then 'replaced'
        else 'old'
      end as token,
      extract(epoch from s.created_at + make_interval(days => ${LONGEST_DAYS}) - now())::int as seconds_left
    from sessions s join accounts a on a.id = s.account_id join roles r on r.name = a.role
    where s.family_hash = ${familyHash}`;
  return row;
}

/** Replaces the secret; false when somebody else has done so meanwhile. */
export async function rotateSession(tx: Tx, id: string, from: string, to: string): Promise<boolean> {
  const { count } = await tx`
    update sessions set secret_hash = ${to}, previous_hash = ${from}, refreshed_at = clock_timestamp()
    where id = ${id} and secret_hash = ${from}`;
  return count > 0;
}

/** A session that is used goes on; written seldom, so that reading pages writes next to nothing. */
export async function touchSession(sql: Sql, id: string): Promise<void> {
  await sql`
    update sessions set refreshed_at = clock_timestamp()
    where id = ${id} and refreshed_at < clock_timestamp() - interval '10 minutes'`;
}

/** False when it had ended already. */
export async function deleteSession(tx: Tx, id: string): Promise<boolean> {
  const { count } = await tx`delete from sessions where id = ${id}`;
  return count > 0;
}

export async function deleteSessionsOf(tx: Tx, accountId: string): Promise<void> {
  await tx`delete from sessions where account_id = ${accountId}`;
}

/** Sessions that nobody can go on with. */
export async function deleteEndedSessions(sql: Sql): Promise<void> {
  await sql`
    delete from sessions s using accounts a
    where a.id = s.account_id and (a.disabled_at is not null or a.token_version <> s.token_version
      or s.refreshed_at < now() - make_interval(days => ${IDLE_DAYS})
      or s.created_at < now() - make_interval(days => ${LONGEST_DAYS}))`;
}
