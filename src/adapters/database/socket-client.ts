/** The way in for commands while the service runs: through the socket in its data directory. */
import type { Socket } from "node:net";
import { join, resolve } from "node:path";
import postgres, { type Options, type PostgresType, type Sql } from "postgres";
import { SOCKET_FILE } from "./owner-lock.ts";
import { EMBEDDED_CLIENT } from "./types.ts";
import { connectTo } from "./unix-socket.ts";

const CONNECTIONS = 4;
/** Seconds. The socket answers when the database has started, which takes a while the first time. */
const CONNECT_TIMEOUT = 60;

/** Seconds that queries and transactions have to end when the client leaves. */
const END_TIMEOUT = 5;

export type OwnerConnection = { sql: Sql; close(): Promise<void> };

/**
 * The database of the running service that owns the directory, or nothing when none runs. A client whose service has
 * gone stays outside, also when another one listens there: postgres.js would lose connections that fail here, and
 * with the last of them every query would wait for ever.
 */
export async function connectToOwner(dataDir: string): Promise<OwnerConnection | undefined> {
  const path = join(resolve(dataDir), SOCKET_FILE);
  let wasInside = false;
  let sentAway = false;
  const enter = async () => {
    try {
      const socket = awakeAtWrite(await connectTo(path));
      wasInside = true;
      socket.once("close", () => {
        sentAway = true;
      });
      return socket;
    } catch (error) {
      void sql.end({ timeout: 0 });
      if (!wasInside) throw error;
      const gone = new Error("the service that had the database open has ended; run this again", {
        cause: error,
      });
      throw Object.assign(gone, { code: "CONNECTION_CLOSED" });
    }
  };
  const options: Options<Record<string, PostgresType>> & { socket: () => unknown } = {
    // Not `path`: it may be too long for one, see unix-socket.ts.
    socket: enter,
    max: CONNECTIONS,
    connect_timeout: CONNECT_TIMEOUT,
    ...EMBEDDED_CLIENT,
  };
  const sql = postgres(options);
  try {
    await sql`select 1`;
    // postgres.js goes on waiting for what a service that has gone was asked
    return { sql, close: () => sql.end({ timeout: sentAway ? 0 : END_TIMEOUT }) };
  } catch (error) {
    await sql.end({ timeout: 0 });
    if (NOBODY.has((error as { code?: string }).code ?? "")) return undefined;
    throw error;
  }
}

/** postgres.js leaves its socket paused for ever after a COPY TO STDOUT whose reader let it wait at the end. */
function awakeAtWrite(socket: Socket): Socket {
  const write = socket.write.bind(socket) as (...parameters: unknown[]) => boolean;
  socket.write = (...parameters: unknown[]) => {
    socket.resume();
    return write(...parameters);
  };
  return socket;
}

/** No socket there, one that its process has left behind, or a service that stops at this moment. */
const STOPPED = ["ENOENT", "ECONNREFUSED", "ECONNRESET", "EPIPE", "CONNECTION_CLOSED", "57P01"];
/** No such directory, or not for this user: who tries to be its owner is told so. */
const NO_WAY_IN = ["EACCES", "ENOTDIR", "ELOOP", "ENAMETOOLONG"];
const NOBODY = new Set([...STOPPED, ...NO_WAY_IN]);
