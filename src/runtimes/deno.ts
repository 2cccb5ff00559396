/**
 * Listens on Deno, with the HTTP server of its own. It answers requests with two hosts itself, lets those without one
 * through (it does not distinguish HTTP/1.0), and answers CONNECT with a path with an empty 400.
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

/** What is used of Deno; its types are not installed. */
declare const Deno: {
  serve(options: {
    hostname: string;
    port: number;
    onListen(): void;
    handler(
      request: Request,
      info: { completed: Promise<void>; remoteAddr: { hostname?: string } },
    ): Response | Promise<Response>;
  }): Server;
};
type Server = { addr: { port: number }; finished: Promise<void>; shutdown(): Promise<void> };

/** Milliseconds until it listens again. */
const PAUSE = 500;

export async function listen(app: App, address: Address): Promise<Listening> {
  const underWay = new Set<Promise<void>>();
  let stopping = false;
  const begin = (port: number): Server => {
    const begun = Deno.serve({
      hostname: address.host,
      port,
      onListen: () => undefined,
      async handler(request, { completed, remoteAddr }) {
        const done: Promise<void> = completed.catch(() => undefined).then(() => void underWay.delete(done));
        if (request.body) underWay.add(done);
        const answer = await app.fetch(request, { remote: remoteAddr.hostname });
        if (stopping) answer.headers.set("Connection", "close");
        return answer;
      },
    });
    // Deno stops listening when it has no descriptor for a connection
    begun.finished.catch(() => again(begun.addr.port));
    return begun;
  };
  const again = (port: number) => {
    setTimeout(() => {
      if (stopping) return;
      try {
        server = begin(port);
      } catch {
        again(port);
      }
    }, PAUSE);
  };
  let server: Server;
  try {
    server = begin(address.port);
  } catch (error) {
    throw cannotListen(error, address);
  }
  return {
    port: server.addr.port,
    async stop() {
      stopping = true;
      await new Promise((resolve) => setTimeout(resolve, LINGER_MS));
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, GRACE_MS);
      });
      // until then who comes is answered: shutdown() takes the rest of their bodies from requests that are still being read
      await Promise.race([noneOf(underWay), late]);
      // what is still open when it is late ends with the process: Deno cannot break off a shutdown once begun
      await Promise.race([server.shutdown(), late]);
      clearTimeout(timer);
    },
  };
}

/** Until there is none; meanwhile others may be added. */
async function noneOf(underWay: ReadonlySet<Promise<void>>): Promise<void> {
  do {
    await Promise.all(underWay);
    await quickTurn();
  } while (underWay.size > 0);
}
