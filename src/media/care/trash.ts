/**
 * Moves files without a row to the trash for an operator. They stay in `trash/` for a while, under the day and their former key
 * (`trash/2026-11-21/originals/<id>.jpg`), because a newer backup, or another installation that uses the same bucket, may have
 * rows for them.
 */
import type { Files, Sql } from "../../services.ts";
import { mediumOfKey, TRASH } from "../keys.ts";
import { withoutRow } from "./verify.ts";

const DAY_MS = 86_400_000;
const KEPT_DAYS = 30;
/** Days after a restore in which a newer backup may still be restored. */
const CAREFUL_DAYS = 7;

const TRASHED = new RegExp(`^${TRASH}(\\d{4}-\\d\\d-\\d\\d)/(.+)$`);

/** The days (UTC) of a restore in the last week, and of its end; null if there was none. */
export async function recentRestore(sql: Sql): Promise<{ restored: string; over: string } | null> {
  const [row] = await sql<{ restored: string; over: string }[]>`
    select (at at time zone 'UTC')::date::text as restored,
      (at at time zone 'UTC' + make_interval(days => ${CAREFUL_DAYS}))::date::text as over
    from heartbeats where name = 'restore' and at > now() - make_interval(days => ${CAREFUL_DAYS})`;
  return row ?? null;
}

/**
 * Moves these files to the trash, except those that have a row by now, and those whose keys the service does not make. Returns how
 * many. A file is copied before it is removed, so a kill loses none, and the next run moves it again.
 */
export async function throwAway(
  { sql, files }: { sql: Sql; files: Files },
  keys: readonly string[],
  report: (done: number) => unknown,
): Promise<number> {
  let thrown = 0;
  for (const [done, key] of keys.entries()) {
    await report(done);
    if (mediumOfKey(key) === null || (await withoutRow(sql, [key])).length === 0) continue;
    const found = await files.get(key);
    // another process moved it
    if (found === null) continue;
    await files.put(`${TRASH}${new Date().toISOString().slice(0, 10)}/${key}`, found.content);
    await files.remove(key);
    thrown++;
  }
  return thrown;
}

/** Deletes files that have been in the trash for 30 days. Returns how many. Files that others put there stay. */
export async function emptyTrash(files: Files, now = Date.now()): Promise<number> {
  let removed = 0;
  for await (const { key } of files.list(TRASH)) {
    const [, day, former] = TRASHED.exec(key) ?? [];
    if (day === undefined || mediumOfKey(former!) === null) continue;
    // the first day counts as a whole one
    if (!(now - Date.parse(day) > (KEPT_DAYS + 1) * DAY_MS)) continue;
    await files.remove(key);
    removed++;
  }
  return removed;
}
