/**
 * A proxy that asks several services in turn, with the rules of nginx. It keeps connections. A request that cannot be
 * delivered goes to the next service, and so does a GET without an answer. A writing request is never sent twice.
 */
import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

export type TurnsProxy = {
  url: string;
  /** The number of answers of each service, by port. */
  answers: Map<string, number>;
  close(): Promise<void>;
};

export async function openTurnsProxy(ports: readonly string[]): Promise<TurnsProxy> {
  const agent = new Agent({ keepAlive: true });
  const answers = new Map<string, number>();
  let turn = 0;

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    const first = turn++;
    const failures: string[] = [];
    for (let tries = 0; tries < ports.length; tries++) {
      const port = ports[(first + tries) % ports.length]!;
      try {
        const answer = await ask(port, incoming, body);
        answers.set(port, (answers.get(port) ?? 0) + 1);
        outgoing.writeHead(answer.statusCode!, headersOf(answer));
        answer.on("error", () => outgoing.destroy()).pipe(outgoing);
        return;
      } catch (error) {
        const { syscall, message } = error as NodeJS.ErrnoException;
        failures.push(`${port}: ${message}`);
        if (incoming.method !== "GET" && syscall !== "connect") break;
      }
    }
    outgoing.writeHead(502).end(failures.join("; "));
  }

  function ask(
    port: string,
    { method, url, headers }: IncomingMessage,
    body: Buffer,
  ): Promise<IncomingMessage> {
    const passed = { ...headers, connection: "keep-alive" };
    return new Promise((resolve, reject) => {
      request({ agent, port, method, path: url, headers: passed })
        .once("response", resolve)
        .on("error", reject)
        .end(body);
    });
  }

  const listener = createServer((incoming, outgoing) => {
    pass(incoming, outgoing).catch(() => outgoing.destroy());
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    answers,
    async close() {
      listener.closeAllConnections();
      await new Promise((resolve) => listener.close(resolve));
      agent.destroy();
    },
  };
}

/** Headers about a single connection are not passed on. */
function headersOf({ headers }: IncomingMessage) {
  const { connection: _connection, "keep-alive": _kept, ...rest } = headers;
  return rest;
}
