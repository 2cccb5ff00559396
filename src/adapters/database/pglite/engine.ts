/**
 * Runs PostgreSQL in this process (PGlite), and restarts it when it stops.
 *
 * PostgreSQL stops on purpose if its data may be incomplete (the disk is full while it writes WAL, an fsync fails). A server
 * then restarts and recovers from the WAL, and so does this adapter. PGlite by itself would loop endlessly instead and
 * block the whole service.
 */

import { Buffer } from "node:buffer";
import { setTimeout } from "node:timers/promises";
import { PGlite } from "@electric-sql/pglite";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { unaccent } from "@electric-sql/pglite/contrib/unaccent";
import { type Said, said } from "../../../messages/said.ts";
import { Refusal } from "../../../refusal.ts";
import { ownShares } from "../../descriptors.ts";
import { DurableNodeFS, START_PARAMETERS } from "./durable-nodefs.ts";
import type { Exec } from "./shared-session.ts";
import { startupMessage } from "./wire.ts";

export type Engine = {
  exec: Exec;
  /** PGlite's answer to the startup message: settings and versions. */
  greeting: Buffer;
  /** Number of disk syncs. */
  syncs(): number;
  /** Writes a checkpoint and stops. */
  close(): Promise<void>;
};

/** Enough for commands and tests. */
const FEW_BUFFERS_MB = 32;

export type EngineOptions = {
  /** Megabytes of memory for pages of the database. */
  buffersMb?: number;
  /** Called after each restart, before anything else runs, with the reason why PostgreSQL had stopped. */
  startedAnew?: (reason: string) => Promise<void>;
};

/** Emscripten's errors have a WASI error number and no message. */
const DISK_FAULTS: Record<number, Said> = {
  2: said("cli.disk.denied"),
  29: said("cli.disk.io"),
  51: said("cli.disk.full"),
  69: said("cli.disk.read_only"),
};

type Running = { pg: PGlite; files: DurableNodeFS; greeting: Buffer; complaint(): string };

/** At least this many milliseconds between two starts. */
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
    // the cause may persist, for example a full disk
    await setTimeout(Math.max(0, lastStart + PAUSE - Date.now()));
    lastStart = Date.now();
    running = await start(directory, buffersMb);
    await options.startedAnew?.(stopped);
    return running;
  }

  return {
    greeting: first.greeting,
    syncs: () => syncsBefore + (running?.files.syncs ?? 0),
    async exec(messages, onAnswer) {
      const { pg, files, complaint } = running ?? (await startAgain());
      try {
        // syncToFs would take a lock for each query, and `durable-nodefs.ts` already syncs
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
    throw new Refusal(said("cli.data_directory.not_opened", { directory, reason }), 1, {
      cause: error,
    });
  }
}

/**
 * Sends the only startup message. Those of connections never reach PGlite, because there is only one session.
 */
async function greetingOf(pg: PGlite): Promise<Buffer> {
  const pieces: Buffer[] = [];
  await pg.execProtocolRawStream(startupMessage({ user: "postgres", database: "postgres" }), {
    syncToFs: false,
    onRawData: (piece) => pieces.push(Buffer.from(piece)),
  });
  return Buffer.concat(pieces);
}

/** PGlite's status for an ordinary SQL error (`POSTGRES_MAIN_LONGJMP` in its source). */
const SQL_ERROR = 100;

/**
 * PGlite treats every exception as an SQL error and continues its loop. But any other exception means that PostgreSQL has
 * stopped. Then this throws the error in the one call that PGlite does not guard, which ends its loop.
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

/** Closes the files of a stopped PGlite, which would otherwise stay open until the process ends. */
function closeFiles(pg: PGlite): void {
  try {
    (pg.Module.FS as unknown as { quit(): void }).quit();
  } catch {
    // it was stopped while it closed one: nothing more can be done
  }
}
