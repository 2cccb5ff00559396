/**
 * Verifies that a backup can be restored, by running `svc-manage backup verify` in a separate process. That needs a second
 * database and would otherwise block the service.
 */
import { fork } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { Refusal } from "../../refusal.ts";
import { ownRuntime } from "../own-runtime.ts";

const PROGRAM = fileURLToPath(new URL("../../../cli/svc-manage.mjs", import.meta.url));
/** Characters of its output that are kept. */
const MOST_KEPT = 1_000_000;

/** @param databaseUrl the server to restore to; null: use an embedded database */
export async function verifyApart(
  path: string,
  databaseUrl: string | null,
  signal?: AbortSignal,
): Promise<Record<string, unknown>> {
  signal?.throwIfAborted();
  const child = fork(PROGRAM, ["backup", "verify", path, "--json"], {
    execArgv: [],
    execPath: ownRuntime(),
    // LC_ALL: what it says is stored, in English. BUN_BE_BUN: otherwise the program as one file would run itself instead of PROGRAM
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl ?? "",
      LOG_FORMAT: "json",
      LC_ALL: "C",
      BUN_BE_BUN: "1",
    },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const output = { out: "", err: "" };
  const listen = (stream: NodeJS.ReadableStream | null, name: keyof typeof output) =>
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output[name] = (output[name] + text).slice(-MOST_KEPT);
    });
  listen(child.stdout, "out");
  listen(child.stderr, "err");
  // SIGTERM lets it delete its database first
  const stop = () => child.kill("SIGTERM");
  signal?.addEventListener("abort", stop, { once: true });
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on("close", resolve);
      child.on("error", reject);
    });
    signal?.throwIfAborted();
    if (code === 0) return proofIn(output.out);
    const reason = output.err.trim().split("\n").at(-1) ?? "";
    if (code === 1 && reason !== "") throw new Refusal(reason);
    throw new Error(`svc-manage backup verify ended with ${code}: ${output.err.slice(-500)}`);
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

function proofIn(out: string): Record<string, unknown> {
  const { database, media, without_checksum } = JSON.parse(out) as {
    database: { made_at: string; tables: Record<string, number> };
    media: { files: number } | null;
    without_checksum: string[];
  };
  return {
    made_at: database.made_at,
    records: database.tables.records ?? 0,
    rows: Object.values(database.tables).reduce((sum, rows) => sum + rows, 0),
    media_files: media?.files ?? null,
    // it is unknown whether these files are unchanged
    ...(without_checksum.length > 0 ? { without_checksum } : {}),
  };
}
