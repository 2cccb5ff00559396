/** Makes one migrated database of each kind per run, which the test files copy. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { migrate } from "../../../src/adapters/database/migrate/migrate.ts";
import { openDatabase } from "../../../src/adapters/database/open.ts";
import { databaseServer, isServerThere, onServer, SERVER_MISSING } from "../servers/server.ts";
import { notTried } from "./skipped.ts";

declare module "vitest" {
  export interface ProvidedContext {
    embeddedTemplate: string;
    /** For other templates; deleted after the run. */
    templates: string;
    /** `copying`: how `create database` copies the template. */
    external: { server: string; template: string; copying: string } | null;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const templates = await mkdtemp(join(tmpdir(), "svc-tests-"));
  const directory = join(templates, "embedded");
  await mkdir(directory);
  const embedded = await openDatabase({ databaseUrl: null, dataDir: directory, role: "owner" });
  await migrate(embedded.sql, {});
  await embedded.close();
  project.provide("embeddedTemplate", directory);
  project.provide("templates", templates);

  const template = `svc_test_template_${crypto.randomUUID().slice(0, 8)}`;
  const reachable = await isServerThere();
  const copying = reachable ? await prepareExternal(template) : "";
  if (!reachable) notTried(SERVER_MISSING);
  project.provide("external", reachable ? { server: databaseServer(), template, copying } : null);

  return async () => {
    await rm(templates, { recursive: true, force: true });
    if (reachable) await onServer((sql) => sql.unsafe(`drop database if exists ${template} with (force)`));
  };
}

async function prepareExternal(template: string): Promise<string> {
  await onServer((sql) => sql.unsafe(`create database ${template}`));
  const url = new URL(databaseServer());
  url.pathname = `/${template}`;
  const database = await openDatabase({ databaseUrl: url.href, dataDir: "", role: "owner" });
  await migrate(database.sql, {});
  const [setting] = await database.sql<{ fsync: string }[]>`select current_setting('fsync') as fsync`;
  await database.close();
  // takes half the time, unless the server syncs each of the files
  return setting!.fsync === "off" ? "strategy file_copy" : "";
}
