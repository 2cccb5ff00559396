/** Upstash's REST protocol in front of a real Redis: `POST /` with one command and a bearer token, as the client sends it. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { connect, type Socket } from "node:net";

export const redisUrl = (): string => process.env.TEST_REDIS_URL ?? "redis://127.0.0.1:6379";

/** For the list of skipped tests. */
export const REDIS_MISSING = "Redis (install redis-server, or set TEST_REDIS_URL)";

export type RedisRest = {
  url: string;
  token: string;
  /** How many commands reached Redis. */
  commands: number;
  /** How many commands were sent, whether they reached Redis or not. */
  asked: number;
  /** While true, nothing is answered. */
  silent: boolean;
  /** Milliseconds until an answer. */
  delayMs: number;
  close(): Promise<void>;
};

export async function isRedisThere(): Promise<boolean> {
  return redis(["PING"]).then(
    (answer) => answer === "PONG",
    () => false,
  );
}

/**
 * `server`: the Redis behind it, for example through a cable that can be cut. `prefix`: of its keys, so that no other
 * test counts the same things.
 */
export async function openRedisRest(server: string = redisUrl(), prefix = ""): Promise<RedisRest> {
  const token = crypto.randomUUID();
  const line = redisLine(server);
  const front: RedisRest = {
    url: "",
    token,
    commands: 0,
    asked: 0,
    silent: false,
    delayMs: 0,
    async close() {
      listener.closeAllConnections();
      await new Promise((resolve) => listener.close(resolve));
      line.hangUp();
    },
  };
  const listener = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    front.asked++;
    if (front.silent) return;
    if (front.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, front.delayMs));
    const answer = (status: number, body: unknown) =>
      response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
    if (request.headers.authorization !== `Bearer ${token}`) {
      return answer(401, { error: "WRONGPASS invalid or missing auth token" });
    }
    if (request.method !== "POST" || request.url !== "/") return answer(404, { error: "no such endpoint" });
    front.commands++;
    try {
      const words: unknown[] = JSON.parse(Buffer.concat(pieces).toString());
      const own = words.map((word) => (String(word).startsWith("svc:limit:") ? `${prefix}${word}` : word));
      answer(200, { result: await line.ask(own) });
    } catch (error) {
      answer(400, { error: (error as Error).message });
    }
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  front.url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  return front;
}

/** One command on a separate connection. */
export async function redis(command: readonly unknown[]): Promise<unknown> {
  const line = redisLine(redisUrl());
  try {
    return await line.ask(command);
  } finally {
    line.hangUp();
  }
}

type Line = { ask(command: readonly unknown[]): Promise<unknown>; hangUp(): void };
type Waiting = { resolve(value: unknown): void; reject(error: Error): void };

/** A connection (RESP 2), opened with the first command, and again with the next command after it broke. */
function redisLine(server: string): Line {
  const { hostname, port, password } = new URL(server);
  let line: { socket: Socket; waiting: Waiting[] } | undefined;

  function dial() {
    const socket = connect({ host: hostname, port: Number(port || 6379) });
    const dialled = { socket, waiting: [] as Waiting[] };
    const fail = (error: Error) => {
      if (line === dialled) line = undefined;
      socket.destroy();
      for (const { reject } of dialled.waiting.splice(0)) reject(error);
    };
    socket.setTimeout(3_000, () => dialled.waiting.length > 0 && fail(new Error("Redis does not answer")));
    socket.on("error", fail).on("close", () => fail(new Error("Redis hung up")));
    let received = "";
    socket.setEncoding("latin1").on("data", (piece) => {
      received += piece;
      let at = 0;
      for (let found = readResp(received, at); found; found = readResp(received, at)) {
        at = found.end;
        const { resolve, reject } = dialled.waiting.shift()!;
        if (found.value instanceof Error) reject(found.value);
        else resolve(found.value);
      }
      received = received.slice(at);
    });
    return dialled;
  }

  const send = (command: readonly unknown[]) =>
    new Promise<unknown>((resolve, reject) => {
      line!.waiting.push({ resolve, reject });
      line!.socket.write(asResp(command), "latin1");
    });

  return {
    ask(command) {
      if (line === undefined) {
        line = dial();
        if (password) send(["AUTH", decodeURIComponent(password)]).catch(() => undefined);
      }
      return send(command);
    },
    hangUp: () => void line?.socket.destroy(),
  };
}

function asResp(command: readonly unknown[]): string {
  // one character per byte
  const words = command.map((word) => Buffer.from(String(word)).toString("latin1"));
  return `*${words.length}\r\n${words.map((word) => `$${word.length}\r\n${word}\r\n`).join("")}`;
}

/** Reads one answer from its first character; undefined while it is incomplete. Texts are ASCII here. */
function readResp(text: string, at: number): { value: unknown; end: number } | undefined {
  const stop = text.indexOf("\r\n", at);
  if (stop === -1) return undefined;
  const line = text.slice(at + 1, stop);
  let end = stop + 2;
  switch (text[at]) {
    case "+":
      return { value: line, end };
    case "-":
      return { value: new Error(line), end };
    case ":":
      return { value: Number(line), end };
    case "$": {
      if (line === "-1") return { value: null, end };
      const length = Number(line);
      if (text.length < end + length + 2) return undefined;
      return { value: text.slice(end, end + length), end: end + length + 2 };
    }
    default: {
      const items: unknown[] = [];
      for (let n = 0; n < Number(line); n++) {
        const item = readResp(text, end);
        if (!item) return undefined;
        items.push(item.value);
        end = item.end;
      }
      return { value: items, end };
    }
  }
}
