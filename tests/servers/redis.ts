/** A Redis server for a whole run of the tests. */
import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../runtimes/started.ts";
import { begin } from "../support/programs/processes.ts";

export function isRedisInstalled(): boolean {
  try {
    execFileSync("redis-server", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

export async function openRedis(): Promise<{ url: string; close(): Promise<void> }> {
  const directory = mkdtempSync(join(tmpdir(), "svc-redis-"));
  const port = await freePort();
  const options = ["--bind", "127.0.0.1", "--port", port, "--dir", directory, "--save", ""];
  const server = begin(["redis-server", ...options], { PATH: process.env.PATH }, directory);
  await server.said(/Ready to accept connections/i);
  return {
    url: `redis://127.0.0.1:${port}`,
    async close() {
      await server.kill("SIGKILL");
      await rm(directory, { recursive: true, force: true });
    },
  };
}
