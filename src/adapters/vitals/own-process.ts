/** Memory and CPU time of this process, on Node, Deno and Bun. */
import process from "node:process";
import type { ProcessFigures } from "../../services.ts";

export function ownProcess(): ProcessFigures {
  const startedAt = Date.now() / 1000 - process.uptime();
  return {
    read() {
      const { rss, heapUsed } = process.memoryUsage();
      const { user, system } = process.cpuUsage();
      return { residentBytes: rss, heapBytes: heapUsed, cpuSeconds: (user + system) / 1e6, startedAt };
    },
  };
}
