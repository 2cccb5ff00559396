/** Opens the configured database: embedded, through the socket of a running service, or on a server. */

import { setTimeout } from "node:timers/promises";
import type { Sql } from "postgres";
import { said } from "../../messages/said.ts";
import { Refusal } from "../../refusal.ts";

export type Database = {
  sql: Sql;
  /** `embedded`: in this process; `socket`: in the process of the running service; `external`: on a PostgreSQL server. */
  kind: "embedded" | "socket" | "external";
  close(): Promise<void>;
};

export type DatabaseOptions = {
  /** Null or empty: the embedded database. */
  databaseUrl?: string | null;
  dataDir: string;
  /** See `EmbeddedOptions`. */
  buffersMb?: number;
  /** Number of connections to an external server. */
  max?: number;
  /**
   * `owner`: the service, which must be the only owner of the embedded database. `client`: a command, which uses the socket
   * of the running service or, if none runs, becomes the owner itself.
   */
  role: "owner" | "client";
  /** Is called with sentences for the operator. Default: the console. */
  warn?: (sentence: string) => void;
};

/** Seconds that running queries may take when the database is closed. */
const END_TIMEOUT = 5;
/** Attempts to reach a service that is just starting or stopping, and milliseconds between them. */
const ATTEMPTS = 20;
const PAUSE_MS = 500;

/** Loads only the adapter that is needed. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  if (options.databaseUrl) {
    return options.role === "owner"
      ? openServer(options.databaseUrl, options)
      : visitServer(options.databaseUrl, options);
  }
  return options.role === "owner" ? openOwn(options) : openAsGuest(options);
}

/** For the service, which must survive every outage of its server. */
async function openServer(url: string, { max, warn = console.warn }: DatabaseOptions): Promise<Database> {
  const { openPostgres, poolOf } = await import("./postgres.ts");
  const { renewedPool } = await import("./renewed-pool.ts");
  const pools = {
    open: (lost: () => void) => openPostgres(url, { max, lost }),
    fresh: (lost: () => void) => poolOf(url, { max, lost }),
  };
  const { sql, close } = await renewedPool(pools, warn);
  return { sql, kind: "external", close: () => close(END_TIMEOUT) };
}

/** For a command, which ends when it loses a connection. Then it must not wait for answers that never come. */
async function visitServer(url: string, { max }: DatabaseOptions): Promise<Database> {
  const { openPostgres } = await import("./postgres.ts");
  let timeout = END_TIMEOUT;
  const lost = () => {
    timeout = 0;
  };
  const sql = await openPostgres(url, { max, lost });
  return { sql, kind: "external", close: () => sql.end({ timeout }) };
}

async function openOwn({ dataDir, buffersMb, warn }: DatabaseOptions): Promise<Database> {
  const { openEmbedded } = await import("./pglite.ts");
  const { sql, close } = await openEmbedded({ dataDir, buffersMb, warn });
  return { sql, kind: "embedded", close };
}

async function openAsGuest(options: DatabaseOptions): Promise<Database> {
  const { connectToOwner } = await import("./socket-client.ts");
  for (let attempt = 1; ; attempt++) {
    const client = await connectToOwner(options.dataDir);
    if (client) return { ...client, kind: "socket" };
    try {
      return await openOwn(options);
    } catch (error) {
      const { DataDirectoryInUse } = await import("./owner-lock.ts");
      if (!(error instanceof DataDirectoryInUse)) throw error;
      // the directory has an owner, but nobody listens on the socket: that service is starting or stopping
      if (attempt === ATTEMPTS) {
        const about = {
          directory: options.dataDir,
          who: error.who,
          seconds: (ATTEMPTS * PAUSE_MS) / 1000,
        };
        throw new Refusal(said("cli.data_directory.not_ready", about), 1, { cause: error });
      }
      await setTimeout(PAUSE_MS);
    }
  }
}
