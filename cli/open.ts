/** What every command needs first: the configuration, or the list of its faults; then the services. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { migrate, schemaState } from "../src/adapters/database/migrate.ts";
import { type Composed, compose, logOf } from "../src/compose.ts";
import { type Config, readConfig } from "../src/config/read.ts";
import { Refusal } from "../src/refusal.ts";

/** Why a file cannot be used, in words. */
export function fileFault(error: unknown, missing = "there is no such file"): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const words: Record<string, string> = {
    ENOENT: missing,
    EACCES: "permission denied",
    EPERM: "permission denied",
    EROFS: "the disk is read-only",
    ENOSPC: "the disk is full",
    EISDIR: "it is a directory",
    ENOTDIR: missing,
  };
  return words[code ?? ""] ?? message;
}

export function openConfig(env: Record<string, string | undefined> = process.env): Config {
  // set in the Dockerfile: there the data lives at /var/lib/svc and /srv/svc/backups, and every interface is listened on
  const { SVC_CONTAINER, ...variables } = env;
  const read = readConfig(variables, { container: SVC_CONTAINER === "true" });
  if (read.ok) return read.config;
  throw new Refusal(
    ["The configuration is not right:", ...read.faults.map((fault) => `  ${fault}`)].join("\n"),
  );
}

/** For every command but `serve`: lines of a log would stand between what it says, so only errors, unless asked for. */
export function openCommandConfig(): Config {
  return openConfig({ ...process.env, LOG_LEVEL: process.env.LOG_LEVEL?.trim() || "error" });
}

/** For a command that has nothing to do in an empty catalogue: it makes none in a directory that was mistyped. */
export async function openCatalogue(config: Config): Promise<Composed> {
  if (config.databaseUrl === null && !existsSync(join(config.dataDir, "database", "PG_VERSION"))) {
    throw new Refusal(
      `There is no catalogue in ${resolve(config.dataDir)}. Is SVC_DATA_DIR another directory? The first start of the service makes one`,
    );
  }
  return openServices(config);
}

/**
 * Services for a command; the schema must be the one that this program knows. The embedded database is brought to it
 * here as at a start, unless a service has it open.
 */
export async function openServices(config: Config): Promise<Composed> {
  const composed = await compose(config, "guest", logOf(config, process.stderr.isTTY));
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
