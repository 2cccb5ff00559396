/** A triple store of a test's own, which may be killed and started again. See oxigraph.ts and fuseki.ts. */
import { mkdtempSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { graphServer } from "../../src/adapters/graph/server.ts";
import { freePort } from "../runtimes/started.ts";
import { begin, type Program } from "../support/programs/processes.ts";

/** `timeoutSeconds`: of queries, by the server itself. */
export type StoreLimits = { timeoutSeconds: number };

/** As docs/operations.md has it. */
export const USUAL_LIMITS: StoreLimits = { timeoutSeconds: 90 };

export type TripleStore = {
  /** For TRIPLESTORE_URL; it stays the same after another start. */
  url: string;
  /** Starts it again after `kill`, on the same port. */
  start(): Promise<void>;
  /** Ends it at once; its data stay. */
  kill(): Promise<void>;
  /** Removes its data, while it is not running. */
  loseData(): Promise<void>;
  /** Of its process. */
  pid(): number;
  close(): Promise<void>;
};

/**
 * @param path of the dataset, below the server's address
 * @param command starts it on this port with its data in this directory
 */
export async function openTripleStore(
  path: string,
  command: (port: string, data: string) => readonly string[],
): Promise<TripleStore> {
  const directory = mkdtempSync(join(tmpdir(), "svc-triples-"));
  const data = join(directory, "data");
  const port = await freePort();
  const url = `http://127.0.0.1:${port}${path}`;
  let server: Program | undefined;
  const kill = async () => server?.kill("SIGKILL");
  const start = async () => {
    await mkdir(data, { recursive: true });
    server = begin(command(port, data), { PATH: process.env.PATH }, directory);
    await answering(url, server);
  };
  await start();
  return {
    url,
    start,
    kill,
    pid: () => server!.child.pid!,
    loseData: () => rm(data, { recursive: true }),
    async close() {
      await kill();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Fuseki does not say when it is ready. */
async function answering(url: string, server: Program): Promise<void> {
  const graphs = graphServer({ url }, { timeoutSeconds: 5 });
  for (;;) {
    try {
      return await graphs.ping();
    } catch (error) {
      if (server.child.exitCode !== null) throw new Error(server.lines.join("\n"), { cause: error });
    }
    await setTimeout(50);
  }
}
