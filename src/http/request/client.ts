/** The client's address, as far as it can be trusted. */
import type { MiddlewareHandler } from "hono";
import { isInNetworks, type Network, parseAddress } from "../../config/networks.ts";
import type { Env } from "../endpoint.ts";

/** The most addresses of an X-Forwarded-For that are read. */
const MOST_HOPS = 20;

/** Sets `client`: the address of the connection, or the one that a trusted proxy reports; empty if unknown. */
export function clientAddress(trusted: readonly Network[]): MiddlewareHandler<Env> {
  return (c, next) => {
    const remote = c.env?.remote ?? "";
    const forwarded = trusted.length === 0 ? undefined : c.req.header("X-Forwarded-For");
    c.set("client", forwarded === undefined ? remote : farthestKnown(remote, forwarded, trusted));
    return next();
  };
}

/**
 * Every proxy appends the address that it saw. Read from the end, the first address that is not a trusted proxy is the client.
 * The client may have written everything before it.
 */
function farthestKnown(remote: string, forwarded: string, trusted: readonly Network[]): string {
  let client = remote;
  const hops = forwarded.split(",").slice(-MOST_HOPS);
  for (let hop = hops.pop(); hop !== undefined && isInNetworks(client, trusted); hop = hops.pop()) {
    const address = withoutPort(hop.trim());
    if (parseAddress(address) === null) break;
    client = address;
  }
  return client;
}

/** Some proxies write `192.0.2.1:4711` or `[2001:db8::1]:4711`. */
function withoutPort(text: string): string {
  return /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d[\d.]*):\d+$/.exec(text)?.[1] ?? text;
}
