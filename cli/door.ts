/** The socket in the data directory through which commands ask the running service, and what they do when none runs. */
import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { bindPrivately, connectPrivately } from "../src/adapters/database/unix-socket.ts";
import type { Config } from "../src/config/read.ts";
import { errorFields } from "../src/log.ts";
import { said, type Told } from "../src/messages/said.ts";
import { createOperator } from "../src/operator.ts";
import { Problem } from "../src/problem.ts";
import { Refusal } from "../src/refusal.ts";
import { type Ask, askThrough } from "../src/runtimes/socket-client.ts";
import { answerOnSocket } from "../src/runtimes/socket-server.ts";
import type { Services } from "../src/services.ts";
import { openCatalogue } from "./open.ts";

const pathOf = ({ dataDir }: Config): string => join(resolve(dataDir), ".door", "socket");

/** Lets commands ask this service. Only the owner of the data directory may call it. */
export async function openDoor({ config, sql, log }: Services): Promise<{ close(): Promise<void> }> {
  const operator = createOperator({ sql });
  const refuse = (told: Told, status: number) => Response.json({ told }, { status });
  const fetch = async (request: Request) => {
    try {
      return await operator.fetch(request);
    } catch (error) {
      if (error instanceof Problem) return refuse(error.told, error.status);
      log.error("a request of svc-manage failed", errorFields(error));
      return refuse(said("problem.request.failed"), 500);
    }
  };
  const server = answerOnSocket({ fetch }, (error) =>
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
  get<T>(path: string): Promise<T>;
  /** `body`: sent as JSON. */
  post<T>(path: string, body?: object): Promise<T>;
  /** If no service has the data directory open, this process does what is asked. */
  own: Services | null;
  close(): Promise<void>;
};

/** The running service, or else the catalogue opened in this process. */
export async function knock(config: Config): Promise<Door> {
  if (config.databaseUrl === null && (await isOpen(pathOf(config)))) {
    const ask = askThrough(() => connectPrivately(pathOf(config)));
    return { ...asking((request) => ask(request).catch(hasEnded)), own: null, close: async () => undefined };
  }
  const { services, close } = await openCatalogue(config);
  const operator = createOperator(services);
  return { ...asking(async (request) => operator.fetch(request)), own: services, close };
}

function asking(ask: Ask): Pick<Door, "get" | "post"> {
  const json = async (path: string, init?: RequestInit) => {
    const answer = await ask(new Request(new URL(path, "http://localhost"), init));
    const told = await answer.json().catch(hasEnded);
    if (answer.ok) return told;
    throw new Refusal(told.told);
  };
  return {
    get: json,
    post: (path, body = {}) => json(path, { method: "POST", body: JSON.stringify(body) }),
  };
}

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
