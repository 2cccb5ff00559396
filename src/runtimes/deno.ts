/**
 * Listens on Deno, with the HTTP server of its own. It answers requests with two hosts itself, lets those without one
 * through (it does not distinguish HTTP/1.0), and answers CONNECT with a path with an empty 400.
 */
import { Problem } from "../problem.ts";
import {
  type Address,
  type App,
  cannotListen,
  GRACE_MS,
  type Head,
  LINGER_MS,
  type Listening,
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

export async function listen(app: App, address: Address, head: Head = {}): Promise<Listening> {
  const underWay = new Set<Promise<void>>();
  let stopping = false;
  let refusing = false;
  const begin = (port: number): Server => {
    const begun = Deno.serve({
      hostname: address.host,
      port,
      onListen: () => undefined,
      async handler(request, { completed, remoteAddr }) {
        if (refusing) return refusal(request, head);
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
    // what is still open after that ends with the process: Deno cannot break off a shutdown once begun
    async stop() {
      stopping = true;
      await new Promise((resolve) => setTimeout(resolve, LINGER_MS));
      refusing = true;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, GRACE_MS);
      });
      // not shutdown() at once: it takes the rest of their bodies from requests that are still being read
      await Promise.race([Promise.all(underWay).then(() => server.shutdown()), late]);
      clearTimeout(timer);
    },
  };
}

/** For those who come while the last requests are finished. */
function refusal(request: Request, head: Head): Response {
  const problem = new Problem("unavailable", "The service is stopping");
  return Response.json(problem.toJson(new URL(request.url).pathname), {
    status: problem.status,
    headers: {
      ...head,
      "Content-Type": "application/problem+json",
      "Cache-Control": "no-store",
      "Retry-After": "5",
      Connection: "close",
    },
  });
}
