/** SQL that reads the log of security events. One function, one statement. */
import type { SecurityEvent } from "../accounts/security-events.ts";
import type { Sql } from "../services.ts";

export type SecurityEventRow = {
  id: string;
  at: string;
  event: string;
  actor_id: string | null;
  actor_email: string | null;
  account_id: string | null;
  client: string | null;
  detail: Record<string, unknown>;
};

/** From `since` on, and before `until`. */
type EventFilter = {
  event?: SecurityEvent;
  account_id?: string;
  actor_id?: string;
  since?: string;
  until?: string;
};

function matching(sql: Sql, filter: EventFilter) {
  return sql`true
    ${filter.event ? sql`and e.event = ${filter.event}` : sql``}
    ${filter.account_id ? sql`and e.account_id = ${filter.account_id}` : sql``}
    ${filter.actor_id ? sql`and e.actor_id = ${filter.actor_id}` : sql``}
    ${filter.since ? sql`and e.at >= ${filter.since}::timestamptz` : sql``}
    ${filter.until ? sql`and e.at < ${filter.until}::timestamptz` : sql``}`;
}

export async function countSecurityEvents(sql: Sql, filter: EventFilter): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from security_events e where ${matching(sql, filter)}`;
  return row!.n;
}

/** Newest first. */
export async function listSecurityEvents(
  sql: Sql,
  filter: EventFilter,
  page: { limit: number; offset: number },
): Promise<SecurityEventRow[]> {
  return sql<SecurityEventRow[]>`
    select e.id, e.at, e.event, e.actor_id, a.email as actor_email, e.account_id, e.client, e.detail
    from security_events e left join accounts a on a.id = e.actor_id where ${matching(sql, filter)}
    order by e.at desc, e.id
    limit ${page.limit} offset ${page.offset}`;
}
