/**
 * Deletes expired data, and does for the embedded database what a server does on its own: vacuum, statistics, checkpoint.
 */

import { forgetMails } from "../src/accounts/mail-queue.ts";
import { forgetResets } from "../src/accounts/passwords/reset-store.ts";
import { deleteEndedSessions } from "../src/accounts/sessions/store.ts";
import { withdrawDumps } from "../src/dumps/published.ts";
import { forgetWithdrawals, withdrawalsSoFar } from "../src/dumps/withdrawals.ts";
import { forgetStagedRows } from "../src/imports/save/staged-rows.ts";
import { forgetJobFiles } from "../src/jobs/files.ts";
import { forgetJobs } from "../src/jobs/store.ts";
import { dropUnknownMarks } from "../src/records/projections.ts";
import type { Services, Sql } from "../src/services.ts";
import type { Report } from "./job-kind.ts";

export async function housekeep(
  { sql, search, database, dumps, config }: Services,
  report: Report = async () => undefined,
): Promise<{ vacuumed: number }> {
  const vacuumed = database === "external" ? [] : await tables(sql);
  const steps: (() => PromiseLike<unknown>)[] = [
    async () => search.tidy?.(),
    () => dropUnknownMarks(sql),
    () => deleteEndedSessions(sql),
    () => forgetMails(sql),
    () => forgetResets(sql),
    () => forgetJobs(sql),
    () => forgetJobFiles(sql),
    () => forgetStagedRows(sql),
    async () => {
      if (config.dumps.enabled) return;
      // if dumps are enabled, the job that makes new ones does this
      const withdrawn = await withdrawalsSoFar(sql);
      await withdrawDumps(dumps);
      await forgetWithdrawals(sql, withdrawn);
    },
  ];
  // table by table, so that others can use the only session between tables
  for (const table of vacuumed) steps.push(() => sql`vacuum (analyze) ${sql(table)}`);
  steps.push(() => checkpoint({ database, sql }));
  for (const [done, step] of steps.entries()) {
    await report({ done, total: steps.length });
    await step();
  }
  await report({ done: steps.length });
  return { vacuumed: vacuumed.length };
}

async function tables(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname = 'public' order by c.relname`;
  return rows.map(({ name }) => name);
}

/** The embedded database never makes a checkpoint on its own; without one, its log and the time of the next start would grow. */
export async function checkpoint({ sql, database }: Pick<Services, "sql" | "database">): Promise<void> {
  if (database !== "external") await sql`checkpoint`;
}
