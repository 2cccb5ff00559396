/**
 * PostgreSQL in this process (PGlite), started again when it stops.
 *
 * PostgreSQL ends itself on purpose when it cannot be sure of its data (a full disk while it writes WAL, an fsync that
 * fails), and its server process is then started anew and recovers from the WAL. So is this one. PGlite by itself
 * would go round in an endless loop instead, and take the whole service with it.
 */
import { Buffer } from "node:buffer";
import { setTimeout } from "node:timers/promises";
import { PGlite } from "@electric-sql/pglite";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { unaccent } from "@electric-sql/pglite/contrib/unaccent";
import { Refusal } from "../../refusal.ts";
import { ownShares } from "../descriptors.ts";
import { DurableNodeFS, START_PARAMETERS } from "./durable-nodefs.ts";
import type { Exec } from "./shared-session.ts";
import { startupMessage } from "./wire.ts";

export type Engine = {
  exec: Exec;
  /** What PGlite says to a new client: its settings and versions. */
  greeting: Buffer;
  /** How often the disk was told to write. */
  syncs(): number;
  /** Writes a checkpoint and stops. */
  close(): Promise<void>;
};

/** Enough for what is not the service: to look into a database. */
const FEW_BUFFERS_MB = 32;

export type EngineOptions = {
  /** Memory for pages of the database. */
  buffersMb?: number;
  /** Told after each start but the first, with what had ended the one before. */
  startedAnew?: (reason: string) => void;
};

/** What Emscripten throws has a number of WASI and no message. */
const DISK_FAULTS: Record<number, string> = {
  2: "permission denied",
  29: "the disk does not read or write (input/output error)",
  51: "the disk is full",
  69: "the disk is read-only",
};

type Running = { pg: PGlite; files: DurableNodeFS; greeting: Buffer; complaint(): string };

/** Milliseconds from one start to the next, at least. */
const PAUSE = 1000;

/** Opens the database in `directory`. */
export async function startEngine(directory: string, options: EngineOptions = {}): Promise<Engine> {
  const { buffersMb = FEW_BUFFERS_MB } = options;
  const first = await start(directory, buffersMb);
  let running: Running | undefined = first;
  let stopped = "";
  let syncsBefore = 0;
  let lastStart = Date.now();

  async function startAgain(): Promise<Running> {
    // Whatever stopped it may do so again: a full disk, for one, until somebody makes room.
    await setTimeout(lastStart + PAUSE - Date.now());
    lastStart = Date.now();
    running = await start(directory, buffersMb);
    options.startedAnew?.(stopped);
    return running;
  }

  return {
    greeting: first.greeting,
    syncs: () => syncsBefore + (running?.files.syncs ?? 0),
    async exec(messages, onAnswer) {
      const { pg, files, complaint } = running ?? (await startAgain());
      try {
        // No syncToFs: it would cost a lock for each query, and the files are written when PostgreSQL says so.
        await pg.execProtocolRawStream(messages, { syncToFs: false, onRawData: onAnswer });
      } catch (error) {
        syncsBefore += files.syncs;
        running = undefined;
        closeFiles(pg);
        stopped = `The embedded database stopped and is being restarted: ${complaint() || String(error)}`;
        throw new Error(stopped, { cause: error });
      }
    },
    async close() {
      await running?.pg.close();
    },
  };
}

async function start(directory: string, buffersMb: number): Promise<Running> {
  const complaints: string[] = [];
  const files = new DurableNodeFS(directory);
  try {
    const pg = await PGlite.create({
      fs: files,
      extensions: { pg_trgm, unaccent },
      startParams: [
        ...START_PARAMETERS,
        ...["-c", `shared_buffers=${buffersMb}MB`],
        ...["-c", `max_files_per_process=${ownShares().files}`],
      ],
      onStderr(line) {
        const complaint = /\b(?:PANIC|FATAL):\s+(.*)/.exec(line)?.[1];
        if (complaint && complaints.length < 10) complaints.push(complaint);
        return false;
      },
    });
    endLoopWhenStopped(pg.Module);
    return { pg, files, greeting: await greetingOf(pg), complaint: () => complaints[0] ?? "" };
  } catch (error) {
    const { errno } = error as { errno?: number };
    const reason =
      complaints[0] ?? DISK_FAULTS[errno ?? 0] ?? (error instanceof Error ? error.message : String(error));
    throw new Refusal(`The embedded database in ${directory} cannot be opened: ${reason}`, 1, {
      cause: error,
    });
  }
}

/**
 * The startup message is sent once, by ourselves: PGlite stops for good at one that it does not like, so no client's
 * reaches it. Only after it does PGlite report changed settings.
 */
async function greetingOf(pg: PGlite): Promise<Buffer> {
  const pieces: Buffer[] = [];
  await pg.execProtocolRawStream(startupMessage({ user: "postgres", database: "postgres" }), {
    syncToFs: false,
    onRawData: (piece) => pieces.push(Buffer.from(piece)),
  });
  return Buffer.concat(pieces);
}

/** What PGlite throws for an ordinary SQL error (`POSTGRES_MAIN_LONGJMP` in its source). */
const SQL_ERROR = 100;

/**
 * PGlite takes every exception for an SQL error and goes on. Anything else means that PostgreSQL has stopped: then
 * nothing of it is called any more, and the error leaves PGlite's loop through the one call that it does not guard.
 */
function endLoopWhenStopped(module: PGlite["Module"]): void {
  let stoppedBy: unknown;
  const guarded = (call: () => void) => () => {
    if (stoppedBy === undefined) call();
  };
  const loopOnce = module._PostgresMainLoopOnce;
  const afterError = module._PostgresMainLongJmp;
  module._PostgresMainLoopOnce = () => {
    try {
      loopOnce();
    } catch (error) {
      if ((error as { status?: number }).status !== SQL_ERROR) stoppedBy = error;
      throw { status: SQL_ERROR };
    }
  };
  module._PostgresMainLongJmp = () => {
    if (stoppedBy !== undefined) throw stoppedBy;
    try {
      afterError();
    } catch (error) {
      stoppedBy = error;
      throw error;
    }
  };
  module._PostgresSendReadyForQueryIfNecessary = guarded(module._PostgresSendReadyForQueryIfNecessary);
  module._pgl_pq_flush = guarded(module._pgl_pq_flush);
}

/** The files of a stopped PGlite would stay open until the process ends. */
function closeFiles(pg: PGlite): void {
  try {
    (pg.Module.FS as unknown as { quit(): void }).quit();
  } catch {
    // it was stopped while it closed one: nothing more can be done
  }
}
