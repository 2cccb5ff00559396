/** The append-only log of security events of accounts, keys and roles. */
import { newId } from "../ids.ts";
import type { Sql, Tx } from "../services.ts";

export const SECURITY_EVENTS = [
  "login_succeeded",
  "login_failed",
  "login_blocked",
  "logged_out",
  "session_reused",
  "password_changed",
  "password_change_failed",
  "password_reset_requested",
  "password_reset",
  "account_created",
  "account_changed",
  "account_disabled",
  "account_enabled",
  "account_deleted",
  "role_created",
  "role_changed",
  "role_deleted",
  "key_created",
  "key_changed",
  "key_revoked",
  "admin_reset",
  "catalogue_reset",
  "settings_changed",
] as const;
export type SecurityEvent = (typeof SECURITY_EVENTS)[number];

/** Never contains secrets, and only the prefix of a key. */
type Detail = Record<string, string | number | boolean | readonly string[] | null>;

type NewSecurityEvent = {
  event: SecurityEvent;
  /** Who did it; null for visitors and for the service itself. */
  actorId: string | null;
  /** The account concerned. */
  accountId: string | null;
  /** The address of the client; empty if unknown. */
  client: string;
  detail?: Detail;
};

/** Pass the transaction of the change, so that change and event are committed together. */
export async function recordSecurityEvent(sql: Sql | Tx, event: NewSecurityEvent): Promise<void> {
  await sql`
    insert into security_events (id, event, actor_id, account_id, client, detail)
    values (${newId()}, ${event.event}, ${event.actorId}, ${event.accountId}, ${event.client || null},
      ${sql.json(event.detail ?? {})})`;
}

/** The same for an event that the caller caused. */
export async function recordEventBy(
  sql: Sql | Tx,
  { caller, client }: { caller: { id: string }; client: string },
  event: SecurityEvent,
  accountId: string | null,
  detail?: Detail,
): Promise<void> {
  await recordSecurityEvent(sql, { event, actorId: caller.id, accountId, client, detail });
}

/** Days for which an address stays familiar, and how many of the latest sign-ins are checked. */
const FAMILIAR_DAYS = 30;
const LOOKED_AT = 2_000;

/** The addresses of the account's recent sign-ins; empty for null. */
export async function familiarClients(sql: Sql | Tx, accountId: string | null): Promise<string[]> {
  const rows = await sql<{ client: string }[]>`
    select distinct client from (
      select client from security_events
      where account_id = ${accountId} and event = 'login_succeeded' and client is not null
        and at > now() - make_interval(days => ${FAMILIAR_DAYS})
      order by at desc limit ${LOOKED_AT}) lately`;
  return rows.map(({ client }) => client);
}
