/** Connects to an external PostgreSQL server. */

import { connect, Socket } from "node:net";
import { setImmediate } from "node:timers";
import { setTimeout } from "node:timers/promises";
import postgres, { type Sql } from "postgres";
import { type Said, said, type Told } from "../../../messages/said.ts";
import { Refusal } from "../../../refusal.ts";
import { DRIVER_SETTINGS, type SocketOptions } from "./driver-settings.ts";

const OLDEST_VERSION = 15;
const CONNECTIONS = 10;
/** The most seconds between attempts to reconnect. By default the driver would wait up to twenty. */
const LONGEST_PAUSE = 1;

/**
 * Connects to a server. Throws a Refusal without the password if it cannot be reached, rejects the login or is too old. `max`:
 * number of connections; `patience`: seconds for the first answer; `lost` is called for each closed connection.
 */
export async function openPostgres(
  url: string,
  options: { max?: number; patience?: number; lost?: () => void } = {},
): Promise<Sql> {
  const patience = options.patience ?? DRIVER_SETTINGS.connect_timeout;
  const sql = poolOf(url, options);
  const done = new AbortController();
  try {
    // without a time limit, postgres.js would reconnect for ever to a server that closes each new connection
    await Promise.race([refuseOldVersion(sql), silence(patience, done.signal)]);
    return sql;
  } catch (error) {
    void sql.end({ timeout: 0 });
    const { database } = sql.options;
    const about = { database: String(database), place: placeOf(sql), reason: reasonOf(error, sql, patience) };
    throw new Refusal(said("cli.database.unusable", about), 1, { cause: error });
  } finally {
    done.abort();
  }
}

/**
 * A pool that connects with its first query. With `lost`, it never reconnects after losing a connection: postgres.js would wait
 * there for the answer to a rollback that it never sent, and all later queries would wait for ever.
 */
export function poolOf(url: string, options: { max?: number; lost?: () => void } = {}): Sql {
  const { lost } = options;
  let isBroken = false;
  const settings: SocketOptions<Address> = {
    ...DRIVER_SETTINGS,
    socket: (address) => closingWithoutError(isBroken ? brokenSocket() : socketOf(address)),
    max: options.max ?? CONNECTIONS,
    backoff: (tries: number) => (isBroken ? 0 : Math.min(LONGEST_PAUSE, 0.05 * 2 ** tries)),
    onclose() {
      isBroken = lost !== undefined;
      lost?.();
    },
  };
  return postgres(url, settings);
}

/**
 * Reports every close as one without an error. When a connection breaks, the driver rejects waiting queries but may still assign
 * new ones to it before it closes. The driver rejects these, too, only if the connection closes without an error.
 */
function closingWithoutError(socket: Socket): Socket {
  const emit = socket.emit.bind(socket) as (name: string, ...args: unknown[]) => boolean;
  socket.emit = (name: string, ...args: unknown[]) =>
    name === "close" ? emit(name, false) : emit(name, ...args);
  return socket;
}

/** A socket that fails at once, so that queries on it are rejected. */
function brokenSocket(): Socket {
  const socket = new Socket();
  const gone = Object.assign(new Error("connections were lost"), { code: "CONNECTION_CLOSED" });
  // after the driver has added its listeners, and before it writes
  setImmediate(() => socket.destroy(gone));
  return socket;
}

type Address = { host: string[]; port: number[]; path: string | false };

/** Number of connection attempts. If the URL has several hosts, each attempt uses the next one. */
let begun = 0;

/**
 * A socket without Nagle's algorithm. With it, the last bytes of a query may wait 40 ms until the server confirms the bytes
 * before.
 */
function socketOf({ host, port, path }: Address): Socket {
  if (path) return connect(path);
  const at = begun++ % host.length;
  // the driver compares `host` with the server's certificate
  return Object.assign(connect({ host: host[at], port: port[at]!, noDelay: true }), { host: host[at] });
}

async function silence(seconds: number, signal: AbortSignal): Promise<never> {
  await setTimeout(seconds * 1000, undefined, { signal });
  throw Object.assign(new Error("no answer"), { code: "CONNECT_TIMEOUT" });
}

async function refuseOldVersion(sql: Sql): Promise<void> {
  const [server] = await sql<{ number: number; version: string }[]>`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as version`;
  if (!server || server.number < OLDEST_VERSION * 10_000) {
    const version = String(server?.version);
    throw new Refusal(said("cli.database.too_old", { version, oldest: String(OLDEST_VERSION) }));
  }
}

/** Why the server cannot be used. For known error codes, it says more than the error's message. */
function reasonOf(error: unknown, sql: Sql, patience: number): Told {
  if (error instanceof Refusal) return error.told;
  // the message is empty if Node has tried several addresses of a name
  const { message, code = "" } = error as { message?: string; code?: string };
  const words: Record<string, Said> = {
    ECONNREFUSED: said("cli.database.refused"),
    ENOTFOUND: said("cli.database.unknown_host"),
    EAI_AGAIN: said("cli.database.no_lookup"),
    EHOSTUNREACH: said("cli.database.no_way"),
    ENETUNREACH: said("cli.database.no_way"),
    ETIMEDOUT: said("cli.database.no_answer"),
    CONNECT_TIMEOUT: said("cli.database.silent", { seconds: patience }),
    ECONNRESET: said("cli.database.closed"),
    "28P01": said("cli.database.password", { user: String(sql.options.user) }),
    "3D000": said("cli.database.none"),
    "57P03": said("cli.database.starting"),
  };
  return words[code] ?? (message || code || String(error));
}

/** Host and port. (The URL contains the password.) */
function placeOf(sql: Sql): string {
  const { host, port, path } = sql.options;
  return path || host.map((name, index) => `${name}:${port[index]}`).join(", ");
}
