/** The door is a socket in the data directory. Commands call the running service through it, or open the catalogue if none runs. */
import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { DataDirectoryInUse } from "../../src/adapters/database/pglite/owner-lock.ts";
import { bindPrivately, connectPrivately } from "../../src/adapters/database/pglite/unix-socket.ts";
import type { Composed } from "../../src/compose.ts";
import type { Config } from "../../src/config/read.ts";
import { errorFields } from "../../src/log.ts";
import { said } from "../../src/messages/said.ts";
import { type Call, callThrough, createOperator } from "../../src/operator.ts";
import { Refusal } from "../../src/refusal.ts";
import { askThrough } from "../../src/runtimes/socket-client.ts";
import { answerOnSocket } from "../../src/runtimes/socket-server.ts";
import type { Services } from "../../src/services.ts";
import { openProgress, type Progress } from "../terminal/progress.ts";
import { openCatalogue, openCommandConfig } from "./open.ts";

const pathOf = ({ dataDir }: Config): string => join(resolve(dataDir), ".door", "socket");

/** Lets commands call this service. Only the owner of the data directory can. */
export async function openDoor(services: Services): Promise<{ close(): Promise<void> }> {
  const { config, log } = services;
  const operator = createOperator(services, (error) => {
    log.error("a request of svc-manage failed", errorFields(error));
    return { told: said("problem.request.failed"), exit: 1 };
  });
  const server = answerOnSocket({ fetch: operator }, (error) =>
    log.error("an answer to svc-manage broke off", errorFields(error)),
  );
  await bindPrivately(pathOf(config), server.listen);
  return {
    async close() {
      await rm(pathOf(config), { force: true });
      await server.stop();
    },
  };
}

export type Door = {
  call: Call;
  /** The services of this process, which does the work itself; null if a running service does it. */
  own: Services | null;
  close(): Promise<void>;
};

/** Connects to the running service, or opens the catalogue in this process. */
export async function knock(
  config = openCommandConfig(),
  open: (config: Config) => Promise<Pick<Composed, "services" | "close">> = openCatalogue,
): Promise<Door> {
  for (let attempt = 1; ; attempt++) {
    const call = await runningService(config);
    if (call) return { call, own: null, close: async () => undefined };
    try {
      const { services, close } = await open(config);
      const operator = createOperator(services, (error) => {
        throw error;
      });
      const rethrow = (cause: unknown) => {
        throw cause;
      };
      return { call: callThrough(operator, rethrow), own: services, close };
    } catch (error) {
      if (!(error instanceof DataDirectoryInUse)) throw error;
      // the directory is in use but its socket does not answer: that service is starting or stopping
      if (attempt === ATTEMPTS) {
        const seconds = (ATTEMPTS * PAUSE_MS) / 1000;
        const about = { directory: resolve(config.dataDir), who: error.who, seconds };
        throw new Refusal(said("cli.data_directory.not_ready", about), 1, { cause: error });
      }
      await setTimeout(PAUSE_MS);
    }
  }
}

export async function withDoor<T>(
  knocked: Promise<Door>,
  work: (door: Door, progress: Progress) => Promise<T>,
): Promise<T> {
  const door = await knocked;
  const progress = openProgress();
  try {
    return await work(door, progress);
  } finally {
    progress.clear();
    await door.close();
  }
}

/** Null if no service has the embedded database open, or if it does not answer yet. */
export async function runningService(config: Config): Promise<Call | null> {
  const isThere = config.databaseUrl === null && (await isOpen(pathOf(config)));
  return isThere
    ? callThrough(
        askThrough(() => connectPrivately(pathOf(config))),
        hasEnded,
      )
    : null;
}

/** Attempts to reach a service that is starting or stopping, and milliseconds between them. */
const ATTEMPTS = 20;
const PAUSE_MS = 500;

/** Nobody listens: the service has not started, or was killed. */
const NOBODY = new Set(["ENOENT", "ECONNREFUSED", "ENOTDIR", "EACCES"]);

async function isOpen(path: string): Promise<boolean> {
  try {
    (await connectPrivately(path)).destroy();
    return true;
  } catch (error) {
    if (NOBODY.has((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  }
}

function hasEnded(cause: unknown): never {
  if (cause instanceof Refusal) throw cause;
  const gone = new Error("the service that had the database open has ended; run this again", { cause });
  throw Object.assign(gone, { code: "CONNECTION_CLOSED" });
}
