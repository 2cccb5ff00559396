/** Listens on Node, with the HTTP server of its own and `@hono/node-server` between. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, Server } from "node:net";
import { setImmediate } from "node:timers/promises";
import { getRequestListener } from "@hono/node-server";
import {
  type Address,
  type App,
  cannotListen,
  GRACE_MS,
  type Head,
  LINGER_MS,
  type Listening,
} from "./listening.ts";
import { limitConnections } from "./node-connections.ts";
import { answerClientErrors, answerUnreadable, hangUpUnlessComplete, refuseHost } from "./node-refusals.ts";

const LIMITS = {
  // also for a connection that sends nothing
  headersTimeout: 20_000,
  connectionsCheckingInterval: 5_000,
  // a large upload over a slow line takes its time
  requestTimeout: 3_600_000,
  // longer than proxies keep theirs (60 s is usual), so that none reuses a connection that is just being closed
  keepAliveTimeout: 75_000,
  // asked for by refuseHost, which says so
  requireHostHeader: false,
};

/** More than a queue of connections can hold. */
const MOST_TURNS = 1_000;

export async function listen(app: App, address: Address, head: Head = {}): Promise<Listening> {
  const server = createServer(
    LIMITS,
    getRequestListener(
      async (request, { incoming, outgoing }) => {
        const answer =
          refuseHost(incoming as IncomingMessage, head) ??
          (await app.fetch(request, { remote: incoming.socket.remoteAddress }));
        await closeUnlessComplete(incoming as IncomingMessage, outgoing as ServerResponse);
        return answer;
      },
      {
        hostname: address.host,
        errorHandler: (error) => answerUnreadable(error, head),
      },
    ),
  );
  limitConnections(server, address);
  answerClientErrors(server, head);
  const inFlight = new Set<ServerResponse>();
  let stopping = false;
  let quiet: NodeJS.Timeout | undefined;
  // on a connection that does nothing a request may be on its way
  const closeWhenQuiet = () => {
    clearTimeout(quiet);
    quiet = setTimeout(() => inFlight.size === 0 && server.closeAllConnections(), LINGER_MS);
  };
  // before the app sees the request, which may answer at once
  server.prependListener("request", (request, response) => {
    inFlight.add(response);
    // before Node's own listener, which may close the connection
    response.prependOnceListener("finish", () => hangUpUnlessComplete(request));
    // else a client that always has a next request keeps its connection until the grace is over
    if (stopping) response.shouldKeepAlive = false;
    response.on("close", () => {
      inFlight.delete(response);
      if (stopping) closeWhenQuiet();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(cannotListen(error, address)));
    server.listen(address.port, address.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      stopping = true;
      for (const response of inFlight) response.shouldKeepAlive = false;
      setTimeout(() => server.closeAllConnections(), GRACE_MS).unref();
      await allTaken(server);
      closeWhenQuiet();
      // not its own close, which also ends the connections that do nothing at this moment
      await new Promise<unknown>((resolve) => Server.prototype.close.call(server, resolve));
    },
  };
}

/**
 * Until no connection waits to be taken: Node takes one in each turn of its loop, and those that still wait when it no
 * longer listens are broken off.
 */
async function allTaken(server: Server): Promise<void> {
  let calm = 0;
  const onConnection = () => {
    calm = 0;
  };
  server.on("connection", onConnection);
  // the first turn may be over when this is asked
  for (let turn = 0; calm < 2 && turn < MOST_TURNS; turn++) {
    calm += 1;
    await setImmediate();
  }
  server.off("connection", onConnection);
}

/** An answer that is ready before the body has arrived says that its connection will be closed. */
async function closeUnlessComplete(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { headers } = request;
  if (!headers["content-length"] && !headers["transfer-encoding"]) return;
  // the answer may be ready before Node has read the rest of what has come
  if (!request.complete) await setImmediate();
  if (!request.complete) response.shouldKeepAlive = false;
}
