/** An external PostgreSQL server, for installations that have outgrown the embedded database. */
import { connect, Socket } from "node:net";
import { setImmediate } from "node:timers";
import { setTimeout } from "node:timers/promises";
import postgres, { type Sql } from "postgres";
import { Refusal } from "../../refusal.ts";
import { DRIVER_SETTINGS, type SocketOptions } from "./driver-settings.ts";

const OLDEST_VERSION = 15;
const CONNECTIONS = 10;
/** Seconds between tries to connect again; the driver's own would grow to twenty, in which requests wait for nothing. */
const LONGEST_PAUSE = 1;

/**
 * Connects; refuses a server that cannot be reached, does not let us in or is too old, in a sentence without the
 * password. `max`: connections at once; `patience`: seconds that the server has for its first answer; `lost` is told of
 * each connection that was closed.
 */
export async function openPostgres(
  url: string,
  options: { max?: number; patience?: number; lost?: () => void } = {},
): Promise<Sql> {
  const patience = options.patience ?? DRIVER_SETTINGS.connect_timeout;
  const sql = poolOf(url, options);
  const done = new AbortController();
  try {
    // postgres.js itself connects again for ever to a server that hangs up before it has said that it is ready
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
 * A pool that has not connected yet. With `lost` it connects nothing again after a loss: postgres.js would wait on that
 * connection for the answer to the rollback of its broken transaction, which was never sent, and whatever else is asked there
 * would wait for ever.
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
 * When a connection breaks, the driver refuses what waits for its answers, and then still gives it what is asked before it
 * is closed. That is refused only when a connection closes without an error: so all of ours do.
 */
function closingWithoutError(socket: Socket): Socket {
  const emit = socket.emit.bind(socket) as (name: string, ...given: unknown[]) => boolean;
  socket.emit = (name: string, ...given: unknown[]) =>
    name === "close" ? emit(name, false) : emit(name, ...given);
  return socket;
}

/** What waits for it is refused. */
function brokenSocket(): Socket {
  const socket = new Socket();
  const gone = Object.assign(new Error("connections were lost"), { code: "CONNECTION_CLOSED" });
  // once the driver listens, and before it writes
  setImmediate(() => socket.destroy(gone));
  return socket;
}

type Address = { host: string[]; port: number[]; path: string | false };

/** Connections that were begun: each is tried at the next host, where there are several. */
let begun = 0;

/**
 * A socket that sends what it is given at once. The driver's own waits with the last bytes of what it sends until the
 * server has confirmed those before, which it does after 40 ms where it has nothing to answer yet (Nagle's algorithm).
 */
function socketOf({ host, port, path }: Address): Socket {
  if (path) return connect(path);
  const at = begun++ % host.length;
  // by `host` the driver knows whom the server's certificate must name
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

/** By the code of the error: what the message of the network or the server does not say so that it can be mended. */
function reasonOf(error: unknown, sql: Sql, patience: number): string {
  // Node gives no message when it has tried several addresses of a name
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

/** Host and port, without the password that the URL holds. */
function placeOf(sql: Sql): string {
  const { host, port, path } = sql.options;
  return path || host.map((name, index) => `${name}:${port[index]}`).join(", ");
}
