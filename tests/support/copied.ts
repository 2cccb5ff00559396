/** Looks into the embedded database of a running process, which nobody else can open. */
import type { ChildProcess } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sql } from "postgres";
import { openEmbedded } from "../../src/adapters/database/pglite.ts";

/**
 * Opens a copy of the database as it is at this moment: what a kill would leave. The process stands still meanwhile, so that it
 * is not far ahead of the answer.
 */
export async function lookAtCopy<T>(
  child: ChildProcess,
  dataDir: string,
  look: (sql: Sql) => Promise<T>,
): Promise<T> {
  const copy = await mkdtemp(join(tmpdir(), "svc-look-"));
  child.kill("SIGSTOP");
  try {
    await cp(join(dataDir, "database"), join(copy, "database"), { recursive: true });
    const { sql, close } = await openEmbedded({ dataDir: copy });
    return await look(sql).finally(close);
  } finally {
    child.kill("SIGCONT");
    await rm(copy, { recursive: true, force: true });
  }
}
