/** How long the real program takes until its first answer, and its memory then and after some work. */
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { GENEROUS_LIMITS } from "../support/generous-limits.ts";
import { type Ground, pace } from "./ground.ts";

const MAIN = fileURLToPath(new URL("../../cli/svc-manage.mjs", import.meta.url));

/** `idle`, `busy`: megabytes resident at the first answer and after a few hundred searches and reads. */
type Started = { seconds: number; idle: number; busy: number };

const QUERIES = ["q=woman", "q=street+girl", "q=por*", "page=40", "q=school&page=3", "q=family"];

async function visit(base: string): Promise<void> {
  for (let round = 0; round < 60; round++) {
    const query = QUERIES[round % QUERIES.length]!;
    const found = await fetch(`${base}/v1/search?${query}&facets=material,date&page_size=20`);
    const { items } = (await found.json()) as { items: { id: string; record_type: string }[] };
    const objects = items.filter((item) => item.record_type === "object").slice(0, 4);
    await Promise.all(objects.map(async ({ id }) => (await fetch(`${base}/v1/objects/${id}`)).text()));
  }
}

async function once(dataDir: string, port: number, databaseUrl?: string | null): Promise<Started> {
  const begun = performance.now();
  const service = spawn(process.execPath, [MAIN, "serve"], {
    env: {
      ...process.env,
      ...GENEROUS_LIMITS,
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
    const idle = await resident(service.pid);
    await visit(`http://127.0.0.1:${port}`);
    return { seconds, idle, busy: await resident(service.pid) };
  } finally {
    const ended = new Promise((resolve) => service.once("exit", resolve));
    service.kill("SIGTERM");
    await ended;
  }
}

async function resident(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1000);
}

export async function benchStart(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "svc-start-"));
  try {
    const empty = await once(dataDir, 18_371);
    const warm = await once(dataDir, 18_372);
    console.log(
      `start to first answer, embedded: empty directory ${empty.seconds.toFixed(1)} s (target 6), again ` +
        `${warm.seconds.toFixed(1)} s (target 2), ${warm.idle} MB resident (pace ${pace().toFixed(0)} ms)`,
    );
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** The service on the catalogue that an import left, which no other process has open. */
export async function benchServing({ where, dataDir, databaseUrl }: Ground): Promise<void> {
  const { seconds, idle, busy } = await once(dataDir, 18_373, databaseUrl);
  console.log(
    `serving the imported records, ${where}: first answer after ${seconds.toFixed(1)} s, ${idle} MB resident, ${busy} MB after 60 ` +
      `searches and 240 reads (target ${where === "embedded" ? 600 : 256})`,
  );
}
