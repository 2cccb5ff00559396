/** A TCP proxy between a service and its database server. It can cut connections, be slow, or go silent. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout } from "node:timers/promises";

export type Cable = {
  /** The address of the server through this proxy. */
  url: string;
  /** Ends all connections and refuses new ones, like a server that has stopped. */
  cut(): void;
  /** Accepts connections again. */
  mend(): void;
  /** Passes nothing on but closes nothing, like a network with a broken router; new connections hang. */
  silence(): void;
  /** From now on, everything that is sent is delayed by so many milliseconds. */
  slow(ms: number): void;
  /** Ends the silenced connections, as a firewall may after minutes. */
  hangUp(): void;
  connections(): number;
  close(): Promise<void>;
};

/** @param server a postgres:// address */
export async function layCable(server: string): Promise<Cable> {
  const target = new URL(server);
  const sockets = new Set<Socket>();
  /** A connection that has lost bytes stays dead. */
  const silenced = new WeakSet<Socket>();
  let state: "well" | "cut" | "silent" = "well";
  let delay = 0;
  const passOn = (near: Socket, from: Socket, to: Socket) => {
    let last = Promise.resolve();
    from.on("data", (bytes) => {
      // in order, also when the delay changes
      last = last.then(async () => {
        if (delay > 0) await setTimeout(delay);
        if (!silenced.has(near)) to.write(bytes);
      });
    });
  };
  const listener = createServer((near) => {
    if (state === "cut") {
      near.destroy();
      return;
    }
    sockets.add(near);
    near.on("error", () => near.destroy());
    near.on("close", () => sockets.delete(near));
    if (state === "silent") {
      silenced.add(near);
      return;
    }
    const far = connect(Number(target.port || 5432), target.hostname);
    sockets.add(far);
    far.on("error", () => near.destroy());
    far.on("close", () => {
      sockets.delete(far);
      if (!silenced.has(near)) near.destroy();
    });
    near.on("close", () => far.destroy());
    passOn(near, near, far);
    passOn(near, far, near);
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address() as AddressInfo;
  const url = new URL(server);
  url.hostname = "127.0.0.1";
  url.port = String(port);
  const endAll = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    url: url.href,
    cut() {
      state = "cut";
      endAll();
    },
    mend() {
      state = "well";
    },
    silence() {
      state = "silent";
      for (const socket of sockets) silenced.add(socket);
    },
    slow(ms) {
      delay = ms;
    },
    hangUp() {
      for (const socket of sockets) if (silenced.has(socket)) socket.resetAndDestroy();
    },
    connections: () => sockets.size,
    async close() {
      listener.close();
      endAll();
      await once(listener, "close");
    },
  };
}
