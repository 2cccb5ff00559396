/** What happened to accounts, keys and roles, kept for whoever must find out later. Append-only. */
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
] as const;
export type SecurityEvent = (typeof SECURITY_EVENTS)[number];

export type NewSecurityEvent = {
  event: SecurityEvent;
  /** Who did it; null for visitors and for the program itself. */
  actorId: string | null;
  /** The account that it was done to or with. */
  accountId: string | null;
  /** The address of the client; empty when nobody knows. */
  client: string;
  /** Never a secret, nor a part of one but a key's prefix. */
  detail?: Record<string, string | number | boolean | readonly string[] | null>;
};

/** Give the transaction of what happened, so that neither is there without the other. */
export async function recordSecurityEvent(sql: Sql | Tx, event: NewSecurityEvent): Promise<void> {
  await sql`
    insert into security_events (id, event, actor_id, account_id, client, detail)
    values (${newId()}, ${event.event}, ${event.actorId}, ${event.accountId}, ${event.client || null},
      ${sql.json(event.detail ?? {})})`;
}
