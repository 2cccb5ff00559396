/** Listens on Node, with the HTTP server of its own and `@hono/node-server` between. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { type Address, type App, cannotListen, GRACE_MS, type Listening } from "./listening.ts";
import { answerClientErrors, answerUnreadable, refuseHost } from "./node-refusals.ts";

const LIMITS = {
  headersTimeout: 60_000,
  // a large upload over a slow line takes its time
  requestTimeout: 3_600_000,
  // longer than proxies keep theirs (60 s is usual), so that none reuses a connection that is just being closed
  keepAliveTimeout: 75_000,
  // asked for by refuseHost, which says so
  requireHostHeader: false,
};

export async function listen(app: App, address: Address): Promise<Listening> {
  const server = createServer(
    LIMITS,
    getRequestListener(
      (request, { incoming }) =>
        refuseHost(incoming as IncomingMessage) ??
        app.fetch(request, { remote: incoming.socket.remoteAddress }),
      {
        hostname: address.host,
        errorHandler: answerUnreadable,
      },
    ),
  );
  answerClientErrors(server);
  let inFlight = 0;
  let stopping = false;
  server.on("request", (_request, response) => {
    inFlight += 1;
    response.on("close", () => {
      inFlight -= 1;
      if (stopping && inFlight === 0) server.closeAllConnections();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(cannotListen(error, address)));
    server.listen(address.port, address.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        stopping = true;
        server.close(() => resolve());
        // also connections that were opened and never used, which `close` would wait for
        if (inFlight === 0) server.closeAllConnections();
        setTimeout(() => server.closeAllConnections(), GRACE_MS).unref();
      }),
  };
}
