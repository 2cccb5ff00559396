/** Connects to an external PostgreSQL server. */
import { connect, Socket } from "node:net";
import { setImmediate } from "node:timers";
import { setTimeout } from "node:timers/promises";
import postgres, { type Sql } from "postgres";
import { Refusal } from "../../refusal.ts";
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
    throw new Refusal(
      `The database ${database} at ${placeOf(sql)} (DATABASE_URL) cannot be used: ${reasonOf(error, sql, patience)}`,
      1,
      { cause: error },
    );
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
    throw new Error(`it is PostgreSQL ${server?.version}, and ${OLDEST_VERSION} or newer is needed`);
  }
}

/** Why the server cannot be used. For known error codes, a sentence that says more than the error's message. */
function reasonOf(error: unknown, sql: Sql, patience: number): string {
  // the message is empty if Node has tried several addresses of a name
  const { message, code = "" } = error as { message?: string; code?: string };
  const right = "are host and port right?";
  const words: Record<string, string> = {
    ECONNREFUSED: `nothing listens there; is the server running, and ${right}`,
    ENOTFOUND: "this host name is unknown",
    EAI_AGAIN: "the host name cannot be looked up at the moment",
    EHOSTUNREACH: `there is no way to that host from here; ${right}`,
    ENETUNREACH: `there is no way to that host from here; ${right}`,
    ETIMEDOUT: `no answer; ${right}`,
    CONNECT_TIMEOUT: `no PostgreSQL server answered there within ${patience} seconds; ${right}`,
    ECONNRESET: `the connection was closed at once; ${right} Does the server support TLS, if the URL asks for it?`,
    "28P01": `the password for the user ${sql.options.user} is wrong`,
    "3D000": "the server has no database of this name; create it first",
    "57P03": "the server is just starting or stopping; try again in a moment",
  };
  return words[code] ?? (message || code || String(error));
}

/** Host and port. (The URL contains the password.) */
function placeOf(sql: Sql): string {
  const { host, port, path } = sql.options;
  return path || host.map((name, index) => `${name}:${port[index]}`).join(", ");
}
