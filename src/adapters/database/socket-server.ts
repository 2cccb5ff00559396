/**
 * Lets other local programs (`svc-manage`, `psql`) use the embedded database while the service runs. It speaks the PostgreSQL
 * wire protocol; clients share the lease of the session with the service's own connections.
 *
 * Only the user of the service can open the socket, so there is no password. There is one database user and one database;
 * names that a client sends are ignored.
 *
 * Limits, because all share one session: clients see each other's temporary tables; prepared statements with the same name
 * collide; session-level advisory locks exclude nobody; a running query cannot be cancelled. psql cannot use a data directory
 * with a path longer than about 90 bytes; svc-manage can.
 */
import { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import { setTimeout } from "node:timers";
import { ClientMessages, ProtocolViolation, readOpening } from "./client-messages.ts";
import type { SharedSession } from "./shared-session.ts";
import { ANSWER_LIMIT, VirtualConnection } from "./virtual-connection.ts";
import { errorResponse, SPEAKS_3_0 } from "./wire.ts";

/** Clients at the same time. Each may keep a large answer in memory. */
const MOST_CLIENTS = 20;
/** Milliseconds in which a client must send its startup message. */
const OPENING_LIMIT = 10_000;

/** Milliseconds for a client to read the last answer: usually, and when the service stops. */
const FAREWELL_LIMIT = 30_000;
const STOP_LIMIT = 1_000;

const STOPPING = errorResponse(
  "FATAL",
  "57P01",
  "the service that has this database open is stopping; try again when it has ended or runs again",
);

export type SocketServer = {
  accept(socket: Socket): void;
  /** Disconnects all clients; resolves when their open transactions are rolled back. */
  close(): Promise<void>;
};

export function openSocketServer(session: SharedSession): SocketServer {
  const connections = new Map<Socket, Promise<void>>();
  let closing = false;
  return {
    accept(socket) {
      // its queries would not be answered any more
      if (closing) return sendAway(socket, STOPPING, STOP_LIMIT);
      if (connections.size >= MOST_CLIENTS) {
        sendAway(
          socket,
          errorResponse(
            "FATAL",
            "53300",
            `${MOST_CLIENTS} connections of other programs to the embedded database are open; end one and try again`,
          ),
        );
        return;
      }
      connections.set(
        socket,
        visit(session, socket).finally(() => connections.delete(socket)),
      );
    },
    async close() {
      closing = true;
      for (const socket of connections.keys()) sendAway(socket, STOPPING, STOP_LIMIT);
      await Promise.all(connections.values());
    },
  };
}

/** Serves one client from its first byte until it is gone and cleaned up. Never rejects. */
async function visit(session: SharedSession, socket: Socket): Promise<void> {
  const connection = new VirtualConnection(session, {
    isClient: true,
    data(bytes) {
      // only notifications can accumulate for a client that does not read
      if (socket.writableLength > ANSWER_LIMIT) socket.destroy();
      else socket.write(bytes);
    },
    ended() {
      sendAway(socket);
      void connection.close();
    },
  });
  const deadline = setTimeout(() => socket.destroy(), OPENING_LIMIT);
  // at once, so that a waiting query of a client that has gone is not run
  socket.once("close", () => void connection.close());
  try {
    // the socket stays open after the loop, so that the client still gets the reason
    const pieces: AsyncIterable<Buffer> = socket.iterator({ destroyOnReturn: false });
    const messages = new ClientMessages();
    let opening: Buffer | undefined = Buffer.alloc(0);
    for await (const piece of pieces) {
      let bytes = piece;
      if (opening) {
        const { more, rest } = answerOpening(socket, Buffer.concat([opening, piece]));
        opening = more;
        if (!rest) continue;
        clearTimeout(deadline);
        connection.greet();
        bytes = rest;
      }
      for (const group of messages.take(bytes)) {
        await connection.send(group);
        // a slow reader gets the next answer only when it has read this one
        if (socket.writableNeedDrain) await room(socket);
      }
      if (messages.ended) break;
    }
  } catch (error) {
    if (error instanceof ProtocolViolation) socket.write(errorResponse("FATAL", "08P01", error.message));
  }
  clearTimeout(deadline);
  sendAway(socket);
  await connection.close();
}

/** Handles everything before the first query. `more`: an incomplete message; `rest`: the bytes after the startup message. */
function answerOpening(socket: Socket, received: Buffer): { more?: Buffer; rest?: Buffer } {
  let bytes = received;
  for (;;) {
    const opening = readOpening(bytes);
    if (opening.kind === "incomplete") return { more: bytes };
    bytes = bytes.subarray(opening.length);
    if (opening.kind === "encryption") socket.write("N");
    // the session does one thing at a time, so when this is read, the query to cancel has ended
    else if (opening.kind === "cancel") sendAway(socket);
    else {
      if (opening.minor > 0) socket.write(SPEAKS_3_0);
      return { rest: bytes };
    }
  }
}

/** Resolves when the client has read everything or is gone. */
function room(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      socket.off("drain", done);
      socket.off("close", done);
      resolve();
    };
    socket.on("drain", done);
    socket.on("close", done);
    if (socket.destroyed) done();
  });
}

/** Closes a connection when the client has read the last message, or after `limit`. */
function sendAway(socket: Socket, lastWords?: Buffer, limit = FAREWELL_LIMIT): void {
  if (lastWords) socket.end(lastWords);
  else socket.end();
  socket.destroySoon();
  setTimeout(() => socket.destroy(), limit).unref();
}
