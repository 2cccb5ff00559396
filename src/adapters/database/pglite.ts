/**
 * The embedded database: PostgreSQL in this process, its files in the data directory, nothing to install or start. Not in a
 * worker thread: point reads through one took three to five times as long.
 */
import { resolve } from "node:path";
import postgres, { type Options, type PostgresType, type Sql } from "postgres";
import { demandDirectory } from "../directories.ts";
import { startEngine } from "./engine.ts";
import { databaseDirectory } from "./first-start.ts";
import { takeOwnerLock } from "./owner-lock.ts";
import { pgliteSocket } from "./pglite-socket.ts";
import { type SharedSession, shareSession } from "./shared-session.ts";
import { openSocketServer } from "./socket-server.ts";
import { EMBEDDED_CLIENT } from "./types.ts";

/** Connections for transactions that wait for each other's turn; more would only wait longer. */
const CONNECTIONS = 4;
/** Seconds that queries and transactions have to end when the database is closed. */
const END_TIMEOUT = 5;

export type EmbeddedDatabase = {
  sql: Sql;
  /** Ends what runs, writes a checkpoint, and gives the data directory free. */
  close(): Promise<void>;
  /** How often the disk was told to write since the start: once for each commit, at least. */
  syncs(): number;
};

export type EmbeddedOptions = {
  dataDir: string;
  /** Memory for pages of the database; a start clears it all. */
  buffersMb?: number;
  /** Milliseconds that a transaction may stay open and idle while others wait for the database. */
  idleLimit?: number;
  /** Told in a sentence what an operator should see: a transaction taken away, a database started anew. */
  warn?: (sentence: string) => void;
};

/** Opens the database of a data directory, as its only owner; makes both when they are not there. */
export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const dataDir = resolve(options.dataDir);
  const warn = options.warn ?? console.warn;
  await demandDirectory("SVC_DATA_DIR", dataDir);
  const lock = await takeOwnerLock(dataDir);
  try {
    let session: SharedSession | undefined;
    const engine = await startEngine(await databaseDirectory(dataDir), {
      buffersMb: options.buffersMb,
      startedAnew(reason) {
        warn(reason);
        session?.startedAnew(reason);
      },
    });
    const shared = shareSession(engine.exec, engine.greeting, { idleLimit: options.idleLimit, warn });
    session = shared;
    const sql = connect(shared);
    const server = openSocketServer(shared);
    lock.open(server.accept);
    const close = async () => {
      await Promise.all([sql.end({ timeout: END_TIMEOUT }), server.close()]);
      await shared.lease.take({ idleSince: 0, giveUp: async () => {} }); // the last turn, never given back
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
  const options: Options<Record<string, PostgresType>> & { socket: () => unknown } = {
    socket: pgliteSocket(session),
    max: CONNECTIONS,
    ...EMBEDDED_CLIENT,
  };
  return postgres(options);
}
