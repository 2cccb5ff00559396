/**
 * Thirty times kill -9 during writes over HTTP (and imports in every third round): counts acknowledged and lost
 * writes, and how long the service takes to come back. On the embedded database.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { GENEROUS_LIMITS } from "../support/generous-limits.ts";
import { records, spread } from "./ground.ts";

const MAIN = fileURLToPath(new URL("../../cli/svc-manage.mjs", import.meta.url));
const MAPPING = fileURLToPath(new URL("../../docs/examples/teenie/teenie.mapping.json", import.meta.url));
const PORT = 18_390;
const BASE = `http://127.0.0.1:${PORT}`;
const PASSWORD = "thirty times and more";

export async function benchKill(rounds = 30): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "svc-kill-"));
  const env = {
    ...process.env,
    ...GENEROUS_LIMITS,
    SVC_DATA_DIR: dataDir,
    DATABASE_URL: "",
    PORT: String(PORT),
    HOST: "127.0.0.1",
    LOG_LEVEL: "error",
    DEFAULT_ADMIN_PASSWORD: PASSWORD,
  };
  const set = await records();
  const acknowledged = new Map<string, number>();
  const starts: number[] = [];
  let lost = 0;
  try {
    for (let round = 1; round <= rounds; round++) {
      const { service, seconds } = await startService(env);
      starts.push(seconds * 1000);
      const token = await signIn();
      lost += await countLost(acknowledged, token);
      const command = [
        "import-csv",
        set.path,
        "--type",
        "object",
        "--mapping",
        MAPPING,
        "--rejects",
        join(dataDir, "r.csv"),
      ];
      const importing =
        set.real && round % 3 === 0
          ? spawn(process.execPath, [MAIN, ...command], { env, stdio: "ignore" })
          : null;
      const writing = writeUntilDead(token, round, acknowledged);
      await new Promise((resolve) => setTimeout(resolve, 500 + Math.random() * 2_500));
      const gone = once(service, "exit");
      service.kill("SIGKILL");
      await gone;
      await writing;
      if (importing) await once(importing, "exit");
    }
    const { service } = await startService(env);
    const token = await signIn();
    lost += await countLost(acknowledged, token);
    const gone = once(service, "exit");
    service.kill("SIGTERM");
    await gone;
    const { p50, max } = spread(starts);
    console.log(
      `kill -9, ${rounds} rounds, embedded: ${acknowledged.size} records acknowledged, ${lost} lost; ` +
        `there again after ${(p50 / 1000).toFixed(1)} s (most ${(max / 1000).toFixed(1)} s)`,
    );
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function startService(env: NodeJS.ProcessEnv): Promise<{ service: ChildProcess; seconds: number }> {
  const begun = performance.now();
  const service = spawn(process.execPath, [MAIN, "serve"], { env, stdio: "ignore" });
  for (;;) {
    const answer = await fetch(`${BASE}/health`).catch(() => null);
    if (answer?.status === 200) return { service, seconds: (performance.now() - begun) / 1000 };
    if (service.exitCode !== null) throw new Error(`the service ended with ${service.exitCode}`);
    if (performance.now() - begun > 60_000) throw new Error("the service did not come back within a minute");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function signIn(): Promise<string> {
  const body = JSON.stringify({ email: "admin@example.org", password: PASSWORD });
  const answer = await fetch(`${BASE}/v1/auth/login`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body,
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}

/** Creates and changes records until the connection breaks; notes acknowledged writes. */
async function writeUntilDead(
  token: string,
  round: number,
  acknowledged: Map<string, number>,
): Promise<void> {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  for (let n = 0; ; n++) {
    try {
      const body = JSON.stringify({ metadata_: { title: [{ value: `Round ${round}, number ${n}` }] } });
      const made = await fetch(`${BASE}/v1/objects`, { method: "POST", headers, body });
      if (made.status !== 201) throw new Error(await made.text());
      const { id } = (await made.json()) as { id: string };
      acknowledged.set(id, 1);
      const changed = await fetch(`${BASE}/v1/objects/${id}`, {
        method: "PATCH",
        headers,
        body: JSON.stringify({ metadata_: { date: [{ value: "1887" }] } }),
      });
      if (changed.status !== 200) throw new Error(await changed.text());
      acknowledged.set(id, 2);
    } catch {
      return;
    }
  }
}

async function countLost(acknowledged: ReadonlyMap<string, number>, token: string): Promise<number> {
  let lost = 0;
  for (const [id, version] of acknowledged) {
    const answer = await fetch(`${BASE}/v1/objects/${id}`, { headers: { Authorization: `Bearer ${token}` } });
    const found = Number(/^"(\d+)/.exec(answer.headers.get("ETag") ?? "")?.[1] ?? 0);
    if (answer.status !== 200 || found < version) lost += 1;
  }
  return lost;
}
