/** Limits the connections of Node's server, so that no address alone can take them all. */
import type { Server } from "node:net";
import { bucketOf, isInNetworks } from "../config/networks.ts";
import type { Address } from "./listening.ts";

/** Milliseconds between two warnings. */
const SILENCE_MS = 60_000;

/** Cuts off new connections while as many as allowed are open. */
export function limitConnections(server: Server, { connections, each }: Address): void {
  if (connections !== undefined) server.maxConnections = connections;
  if (each === undefined) return;
  const open = new Map<string, number>();
  let warned = Number.NEGATIVE_INFINITY;
  server.prependListener("connection", (socket) => {
    const address = socket.remoteAddress ?? "";
    if (isInNetworks(address, each.proxies)) return;
    const who = bucketOf(address);
    const count = open.get(who) ?? 0;
    if (count >= each.connections) {
      socket.destroy();
      if (performance.now() - warned < SILENCE_MS) return;
      warned = performance.now();
      each.warn(
        `${address} has ${count} connections, more are cut off; if this is your proxy, name it in TRUSTED_PROXIES`,
      );
      return;
    }
    open.set(who, count + 1);
    socket.once("close", () => {
      const left = open.get(who)! - 1;
      if (left > 0) open.set(who, left);
      else open.delete(who);
    });
  });
}
