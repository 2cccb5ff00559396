/** A temporary database for verifying a backup: on the server if the user may create one, else embedded. */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sql } from "postgres";
import { openPostgres } from "../server/postgres.ts";
import { quoted } from "./rows.ts";

export type TemporaryDatabase = { sql: Sql; kind: "embedded" | "external"; close(): Promise<void> };

export async function openTemporaryDatabase(databaseUrl: string | null): Promise<TemporaryDatabase> {
  return (databaseUrl && (await onServer(databaseUrl))) || embedded();
}

/** Null if this user may not create databases. */
async function onServer(databaseUrl: string): Promise<TemporaryDatabase | null> {
  const server = await openPostgres(databaseUrl, { max: 1 });
  const name = `svc_verify_${randomUUID().replaceAll("-", "")}`;
  const drop = async () => {
    await server.unsafe(`drop database if exists ${quoted(name)} with (force)`);
    await server.end({ timeout: 5 });
  };
  try {
    await server.unsafe(`create database ${quoted(name)} template template0 encoding 'UTF8'`);
  } catch (error) {
    await server.end({ timeout: 5 });
    if ((error as { code?: string }).code === "42501") return null;
    throw error;
  }
  try {
    const url = new URL(databaseUrl);
    url.pathname = `/${name}`;
    const sql = await openPostgres(url.href, { max: 1 });
    return {
      sql,
      kind: "external",
      async close() {
        await sql.end({ timeout: 5 });
        await drop();
      },
    };
  } catch (error) {
    await drop();
    throw error;
  }
}

async function embedded(): Promise<TemporaryDatabase> {
  const { openEmbedded } = await import("../pglite/pglite.ts");
  const dataDir = await mkdtemp(join(tmpdir(), "svc-verify-"));
  try {
    const { sql, close } = await openEmbedded({ dataDir });
    return {
      sql,
      kind: "embedded",
      async close() {
        await close();
        await rm(dataDir, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await rm(dataDir, { recursive: true, force: true });
    throw error;
  }
}
