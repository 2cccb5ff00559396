/**
 * Imports a long list with one bad row in a hundred, by svc-manage import-csv and by POST /v1/imports, each in a
 * separate process: the outcome of the rows, rows per second, and memory.
 */
import { openAsBlob } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runtimeName } from "../../src/runtimes/serve.ts";
import { environment, started } from "../runtimes/started.ts";
import { MIXED_MAPPING, writeMixedList } from "../support/museum/mixed-list.ts";
import { begin } from "../support/programs/processes.ts";
import { openGround, pace, type Where } from "./ground.ts";

const MAIN = fileURLToPath(new URL("../../cli/svc-manage.mjs", import.meta.url));
const ROWS = Number(process.env.BENCH_CSV_ROWS ?? 100_000);
const PASSWORD = "a list as long as the pier";

export async function benchCsv(where: Where): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "svc-csv-"));
  const list = join(directory, "list.csv");
  const mapping = join(directory, "mapping.json");
  await writeMixedList(list, ROWS);
  await writeFile(mapping, JSON.stringify(MIXED_MAPPING));
  try {
    for (const [name, way] of [
      ["import-csv", byCommand],
      ["POST /v1/imports", overHttp],
    ] as const) {
      const ground = await openGround(where);
      try {
        await ground.leave();
        const settings = { SVC_DATA_DIR: ground.dataDir, DATABASE_URL: ground.databaseUrl ?? "" };
        const begun = performance.now();
        const { result, explained, memory } = await way(settings, list, mapping);
        const seconds = (performance.now() - begun) / 1000;
        console.log(
          `${name}, ${where}: ${ROWS} rows, ${result.created} created, ${result.rejected} refused, ${explained} of them with line and reason; ` +
            `${seconds.toFixed(0)} s, ${(ROWS / seconds).toFixed(0)} rows/s; RSS ${memory.join(", ")} MB at a fifth, half, end, most (pace ${pace().toFixed(0)} ms)`,
        );
      } finally {
        await ground.close();
      }
    }
  } finally {
    await rm(directory, { recursive: true });
  }
}

type Outcome = {
  result: { created: number; rejected: number };
  explained: number;
  memory: number[];
};

async function byCommand(settings: Record<string, string>, list: string, mapping: string): Promise<Outcome> {
  const rejects = `${list}.rejects.csv`;
  const command = [
    "import-csv",
    list,
    "--type",
    "object",
    "--mapping",
    mapping,
    "--rejects",
    rejects,
    "--json",
  ];
  const program = begin([process.execPath, MAIN, ...command], environment(settings));
  const memory = watched(program.child.pid!);
  const code = await program.ended;
  if (code !== 3) throw new Error(`import-csv ended with ${code}: ${program.err.join("\n")}`);
  const text = await readFile(rejects, "utf8");
  await rm(rejects);
  return { result: JSON.parse(program.out.join("")), explained: explainedIn(text), memory: memory.end() };
}

async function overHttp(settings: Record<string, string>, list: string, mapping: string): Promise<Outcome> {
  const own = { ...settings, DEFAULT_ADMIN_EMAIL: "admin@example.org", DEFAULT_ADMIN_PASSWORD: PASSWORD };
  const service = await started([process.execPath, MAIN, "serve"], own, runtimeName());
  try {
    const json = { email: "admin@example.org", password: PASSWORD };
    const token = (await service.ask("/v1/auth/login", { json })).json.access_token as string;
    const memory = watched(service.child.pid!);
    const body = new FormData();
    body.append("type", "object");
    body.append("mapping", await readFile(mapping, "utf8"));
    body.append("file", await openAsBlob(list), "list.csv");
    const headers = { Authorization: `Bearer ${token}` };
    const sent = await fetch(`${service.url}/v1/imports`, { method: "POST", headers, body });
    const { job_id } = (await sent.json()) as { job_id: string };
    for (;;) {
      const { json: job } = await service.ask(`/v1/jobs/${job_id}`, { token });
      if (job.state === "done") {
        const { text } = await service.ask(job.result.rejects, { token });
        return { result: job.result, explained: explainedIn(text), memory: memory.end() };
      }
      if (job.state !== "queued" && job.state !== "running") throw new Error(`${job.state}: ${job.reason}`);
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  } finally {
    await service.stop();
  }
}

/** Rows of a rejects file that give line and reason. */
function explainedIn(text: string): number {
  return text.split("\n").filter((line) => /^\d+,[^,]{5}/.test(line)).length;
}

/** Megabytes of a process, measured four times a second. */
function watched(pid: number): { end(): number[] } {
  const seen: number[] = [];
  const timer = setInterval(async () => {
    const text = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
    const kilobytes = Number(/^VmRSS:\s+(\d+)/m.exec(text)?.[1] ?? Number.NaN);
    if (kilobytes > 0) seen.push(Math.round(kilobytes / 1000));
  }, 250);
  return {
    end() {
      clearInterval(timer);
      const at = (part: number) => seen[Math.floor(part * (seen.length - 1))]!;
      return seen.length === 0 ? [] : [at(0.2), at(0.5), at(1), Math.max(...seen)];
    },
  };
}
