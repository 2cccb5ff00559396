/** What `node.ts`, `deno.ts` and `bun.ts` have in common: the same promise on three runtimes. */

import type { Network } from "../config/networks.ts";
import { type Said, said } from "../messages/said.ts";
import { Refusal } from "../refusal.ts";

/** `remote`: the address of the other end of the connection. */
export type App = { fetch(request: Request, env?: { remote?: string }): Response | Promise<Response> };
/** Headers of answers that are made here, without the app: what every answer of the app says, too. */
export type Head = Readonly<Record<string, string>>;
/**
 * Port 0 means any free one. `connections`: how many may be open. `each`: how many of these one address (an IPv6 /64) may
 * have, unless it is a proxy. More are cut off. Only Node's server can count them.
 */
export type Address = {
  host: string;
  port: number;
  connections?: number;
  each?: { connections: number; proxies: readonly Network[]; warn(sentence: string): void };
};
export type Listening = {
  /** The port that was really given. */
  port: number;
  /** Takes no new requests, lets those under way finish for up to `GRACE_MS`, then closes every connection. */
  stop(): Promise<void>;
};

/** Shorter than the ten seconds after which `docker stop` kills. */
export const GRACE_MS = 8_000;

/**
 * Milliseconds in which a service that stops closes no connection by itself: one that is kept may bring a request at this very
 * moment. Each answer says meanwhile that its connection will be closed.
 */
export const LINGER_MS = 200;

/** Milliseconds; a turn of the event loop that waits for one, and in which nobody works. */
const QUICK_TURN_MS = 3;
const MOST_TURNS = 100;

/** Until a turn of the event loop was quick: then nobody who has connected waits, to be broken off when it no longer listens. */
export async function quickTurn(): Promise<void> {
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    const begun = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 1));
    if (performance.now() - begun < QUICK_TURN_MS) return;
  }
}

const REASONS: Record<string, Said> = {
  EADDRINUSE: said("cli.listen.in_use"),
  EADDRNOTAVAIL: said("cli.listen.no_address"),
  ENOTFOUND: said("cli.listen.unknown_host"),
  EACCES: said("cli.listen.denied"),
};

/** Deno names its errors by class. */
const CODES: Record<string, string> = {
  AddrInUse: "EADDRINUSE",
  AddrNotAvailable: "EADDRNOTAVAIL",
  PermissionDenied: "EACCES",
};

/** The error of a start that failed, as one sentence for whoever started it. */
export function cannotListen(error: unknown, { host, port }: Address): Refusal {
  const { name, code, message } = error as { name?: string; code?: string; message?: string };
  const reason = REASONS[CODES[name ?? ""] ?? code ?? ""] ?? message ?? String(error);
  const shown = host.includes(":") ? `[${host}]` : host;
  return new Refusal(said("cli.listen.failed", { address: `${shown}:${port}`, reason }), 1, { cause: error });
}
