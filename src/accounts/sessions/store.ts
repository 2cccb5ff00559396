/** SQL of the sessions. One function, one statement. */
import type { Sql, Tx } from "../../services.ts";
import { accountColumns, type StoredAccount } from "../store.ts";

/** Days without use after which a session ends. */
export const IDLE_DAYS = 7;
/** Days after which a session ends in any case. */
export const LONGEST_DAYS = 30;
/** Seconds for which the previous token counts as that of a second tab. */
export const GRACE_SECONDS = 10;
/** Most sessions of one account. The least recently used ones are removed. */
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

/** Removes surplus sessions, so that users who never sign out do not fill the table. */
export async function dropSurplusSessions(tx: Tx, accountId: string): Promise<void> {
  await tx`
    delete from sessions where id in (
      select id from sessions where account_id = ${accountId}
      order by refreshed_at desc, id desc offset ${MOST_SESSIONS})`;
}

/** The state of a session when one of its tokens is used. */
export type FoundSession = StoredAccount & {
  session_id: string;
  /** Neither expired nor ended by a change of its account. */
  alive: boolean;
  /** Which of its tokens this is: the current one, the one just replaced, or an older one. */
  token: "present" | "replaced" | "old";
  /** Seconds until it ends at the latest, if it is alive. */
  seconds_left: number;
  /** Its last use was recorded long enough ago to record it again. */
  is_due: boolean;
};

/** Neither expired nor ended by a change of its account; from tables named `s` and `a`. */
const isAlive = (sql: Sql | Tx) => sql`
  a.disabled_at is null and s.token_version = a.token_version
    and s.refreshed_at > now() - make_interval(days => ${IDLE_DAYS})
    and s.created_at > now() - make_interval(days => ${LONGEST_DAYS})`;

/** The account of an active session. Both are UUIDs. */
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
      extract(epoch from s.created_at + make_interval(days => ${LONGEST_DAYS}) - now())::int as seconds_left,
      ${isDue(sql)} as is_due
    from sessions s join accounts a on a.id = s.account_id join roles r on r.name = a.role
    where s.family_hash = ${familyHash}`;
  return row;
}

/** Replaces the secret. Returns false if another request did so meanwhile. */
export async function rotateSession(tx: Tx, id: string, from: string, to: string): Promise<boolean> {
  const { count } = await tx`
    update sessions set secret_hash = ${to}, previous_hash = ${from}, refreshed_at = clock_timestamp()
    where id = ${id} and secret_hash = ${from}`;
  return count > 0;
}

/** Whether the use of the session `s` should be recorded: seldom, so that reading pages causes few writes. */
const isDue = (sql: Sql | Tx) => sql`s.refreshed_at < clock_timestamp() - interval '10 minutes'`;

export async function touchSession(sql: Sql, id: string): Promise<void> {
  await sql`
    update sessions s set refreshed_at = clock_timestamp() where id = ${id} and ${isDue(sql)}`;
}

/** False if it had already ended. */
export async function deleteSession(tx: Tx, id: string): Promise<boolean> {
  const { count } = await tx`delete from sessions where id = ${id}`;
  return count > 0;
}

export async function deleteSessionsOf(tx: Tx, accountId: string): Promise<void> {
  await tx`delete from sessions where account_id = ${accountId}`;
}

export async function deleteEndedSessions(sql: Sql): Promise<void> {
  await sql`
    delete from sessions s using accounts a
    where a.id = s.account_id and (a.disabled_at is not null or a.token_version <> s.token_version
      or s.refreshed_at < now() - make_interval(days => ${IDLE_DAYS})
      or s.created_at < now() - make_interval(days => ${LONGEST_DAYS}))`;
}
