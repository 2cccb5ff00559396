/** Files without a row: they are being written, or their rows were deleted (`sql/0030_stray_files.sql`). */
import { said } from "../../messages/said.ts";
import { Problem } from "../../problem.ts";
import type { Services, Sql, Tx } from "../../services.ts";

/** Longer than it takes to write any file and its row. */
const LONGEST_WRITING = "1 day";
const BATCH = 100;

/** Call it before a file is written. */
export async function announceFile(sql: Sql, key: string): Promise<void> {
  await sql`
    insert into stray_files (key, due_at) values (${key}, now() + ${LONGEST_WRITING}::interval)
    on conflict (key) do update set due_at = excluded.due_at`;
}

/** Call it in the transaction that writes the row of the file. Throws if the file is due for deletion, and so may be gone. */
export async function adoptFile(tx: Tx, key: string): Promise<void> {
  const { count } = await tx`delete from stray_files where key = ${key} and due_at > clock_timestamp()`;
  if (count === 0) throw new Problem("too_slow", said("problem.medium.too_slow"));
}

/** Removes the file, then its note. After a kill in between, the file is removed again, which does no harm. */
export async function removeFile(
  { sql, files }: Pick<Services, "sql" | "files">,
  key: string,
): Promise<void> {
  await files.remove(key);
  await sql`delete from stray_files where key = ${key}`;
}

/**
 * Removes every orphan that is old enough. Returns how many. A file whose row is being written is locked, and left for the next
 * time. @param report called after each batch
 */
export async function removeOrphanFiles(
  services: Pick<Services, "sql" | "files">,
  report: (done: number) => Promise<void> = async () => undefined,
): Promise<number> {
  for (let done = 0; ; ) {
    const due = await services.sql<{ key: string }[]>`
      select s.key from stray_files s
      where s.due_at <= now() and not exists (select 1 from object_media m where s.key in (m.storage_key, m.pyramid_key))
      order by s.due_at limit ${BATCH} for update skip locked`;
    if (due.length === 0) return done;
    for (const { key } of due) await removeFile(services, key);
    done += due.length;
    await report(done);
  }
}
