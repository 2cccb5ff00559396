/** Opens the configuration and the services for a command. */

import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Composed } from "../../src/compose.ts";
import { type Config, readConfig } from "../../src/config/read.ts";
import { type Said, said } from "../../src/messages/said.ts";
import { Refusal } from "../../src/refusal.ts";
import { inWords } from "../terminal/words.ts";

/** Why a file cannot be used, in the language of the terminal. */
export function fileFault(error: unknown, missing: Said = said("cli.file.missing")): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const known: Record<string, Said> = {
    ENOENT: missing,
    EACCES: said("cli.disk.denied"),
    EPERM: said("cli.disk.denied"),
    EROFS: said("cli.disk.read_only"),
    ENOSPC: said("cli.disk.full"),
    EISDIR: said("cli.file.is_directory"),
    ENOTDIR: missing,
  };
  return inWords(known[code ?? ""] ?? message);
}

/** A `catch` handler that says why a file cannot be read. */
export const cannotRead =
  (path: string) =>
  (error: unknown): never => {
    throw new Refusal(said("cli.file.cannot_read", { path, reason: fileFault(error) }));
  };

export function openConfig(env: Record<string, string | undefined> = process.env): Config {
  // the Dockerfile sets it: data is in /var/lib/svc and /srv/svc/backups, and the service listens on every interface
  const { SVC_CONTAINER, ...variables } = env;
  const read = readConfig(variables, { container: SVC_CONTAINER === "true" });
  if (read.ok) return read.config;
  const faults = read.faults.map((fault) => `  ${inWords(fault)}`).join("\n");
  throw new Refusal(said("cli.config.invalid", { faults }));
}

/** For commands other than `serve`. By default only errors are logged, because log lines would disturb the output. */
export function openCommandConfig(): Config {
  return openConfig({ ...process.env, LOG_LEVEL: process.env.LOG_LEVEL?.trim() || "error" });
}

/** For commands that need a catalogue. Refuses if there is none, so that a mistyped directory creates none. */
export async function openCatalogue(config: Config): Promise<Composed> {
  if (config.databaseUrl === null && !existsSync(join(config.dataDir, "database", "PG_VERSION"))) {
    throw new Refusal(said("cli.no_catalogue", { directory: resolve(config.dataDir) }));
  }
  return openServices(config);
}

/**
 * Opens the services for a command. Migrates the embedded database, and refuses one that a service has open. Refuses an
 * external database without this program's schema.
 */
export async function openServices(config: Config): Promise<Composed> {
  // loaded here, because commands that call a running service do not need them
  const { compose, logOf } = await import("../../src/compose.ts");
  const { migrate, schemaState } = await import("../../src/adapters/database/migrate/migrate.ts");
  const composed = await compose(config, "client", logOf(config, process.stderr.isTTY));
  try {
    const { sql, database } = composed.services;
    if (database === "embedded") await migrate(sql);
    const state = await schemaState(sql);
    if (state.state !== "current") throw new Refusal(state.detail);
    return composed;
  } catch (error) {
    await composed.close();
    throw error;
  }
}
