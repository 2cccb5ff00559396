/** `fetch` over a socket, with Node's client, which Deno and Bun have too. Bodies are streamed in both directions at once. */
import { request as begin, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/**
 * Answers one request over a connection of its own. An answer that breaks off is an error of its body. When the signal is
 * aborted, or the body of the answer is cancelled, the connection ends.
 */
export type Ask = (request: Request, signal?: AbortSignal) => Promise<Response>;

export function askThrough(connect: () => Promise<Socket>): Ask {
  return async (request, signal) => {
    const socket = await connect();
    const { pathname, search } = new URL(request.url);
    const sent = begin({
      createConnection: () => socket,
      method: request.method,
      path: `${pathname}${search}`,
      // after "close", Bun's server ends the connection with its answer, which a client that still sends then loses
      headers: { ...Object.fromEntries(request.headers), connection: "keep-alive" },
      signal,
    });
    const answer = new Promise<Response>((resolve, reject) => {
      sent.once("response", (incoming) => {
        // what the answer does not need is not sent
        incoming.once("close", () => {
          sent.destroy();
          // a request that was sent whole has let go of it
          socket.destroy();
        });
        resolve(responseOf(request.method, incoming));
      });
      sent.on("error", reject);
      if (!request.body) return sent.end();
      const body = Readable.fromWeb(request.body as never);
      // why the body cannot be read is the reason, not that the connection then ended
      body.once("error", reject);
      pipeline(body, sent).catch(reject);
    });
    return answer;
  };
}

const WITHOUT_BODY = [204, 205, 304];

function responseOf(method: string, incoming: IncomingMessage): Response {
  const { statusCode = 0, headersDistinct } = incoming;
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct))
    for (const value of values) headers.append(name, value);
  if (method !== "HEAD" && !WITHOUT_BODY.includes(statusCode))
    return new Response(Readable.toWeb(incoming) as ReadableStream<Uint8Array>, {
      status: statusCode,
      headers,
    });
  incoming.resume();
  return new Response(null, { status: statusCode, headers });
}
