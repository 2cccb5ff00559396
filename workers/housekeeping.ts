/**
 * Throws away what nobody needs any more, and does for the embedded database what a server does by itself: vacuum,
 * statistics, checkpoint.
 */

import { forgetMails } from "../src/accounts/mail-queue.ts";
import { forgetResets } from "../src/accounts/password-reset-store.ts";
import { deleteEndedSessions } from "../src/accounts/session-store.ts";
import type { Services } from "../src/services.ts";

export async function housekeep({ sql, database }: Services): Promise<void> {
  await sql`delete from search_counts where n = 0`;
  await deleteEndedSessions(sql);
  await forgetMails(sql);
  await forgetResets(sql);
  if (database === "external") return;
  await sql`vacuum (analyze)`;
  await sql`checkpoint`;
}

/** The embedded database never makes a checkpoint by itself: its log would grow, and with it the time of the next start. */
export async function checkpoint({ sql, database }: Services): Promise<void> {
  if (database !== "external") await sql`checkpoint`;
}
