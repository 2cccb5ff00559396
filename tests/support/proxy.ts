/**
 * A proxy that stands before several services, as nginx does with what docs/deployment.md says: it asks them by turns, over
 * connections that it keeps, and the next one where it finds nobody. What was sent and got no answer is only asked again
 * when that changes nothing (GET); all else is lost, and its client gets a 502.
 */
import { Buffer } from "node:buffer";
import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";

export type Proxy = { url: string; close(): void };

type Service = { port: string; agent: Agent };
type Asked = Pick<IncomingMessage, "method" | "url" | "headers">;

export async function openProxy(ports: readonly string[]): Promise<Proxy> {
  const services = ports.map((port) => ({ port, agent: new Agent({ keepAlive: true }) }));
  let turn = 0;

  async function answerFor(asked: Asked, body: Buffer): Promise<IncomingMessage> {
    const first = turn++;
    for (let tries = 1; ; tries++) {
      const service = services[(first + tries) % services.length]!;
      try {
        return await send(service, asked, body);
      } catch (error) {
        const isRepeatable =
          asked.method === "GET" || (error as NodeJS.ErrnoException).code === "ECONNREFUSED";
        if (!isRepeatable || tries === services.length) throw error;
      }
    }
  }

  const server = createServer(async (asked, answer) => {
    try {
      const body = Buffer.concat(await asked.toArray());
      const given = await answerFor(asked, body);
      const { connection: _, ...headers } = given.headers;
      answer.writeHead(given.statusCode!, headers);
      given.on("error", () => answer.destroy()).pipe(answer);
    } catch (error) {
      answer.writeHead(502).end(String(error));
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      for (const { agent } of services) agent.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
}

function send(
  { port, agent }: Service,
  { method, url: path, headers: { connection: _, "transfer-encoding": __, ...headers } }: Asked,
  body: Buffer = Buffer.alloc(0),
): Promise<IncomingMessage> {
  const length = body.length ? { "content-length": body.length } : {};
  return new Promise((resolve, reject) => {
    const sent = request({
      host: "127.0.0.1",
      port,
      agent,
      method,
      path,
      headers: { ...headers, ...length },
    });
    sent.once("response", resolve).on("error", reject).end(body);
  });
}
