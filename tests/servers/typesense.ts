/** A Typesense server for a test, which may kill it, start it again, and take its data away. */
import { mkdtempSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { freePort } from "../runtimes/started.ts";
import { begin, type Program } from "../support/programs/processes.ts";

export type OwnTypesense = {
  url: string;
  /** Allows everything. */
  apiKey: string;
  /** Starts it with the data that it had, perhaps with another key, and waits until it is healthy. */
  start(key?: string): Promise<void>;
  kill(): Promise<void>;
  /** While it does not run. */
  loseData(): Promise<void>;
  close(): Promise<void>;
};

export async function openTypesense(path: string): Promise<OwnTypesense> {
  const directory = mkdtempSync(join(tmpdir(), "svc-typesense-"));
  const data = join(directory, "data");
  const [apiKey, port, peering] = [crypto.randomUUID(), await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const api = [`--data-dir=${data}`, "--api-address=127.0.0.1", `--api-port=${port}`];
  const options = [...api, "--peering-address=127.0.0.1", `--peering-port=${peering}`];
  let server: Program | undefined;
  const kill = async () => server?.kill("SIGKILL");
  const isHealthy = () =>
    fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  const start = async (key = apiKey) => {
    await mkdir(data, { recursive: true });
    server = begin([path, ...options, `--api-key=${key}`], {}, directory);
    while (!(await isHealthy())) {
      if (server.child.exitCode !== null) throw new Error(`Typesense ended:\n${server.lines.join("\n")}`);
      await setTimeout(20);
    }
  };
  await start();
  return {
    url,
    apiKey,
    start,
    kill,
    loseData: () => rm(data, { recursive: true }),
    async close() {
      await kill();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
