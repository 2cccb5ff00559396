/** How many files and connections this process may have open at once (`ulimit -n`), and who may have how many of them. */
import { readFileSync } from "node:fs";

/** More is not protection: each takes memory too. */
const MOST_CONNECTIONS = 10_000;
/** PostgreSQL takes neither fewer nor, unless it is told to, more. */
const [FEWEST_FILES, MOST_FILES] = [64, 1_000];

export type Shares = {
  /** Of the embedded database. */
  files: number;
  /** Of those who ask over HTTP. */
  connections: number;
};

/** Two fifths for each; the rest is for everything else: backups, uploads, the socket for commands, other servers. */
export function sharesOf(limit: number): Shares {
  const share = Math.floor(limit * 0.4);
  return {
    files: Math.max(FEWEST_FILES, Math.min(MOST_FILES, share)),
    connections: Math.min(MOST_CONNECTIONS, share),
  };
}

/** Node and Deno raise their limit when they start, as far as they may. Linux alone tells it; others have no low one. */
export function ownShares(): Shares {
  let told = "";
  try {
    told = readFileSync("/proc/self/limits", "latin1");
  } catch {
    // not Linux
  }
  const [, limit] = /^Max open files +(\d+)/m.exec(told) ?? [];
  return sharesOf(limit ? Number(limit) : Number.POSITIVE_INFINITY);
}
