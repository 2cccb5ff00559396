/** Divides the files and connections that this process may have open (`ulimit -n`) between the database and HTTP. */
import { readFileSync } from "node:fs";

/** Each connection takes memory, too. */
const MOST_CONNECTIONS = 10_000;
/** The range that PostgreSQL accepts by default. */
const [FEWEST_FILES, MOST_FILES] = [64, 1_000];

export type Shares = {
  /** Files of the embedded database. */
  files: number;
  /** Connections of HTTP clients, and of one address among them. */
  connections: number;
  connectionsEach: number;
};

/**
 * Two fifths for files, and two fifths for connections. The rest is for backups, uploads, the socket for commands and other
 * servers. An address gets a quarter of the connections: enough for an office or a class that shares it, since a browser opens six.
 */
export function sharesOf(limit: number): Shares {
  const share = Math.floor(limit * 0.4);
  const connections = Math.min(MOST_CONNECTIONS, share);
  return {
    files: Math.max(FEWEST_FILES, Math.min(MOST_FILES, share)),
    connections,
    connectionsEach: Math.ceil(connections / 4),
  };
}

/** The shares of this process. Only Linux shows the limit; Node and Deno have raised it as far as allowed when they started. */
export function ownShares(): Shares {
  let limits = "";
  try {
    limits = readFileSync("/proc/self/limits", "latin1");
  } catch {
    // not Linux
  }
  const [, limit] = /^Max open files +(\d+)/m.exec(limits) ?? [];
  return sharesOf(limit ? Number(limit) : Number.POSITIVE_INFINITY);
}
