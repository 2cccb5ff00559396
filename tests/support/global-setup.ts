/** Once a run: a migrated database of each kind, which the test files copy. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import type { TestProject } from "vitest/node";
import { migrate } from "../../src/adapters/database/migrate.ts";
import { openDatabase } from "../../src/adapters/database/open.ts";
import { forgetReasons, notTried } from "./skipped.ts";

declare module "vitest" {
  export interface ProvidedContext {
    embeddedTemplate: string;
    external: { server: string; template: string } | null;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  process.env.SVC_TEST_RUN = String(process.pid);
  forgetReasons();
  const directory = await mkdtemp(join(tmpdir(), "svc-tests-"));
  const embedded = await openDatabase({ databaseUrl: null, dataDir: directory, role: "owner" });
  await migrate(embedded.sql, {});
  await embedded.close();
  project.provide("embeddedTemplate", directory);

  const server =
    process.env.TEST_DATABASE_URL ??
    process.env.DATABASE_URL ??
    "postgres://postgres@127.0.0.1:5432/postgres";
  const template = `svc_test_template_${process.pid}`;
  const reachable = await prepareExternal(server, template);
  if (!reachable) notTried(`PostgreSQL at ${new URL(server).host} (set TEST_DATABASE_URL)`);
  project.provide("external", reachable ? { server, template } : null);

  return async () => {
    await rm(directory, { recursive: true, force: true });
    if (reachable)
      await onServer(server, (sql) => sql.unsafe(`drop database if exists ${template} with (force)`));
  };
}

async function prepareExternal(server: string, template: string): Promise<boolean> {
  try {
    await onServer(server, (sql) => sql`select 1`);
  } catch {
    return false;
  }
  await onServer(server, (sql) => sql.unsafe(`create database ${template}`));
  const url = new URL(server);
  url.pathname = `/${template}`;
  const database = await openDatabase({ databaseUrl: url.href, dataDir: "", role: "owner" });
  await migrate(database.sql, {});
  await database.close();
  return true;
}

async function onServer(server: string, work: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const sql = postgres(server, { max: 1, connect_timeout: 3, onnotice: () => undefined });
  try {
    await work(sql);
  } finally {
    await sql.end({ timeout: 2 });
  }
}
