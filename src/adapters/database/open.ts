/** Opens the configured database: embedded, or on a server. */
import type { Sql } from "postgres";

export type Database = {
  sql: Sql;
  /** `embedded`: in this process, its only owner; `external`: on a PostgreSQL server. */
  kind: "embedded" | "external";
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
  /** `owner`: the service, which survives outages of a server. `client`: a command, which ends when it loses a connection. */
  role: "owner" | "client";
  /** Is called with sentences for the operator. Default: the console. */
  warn?: (sentence: string) => void;
};

/** Seconds that running queries may take when the database is closed. */
const END_TIMEOUT = 5;

/** Loads only the adapter that is needed. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  if (options.databaseUrl) {
    return options.role === "owner"
      ? openServer(options.databaseUrl, options)
      : visitServer(options.databaseUrl, options);
  }
  const { openEmbedded } = await import("./pglite/pglite.ts");
  const { sql, close } = await openEmbedded(options);
  return { sql, kind: "embedded", close };
}

/** For the service, which must survive every outage of its server. */
async function openServer(url: string, { max, warn = console.warn }: DatabaseOptions): Promise<Database> {
  const { openPostgres, poolOf } = await import("./server/postgres.ts");
  const { renewedPool } = await import("./server/renewed-pool.ts");
  const pools = {
    open: (lost: () => void) => openPostgres(url, { max, lost }),
    fresh: (lost: () => void) => poolOf(url, { max, lost }),
  };
  const { sql, close } = await renewedPool(pools, warn);
  return { sql, kind: "external", close: () => close(END_TIMEOUT) };
}

/** For a command, which ends when it loses a connection. Then it must not wait for answers that never come. */
async function visitServer(url: string, { max }: DatabaseOptions): Promise<Database> {
  const { openPostgres } = await import("./server/postgres.ts");
  let timeout = END_TIMEOUT;
  const lost = () => {
    timeout = 0;
  };
  const sql = await openPostgres(url, { max, lost });
  return { sql, kind: "external", close: () => sql.end({ timeout }) };
}
