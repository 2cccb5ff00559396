/**
 * The embedded database: PostgreSQL in this process, with its files in the data directory. It does not run in a worker thread,
 * because reads of single rows would take three to five times as long.
 */
import { resolve } from "node:path";
import postgres, { type Sql } from "postgres";
import { demandDirectory } from "../../directories.ts";
import type { SocketOptions } from "../server/driver-settings.ts";
import { EMBEDDED_CLIENT } from "../types.ts";
import { startEngine } from "./engine.ts";
import { databaseDirectory } from "./first-start.ts";
import { takeOwnerLock } from "./owner-lock.ts";
import { pgliteSocket } from "./pglite-socket.ts";
import { type SharedSession, shareSession } from "./shared-session.ts";

/** Seconds that running queries and transactions may take when the database is closed. */
const END_TIMEOUT = 5;

export type EmbeddedDatabase = {
  sql: Sql;
  /** Ends running queries, writes a checkpoint, and releases the data directory. */
  close(): Promise<void>;
  /** Number of disk syncs since the start: at least one for each commit. */
  syncs(): number;
};

export type EmbeddedOptions = {
  dataDir: string;
  /** Megabytes of memory for pages of the database. */
  buffersMb?: number;
  /** Milliseconds that a transaction may stay open and idle while others wait for the database. */
  idleLimit?: number;
  /** Is called with a sentence for the operator: a transaction was ended, the database was restarted. */
  warn?: (sentence: string) => void;
};

/** Opens the database of a data directory as its only owner. Creates directory and database if they are missing. */
export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const dataDir = resolve(options.dataDir);
  const warn = options.warn ?? console.warn;
  await demandDirectory("SVC_DATA_DIR", dataDir);
  const lock = await takeOwnerLock(dataDir);
  try {
    let session: SharedSession | undefined;
    const engine = await startEngine(await databaseDirectory(dataDir), {
      buffersMb: options.buffersMb,
      async startedAnew(reason) {
        warn(reason);
        await session?.startedAnew();
      },
    });
    const shared = shareSession(engine.exec, engine.greeting, { idleLimit: options.idleLimit, warn });
    session = shared;
    const sql = connect(shared);
    const close = async () => {
      await sql.end({ timeout: END_TIMEOUT });
      await shared.lease.take({ idleSince: 0, giveUp: async () => {} }); // the last lease, which is never returned
      await engine.close();
      await lock.release();
    };
    let closing: Promise<void> | undefined;
    return {
      sql,
      syncs: engine.syncs,
      close() {
        closing ??= close();
        return closing;
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

function connect(session: SharedSession): Sql {
  const options: SocketOptions = { ...EMBEDDED_CLIENT, socket: pgliteSocket(session) };
  return postgres(options);
}
