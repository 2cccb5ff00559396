/** Somebody who reaches a proxy on this machine by its public name, over TLS, from any address of this machine. */
import type { IncomingMessage } from "node:http";
import { Agent, request } from "node:https";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import type { Answer } from "../../runtimes/started.ts";

export type Seen = Answer & { bytes: Buffer };

type Sent = {
  method?: string;
  token?: string;
  headers?: Record<string, string>;
  json?: unknown;
  body?: string | Readable;
};

export type Visitor = {
  ask(path: string, sent?: Sent): Promise<Seen>;
  /** As soon as its headers are there. */
  open(path: string, sent?: Sent): Promise<IncomingMessage>;
  /** Closes its connections. */
  leave(): void;
};

export function visitor({ port, ca, host, from = "127.0.0.1" }: Place): Visitor {
  const agent = new Agent({ ca, servername: host, localAddress: from, keepAlive: true });

  function open(path: string, { method, token, headers, json, body }: Sent = {}): Promise<IncomingMessage> {
    const content = json === undefined ? body : JSON.stringify(json);
    return new Promise((resolve, reject) => {
      const sending = request({
        agent,
        host: "127.0.0.1",
        port,
        path,
        method: method ?? (content === undefined ? "GET" : "POST"),
        headers: {
          Host: host,
          // nginx promises to keep a connection, and closes it when it refuses an upload before its end
          ...(content instanceof Readable ? { Connection: "close" } : {}),
          ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
          ...(json === undefined ? {} : { "Content-Type": "application/json" }),
          ...headers,
        },
      });
      sending.on("response", resolve).on("error", reject);
      // an answer may come before all of the body was sent
      if (content instanceof Readable) pipeline(content, sending).catch(reject);
      else sending.end(content);
    });
  }

  return {
    open,
    async ask(path, sent) {
      const answer = await open(path, sent);
      const bytes = await buffer(answer);
      const text = bytes.toString();
      const headers = new Headers();
      for (let at = 0; at < answer.rawHeaders.length; at += 2)
        headers.append(answer.rawHeaders[at]!, answer.rawHeaders[at + 1]!);
      const isJson = /^application\/(problem\+)?json/.test(headers.get("Content-Type") ?? "");
      const readable = isJson && text !== "" && !headers.has("Content-Encoding");
      return {
        status: answer.statusCode!,
        headers,
        bytes,
        text,
        json: readable ? JSON.parse(text) : undefined,
      };
    },
    leave: () => agent.destroy(),
  };
}

type Place = { port: number; ca: string; host: string; from?: string };
