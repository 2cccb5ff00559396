/** How long the real program takes to its first answer, on an empty directory and again, and what it then holds. */
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pace } from "./ground.ts";

const MAIN = fileURLToPath(new URL("../../cli/svc-manage.mjs", import.meta.url));

type Started = { seconds: number; megabytes: number };

async function once(dataDir: string, port: number, databaseUrl?: string): Promise<Started> {
  const begun = performance.now();
  const service = spawn(process.execPath, [MAIN, "serve"], {
    env: {
      ...process.env,
      SVC_DATA_DIR: dataDir,
      HOST: "127.0.0.1",
      PORT: String(port),
      DATABASE_URL: databaseUrl ?? "",
      LOG_LEVEL: "error",
    },
    stdio: "ignore",
  });
  try {
    for (;;) {
      const answer = await fetch(`http://127.0.0.1:${port}/health`).catch(() => null);
      if (answer?.status === 200) break;
      if (performance.now() - begun > 60_000) throw new Error("no answer within a minute");
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const seconds = (performance.now() - begun) / 1000;
    const status = await readFile(`/proc/${service.pid}/status`, "utf8").catch(() => "");
    return {
      seconds,
      megabytes: Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1000),
    };
  } finally {
    const ended = new Promise((resolve) => service.once("exit", resolve));
    service.kill("SIGTERM");
    await ended;
  }
}

export async function benchStart(full?: { dataDir: string }): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "svc-start-"));
  try {
    const empty = await once(dataDir, 18_371);
    const warm = await once(dataDir, 18_372);
    console.log(
      `start to first answer, embedded: empty directory ${empty.seconds.toFixed(1)} s (target 6), again ${warm.seconds.toFixed(1)} s ` +
        `(target 2), ${warm.megabytes} MB resident (pace ${pace().toFixed(0)} ms)`,
    );
    if (full) {
      const loaded = await once(full.dataDir, 18_373);
      console.log(
        `  with 59,000 records: ${loaded.seconds.toFixed(1)} s, ${loaded.megabytes} MB resident (target 600)`,
      );
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
