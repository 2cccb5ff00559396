/** Empty databases for single tests, deleted afterwards. */
import { cpSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sql } from "postgres";
import { inject } from "vitest";
import { type EmbeddedOptions, openEmbedded } from "../../../src/adapters/database/pglite/pglite.ts";
import { openPostgres } from "../../../src/adapters/database/server/postgres.ts";
import { createDatabase } from "./server.ts";

export type ScratchKind = "embedded" | "external";

/** The kinds of database that this machine has. */
export const scratchKinds: ScratchKind[] = inject("external") ? ["embedded", "external"] : ["embedded"];

export type Scratch = { sql: Sql; close(): Promise<void> };

/** An empty database of one kind. */
export async function openScratch(
  kind: ScratchKind,
  options: Partial<EmbeddedOptions> = {},
): Promise<Scratch> {
  if (kind === "external") return openExternalScratch();
  const dataDir = await scratchDirectory();
  const { sql, close } = await openEmbedded({ dataDir, ...options });
  return {
    sql,
    async close() {
      await close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** A data directory with an empty embedded database, closed; much faster than a first start. */
export async function scratchDirectory(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), "svc-scratch-"));
  cpSync(join(inject("embeddedTemplate"), "database"), join(dataDir, "database"), { recursive: true });
  const { sql, close } = await openEmbedded({ dataDir });
  await sql`drop schema public cascade`;
  await sql`create schema public`;
  await close();
  return dataDir;
}

async function openExternalScratch(): Promise<Scratch> {
  const { url, drop } = await createDatabase();
  const sql = await openPostgres(url, { max: 4 });
  return {
    sql,
    async close() {
      await sql.end({ timeout: 2 });
      await drop();
    },
  };
}
