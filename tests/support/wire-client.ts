/** A client of the embedded database's socket that can break the protocol. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { BACKEND, message, messageEnd, startupMessage } from "../../src/adapters/database/wire.ts";

export type Answer = { type: string; body: Buffer };

export type WireClient = {
  socket: Socket;
  send(bytes: Buffer): void;
  /** The answers until the next "ready", or until the connection ends. */
  answers(): Promise<Answer[]>;
  /** Everything that has arrived and was not read yet. */
  received(): Buffer;
};

/** Connects to the socket of a data directory without sending anything. */
export async function knockAt(dataDir: string): Promise<WireClient> {
  const socket = connect(join(dataDir, ".s.PGSQL.5432"));
  socket.on("error", () => {});
  await once(socket, "connect");
  let received: Buffer = Buffer.alloc(0);
  let ended = false;
  let wake = () => {};
  socket.on("data", (piece: Buffer) => {
    received = Buffer.concat([received, piece]);
    wake();
  });
  socket.on("close", () => {
    ended = true;
    wake();
  });
  return {
    socket,
    send: (bytes) => void socket.write(bytes),
    received: () => received,
    async answers() {
      const answers: Answer[] = [];
      for (;;) {
        while (received.length >= 5 && messageEnd(received, 0) <= received.length) {
          const end = messageEnd(received, 0);
          const type = received[0] as number;
          answers.push({ type: String.fromCharCode(type), body: received.subarray(5, end) });
          received = received.subarray(end);
          if (type === BACKEND.readyForQuery) return answers;
        }
        if (ended) return answers;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

/** A client that has been accepted. */
export async function enter(dataDir: string): Promise<WireClient> {
  const client = await knockAt(dataDir);
  client.send(startupMessage({ user: "postgres", database: "postgres" }));
  await client.answers();
  return client;
}

/** Any message, well-formed or not. */
export function rawMessage(type: string, body: string | Buffer = ""): Buffer {
  return message(type.charCodeAt(0), Buffer.from(body));
}

/** The text of the error among these answers. */
export function errorOf(answers: readonly Answer[]): string {
  return answers.find((answer) => answer.type === "E")?.body.toString() ?? "";
}
