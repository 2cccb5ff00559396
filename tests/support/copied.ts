/** Looks into the embedded database of a running process, which nobody else can open. */
import type { ChildProcess } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sql } from "postgres";
import { openEmbedded } from "../../src/adapters/database/pglite.ts";

/** Asks the database as it is at this moment. The process stands still meanwhile, so that it is not far ahead of the answer. */
export async function lookInto<T>(
  child: ChildProcess,
  dataDir: string,
  look: (sql: Sql) => Promise<T>,
): Promise<T> {
  let copy: string | undefined;
  try {
    return await standing(child, async () => {
      copy = await copyDatabase(dataDir);
      const { sql, close } = await openEmbedded({ dataDir: copy });
      return await look(sql).finally(close);
    });
  } finally {
    if (copy) await rm(copy, { recursive: true, force: true });
  }
}

/** A data directory with a copy of the database: what a kill at this moment would leave. */
export async function takeCopy(child: ChildProcess, dataDir: string): Promise<string> {
  return standing(child, () => copyDatabase(dataDir));
}

async function copyDatabase(dataDir: string): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), "svc-copy-"));
  await cp(join(dataDir, "database"), join(copy, "database"), { recursive: true });
  return copy;
}

async function standing<T>(child: ChildProcess, work: () => Promise<T>): Promise<T> {
  child.kill("SIGSTOP");
  try {
    return await work();
  } finally {
    child.kill("SIGCONT");
  }
}
