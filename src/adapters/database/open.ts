/** One SQL handle for the rest of the program, wherever the database runs. */
import { setTimeout } from "node:timers/promises";
import type { Sql } from "postgres";
import { Refusal } from "../../refusal.ts";

export type Database = {
  sql: Sql;
  /** In this process; in the process of a running service; on a PostgreSQL server. */
  kind: "embedded" | "socket" | "external";
  close(): Promise<void>;
};

export type DatabaseOptions = {
  /** Empty: the embedded database. */
  databaseUrl?: string | null;
  dataDir: string;
  /** As in `EmbeddedOptions`. */
  buffersMb?: number;
  /** Connections at once to an external server. */
  max?: number;
  /**
   * `owner`: the service, which must have the embedded database for itself. `client`: a command, which goes through
   * the socket of a running service, and is the owner for the time being when none runs.
   */
  role: "owner" | "client";
  /** Told in a sentence what an operator should see; the console, when it is not given. */
  warn?: (sentence: string) => void;
};

/** Seconds that a running database has to end when it is closed. */
const END_TIMEOUT = 5;
/** A service that is just starting or stopping is waited for this often, with this pause (milliseconds) in between. */
const ATTEMPTS = 20;
const PAUSE_MS = 500;

/** Opens the database that the configuration names. Each adapter is loaded only when it is chosen. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  if (options.databaseUrl) {
    return options.role === "owner"
      ? openServer(options.databaseUrl, options)
      : visitServer(options.databaseUrl, options);
  }
  return options.role === "owner" ? openOwn(options) : openAsGuest(options);
}

/** For the service, which outlives every outage of its server. */
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

/** For a command, which does not outlive its connections: postgres.js would wait for answers that nobody will give. */
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
      // Owned, but nobody listens on the socket: that service is starting or stopping at this moment.
      if (attempt === ATTEMPTS) {
        throw new Refusal(
          `The data directory ${options.dataDir} belongs to ${error.who}, which has been starting or stopping for ` +
            `${(ATTEMPTS * PAUSE_MS) / 1000} seconds and accepts no connections; run this again when it is ready or has stopped`,
          1,
          { cause: error },
        );
      }
      await setTimeout(PAUSE_MS);
    }
  }
}
