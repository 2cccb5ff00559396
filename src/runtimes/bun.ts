/**
 * Listens on Bun, with the HTTP server of its own; what it refuses by itself takes no headers of ours. A method that its
 * parser does not know ends the connection without an answer, and an HTTP/1.1 request without a host gets an empty 400.
 */
import {
  type Address,
  type App,
  cannotListen,
  GRACE_MS,
  LINGER_MS,
  type Listening,
  quickTurn,
} from "./listening.ts";

/** The parts of Bun used here; its types are not installed. */
declare const Bun: {
  serve(options: {
    hostname: string;
    port: number;
    idleTimeout: number;
    maxRequestBodySize: number;
    development: boolean;
    reusePort: boolean;
    fetch(
      request: Request,
      server: { requestIP(request: Request): { address: string } | null },
    ): Response | Promise<Response>;
  }): { port: number; stop(closeActiveConnections?: boolean): Promise<void> };
};

export async function listen(app: App, address: Address): Promise<Listening> {
  let stopping = false;
  try {
    const server = Bun.serve({
      hostname: address.host,
      port: address.port,
      // seconds without a byte; the default of ten would cut off answers that take their time. 255 is the most
      idleTimeout: 255,
      // the routes have limits of their own
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      development: false,
      // Bun's default outside development is to share the port silently with a second process
      reusePort: false,
      async fetch(request, server) {
        const answer = await app.fetch(request, { remote: server.requestIP(request)?.address });
        if (stopping) answer.headers.set("Connection", "close");
        return answer;
      },
    });
    return {
      port: server.port,
      async stop() {
        stopping = true;
        await new Promise((resolve) => setTimeout(resolve, LINGER_MS));
        await quickTurn();
        const late = setTimeout(() => server.stop(true), GRACE_MS);
        await server.stop();
        clearTimeout(late);
      },
    };
  } catch (error) {
    throw cannotListen(error, address);
  }
}
