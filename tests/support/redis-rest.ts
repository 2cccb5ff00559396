/** Upstash's REST protocol before a real Redis: `POST /` with one command, as the client sends it, and a bearer token. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";

export const REDIS: string = process.env.TEST_REDIS_URL ?? "redis://127.0.0.1:6379";

/** For the list of what was not tried. */
export const REDIS_MISSING: string = `Redis at ${new URL(REDIS).host} (set TEST_REDIS_URL)`;

export type RedisRest = {
  url: string;
  token: string;
  /** How many commands came through. */
  commands: number;
  /** While set, nothing is answered. */
  silent: boolean;
  close(): Promise<void>;
};

export async function isRedisThere(): Promise<boolean> {
  return redis(["PING"]).then(
    (answer) => answer === "PONG",
    () => false,
  );
}

export async function openRedisRest(): Promise<RedisRest> {
  const token = crypto.randomUUID();
  const front: RedisRest = {
    url: "",
    token,
    commands: 0,
    silent: false,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    if (front.silent) return;
    const answer = (status: number, body: unknown) =>
      response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
    if (request.headers.authorization !== `Bearer ${token}`) {
      return answer(401, { error: "WRONGPASS invalid or missing auth token" });
    }
    if (request.method !== "POST" || request.url !== "/") return answer(404, { error: "no such endpoint" });
    front.commands++;
    try {
      answer(200, { result: await redis(JSON.parse(Buffer.concat(pieces).toString())) });
    } catch (error) {
      answer(400, { error: (error as Error).message });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  front.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return front;
}

/** One command on a connection of its own (RESP 2). */
export async function redis(command: readonly unknown[]): Promise<unknown> {
  const { hostname, port, password } = new URL(REDIS);
  const socket = connect({ host: hostname, port: Number(port || 6379) });
  try {
    const commands = password ? [["AUTH", decodeURIComponent(password)], command] : [command];
    socket.setTimeout(3_000, () => socket.destroy(new Error("Redis does not answer")));
    socket.write(commands.map(asResp).join(""));
    let received = "";
    for await (const piece of socket) {
      received += (piece as Buffer).toString();
      const answers = [];
      let at = 0;
      while (answers.length < commands.length) {
        const found = readResp(received, at);
        if (!found) break;
        answers.push(found.value);
        at = found.end;
      }
      if (answers.length < commands.length) continue;
      const last = answers.at(-1);
      if (last instanceof Error) throw last;
      return last;
    }
    throw new Error("Redis hung up");
  } finally {
    socket.destroy();
  }
}

function asResp(command: readonly unknown[]): string {
  const words = command.map(String).map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`);
  return `*${words.length}\r\n${words.join("")}`;
}

/** One answer from its first character; undefined while it is not whole. Texts are ASCII here. */
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
