/** Looks into an embedded database that another process has open. Nobody else can open it, so this opens copies. */
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sql } from "postgres";
import { openEmbedded } from "../../../src/adapters/database/pglite/pglite.ts";

/** Asks the database as it is now. Its owner stands still meanwhile, so that it is not far ahead of the answer. */
export async function lookInto<T>(dataDir: string, look: (sql: Sql) => Promise<T>): Promise<T> {
  let copy: string | undefined;
  try {
    return await standing(dataDir, async () => {
      copy = await copyDatabase(dataDir);
      const { sql, close } = await openEmbedded({ dataDir: copy });
      return await look(sql).finally(close);
    });
  } finally {
    if (copy) await rm(copy, { recursive: true, force: true });
  }
}

/** A data directory with a copy of the database: what a kill at this moment would leave. */
export async function takeCopy(dataDir: string): Promise<string> {
  return standing(dataDir, () => copyDatabase(dataDir));
}

/** The id of the process that has the directory open; null if none has. */
export async function ownerOf(dataDir: string): Promise<number | null> {
  const [, pid] = (await readFile(join(dataDir, ".owner.pid"), "utf8").catch(() => "")).split(" ");
  try {
    return pid && process.kill(Number(pid), 0) ? Number(pid) : null;
  } catch {
    return null;
  }
}

async function copyDatabase(dataDir: string): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), "svc-copy-"));
  await cp(join(dataDir, "database"), join(copy, "database"), { recursive: true });
  return copy;
}

async function standing<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const owner = await ownerOf(dataDir);
  if (owner === null || owner === process.pid) throw new Error(`no other process has ${dataDir} open`);
  process.kill(owner, "SIGSTOP");
  try {
    return await work();
  } finally {
    process.kill(owner, "SIGCONT");
  }
}
