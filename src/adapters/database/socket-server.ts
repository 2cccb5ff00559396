/**
 * Other local programs (`svc-manage`, `psql`) work with the embedded database while the service runs. It
 * speaks the PostgreSQL wire protocol, under the same lease as the service's own connections.
 *
 * Whoever can open the socket is the database's owner: it lets in its user only, asks for no password, and there is
 * one user and one database, whatever names the client gives.
 *
 * Limits of the one session: clients see each other's temporary tables, two that name a prepared statement alike get an
 * error, session-level advisory locks exclude nobody, and a running query cannot be cancelled. psql cannot use a data
 * directory whose path is longer than about 90 bytes, svc-manage can.
 */
import { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import { setTimeout } from "node:timers";
import { ClientMessages, ProtocolViolation, readOpening } from "./client-messages.ts";
import type { SharedSession } from "./shared-session.ts";
import { ANSWER_LIMIT, VirtualConnection } from "./virtual-connection.ts";
import { errorResponse, SPEAKS_3_0 } from "./wire.ts";

/** More clients than this would be a mistake: each may hold a large answer in memory. */
const MOST_CLIENTS = 20;
/** Milliseconds in which a client must say what it wants. */
const OPENING_LIMIT = 10_000;

/** Milliseconds in which a client may read what was still written to it, and when the service stops. */
const FAREWELL_LIMIT = 30_000;
const STOP_LIMIT = 1_000;

const STOPPING = errorResponse(
  "FATAL",
  "57P01",
  "the service that has this database open is stopping; try again when it has ended or runs again",
);

export type SocketServer = {
  accept(socket: Socket): void;
  /** Sends all clients away; resolves when what they had open is rolled back. */
  close(): Promise<void>;
};

export function openSocketServer(session: SharedSession): SocketServer {
  const connections = new Map<Socket, Promise<void>>();
  let closing = false;
  return {
    accept(socket) {
      // whatever it would ask would not be answered any more
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

/** One client, from its first byte until it is gone and nothing of it is left. Never rejects. */
async function visit(session: SharedSession, socket: Socket): Promise<void> {
  const connection = new VirtualConnection(session, {
    isClient: true,
    data(bytes) {
      // Only notifications can pile up in front of a client that does not read.
      if (socket.writableLength > ANSWER_LIMIT) socket.destroy();
      else socket.write(bytes);
    },
    ended() {
      sendAway(socket);
      void connection.close();
    },
  });
  const deadline = setTimeout(() => socket.destroy(), OPENING_LIMIT);
  // At once, not when its turn comes: a query of a dead client is not run any more.
  socket.once("close", () => void connection.close());
  try {
    // Not destroyed when the loop ends: the reason must still reach the client.
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
        // At most one answer waits for a slow reader: until it is read, nothing more is asked of the database.
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

/** Answers what comes before the first query. `more`: what there is of an incomplete message; `rest`: what follows. */
function answerOpening(socket: Socket, received: Buffer): { more?: Buffer; rest?: Buffer } {
  let bytes = received;
  for (;;) {
    const opening = readOpening(bytes);
    if (opening.kind === "incomplete") return { more: bytes };
    bytes = bytes.subarray(opening.length);
    if (opening.kind === "encryption") socket.write("N");
    // One session does one thing at a time: when a cancel request is read, the query is over.
    else if (opening.kind === "cancel") sendAway(socket);
    else {
      if (opening.minor > 0) socket.write(SPEAKS_3_0);
      return { rest: bytes };
    }
  }
}

/** Until the client has read what was written, or is gone. */
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

/** Ends a connection when the client has read its last words, or soon. */
function sendAway(socket: Socket, lastWords?: Buffer, limit = FAREWELL_LIMIT): void {
  if (lastWords) socket.end(lastWords);
  else socket.end();
  socket.destroySoon();
  setTimeout(() => socket.destroy(), limit).unref();
}
