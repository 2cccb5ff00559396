/** Connects a command to the embedded database of the running service, through the socket in the data directory. */
import type { Socket } from "node:net";
import { join, resolve } from "node:path";
import postgres, { type Sql } from "postgres";
import type { SocketOptions } from "./driver-settings.ts";
import { SOCKET_FILE } from "./owner-lock.ts";
import { EMBEDDED_CLIENT } from "./types.ts";
import { connectTo } from "./unix-socket.ts";

/** Seconds. The socket answers only when the database has started, and a first start takes a while. */
const CONNECT_TIMEOUT = 60;

/** Seconds that running queries and transactions may take when the client leaves. */
const END_TIMEOUT = 5;

export type OwnerConnection = { sql: Sql; close(): Promise<void> };

/**
 * The database of the running service that owns the directory; undefined if none runs. If the service ends later, this client
 * never connects again, even to a new service: postgres.js drops connections that fail here, and after the last one every
 * query would wait for ever.
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
  // not the option `path`, because the path may be too long for it (unix-socket.ts)
  const options: SocketOptions = { ...EMBEDDED_CLIENT, socket: enter, connect_timeout: CONNECT_TIMEOUT };
  const sql = postgres(options);
  try {
    await sql`select 1`;
    // postgres.js would wait for answers of a service that is gone
    return { sql, close: () => sql.end({ timeout: sentAway ? 0 : END_TIMEOUT }) };
  } catch (error) {
    await sql.end({ timeout: 0 });
    if (NOBODY.has((error as { code?: string }).code ?? "")) return undefined;
    throw error;
  }
}

/** Works around postgres.js, which leaves its socket paused after a COPY TO STDOUT with a slow reader. */
function awakeAtWrite(socket: Socket): Socket {
  const write = socket.write.bind(socket) as (...parameters: unknown[]) => boolean;
  socket.write = (...parameters: unknown[]) => {
    socket.resume();
    return write(...parameters);
  };
  return socket;
}

/** There is no socket, or its process has ended or is stopping. */
const STOPPED = ["ENOENT", "ECONNREFUSED", "ECONNRESET", "EPIPE", "CONNECTION_CLOSED", "57P01"];
/** The directory is missing or not accessible. Whoever then tries to become its owner gets the reason. */
const NO_WAY_IN = ["EACCES", "ENOTDIR", "ELOOP", "ENAMETOOLONG"];
const NOBODY = new Set([...STOPPED, ...NO_WAY_IN]);
