/** Shared by the benchmarks: scratch catalogues on both databases, 59,000 records, reliable figures. */
import { createReadStream, existsSync, statSync, writeFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { migrate } from "../../src/adapters/database/migrate/migrate.ts";
import { type Composed, compose } from "../../src/compose.ts";
import { readConfig } from "../../src/config/read.ts";
import type { ImportSource } from "../../src/imports/source.ts";
import { createLog } from "../../src/log.ts";
import { enableProjections } from "../../workers/projections.ts";
import { GENEROUS_LIMITS } from "../support/generous-limits.ts";
import { databaseServer, onServer } from "../support/servers/server.ts";

export type Where = "embedded" | "external";

export type Ground = Composed & {
  where: Where;
  dataDir: string;
  databaseUrl: string | null;
  /** Closes the catalogue, so that another process can open it. */
  leave(): Promise<void>;
};

/** An empty, migrated catalogue; `close` deletes it. */
export async function openGround(where: Where): Promise<Ground> {
  const dataDir = await mkdtemp(join(tmpdir(), "svc-bench-"));
  const name = `svc_bench_${process.pid}_${Date.now()}`;
  let databaseUrl: string | null = null;
  if (where === "external") {
    await onServer((sql) => sql.unsafe(`create database ${name}`));
    const url = new URL(databaseServer());
    url.pathname = `/${name}`;
    databaseUrl = url.href;
  }
  const read = readConfig({
    SVC_DATA_DIR: dataDir,
    ...GENEROUS_LIMITS,
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
  });
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  const log = createLog({ level: "error", format: "pretty" });
  const composed = await compose(read.config, "owner", log);
  await migrate(composed.services.sql, {});
  await enableProjections(composed.services);
  let left: Promise<void> | undefined;
  const leave = () => {
    left ??= composed.close();
    return left;
  };
  return {
    ...composed,
    where,
    dataDir,
    databaseUrl,
    leave,
    async close() {
      await leave();
      if (databaseUrl) await onServer((sql) => sql.unsafe(`drop database ${name} with (force)`));
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The number of records; `BENCH_RECORDS` reduces it. */
const RECORDS = Number(process.env.BENCH_RECORDS ?? 59_031);

/** A file of records and its mapping: the real photographs if they are beside the checkout, otherwise invented ones. */
export async function records(
  rows = RECORDS,
): Promise<{ path: string; mapping: unknown; real: boolean; rows: number }> {
  const real = new URL("../../../shared/data/teenie/teenie.csv", import.meta.url).pathname;
  const mapping = new URL("../../docs/examples/teenie/teenie.mapping.json", import.meta.url).pathname;
  if (existsSync(real) && rows <= 59_031) {
    const path = rows === 59_031 ? real : await firstRows(real, rows);
    return { path, mapping: JSON.parse(await readFile(mapping, "utf8")), real: true, rows };
  }
  return { ...inventRecords(rows), real: false, rows };
}

/** The first rows of a CSV file: a row ends where the number of quotation marks before it is even. */
async function firstRows(csv: string, rows: number): Promise<string> {
  const text = await readFile(csv, "utf8");
  let ended = 0;
  let isQuoted = false;
  let end = 0;
  for (; end < text.length && ended <= rows; end++) {
    if (text[end] === '"') isQuoted = !isQuoted;
    else if (text[end] === "\n" && !isQuoted) ended += 1;
  }
  const path = join(tmpdir(), `svc-bench-first-${rows}.csv`);
  writeFileSync(path, text.slice(0, end));
  return path;
}

export function source(path: string): ImportSource {
  return {
    name: path,
    bytes: statSync(path).size,
    open: () =>
      Readable.toWeb(createReadStream(path, { highWaterMark: 256 * 1024 })) as ReadableStream<Uint8Array>,
  };
}

const WORDS =
  "harbour lighthouse woman man child portrait street boat winter evening market church bridge window garden fisherman mill coast storm letter ship lamp dog horse field river snow table girl boy school parade singer dance game team car house".split(
    " ",
  );

/** The same rows every time: a small generator with a fixed seed. */
function inventRecords(rows: number): { path: string; mapping: unknown } {
  let state = 1887;
  const next = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state % below;
  };
  const lines = ["number,title,description,year,material,maker"];
  for (let row = 1; row <= rows; row++) {
    const words = Array.from({ length: 14 }, () => WORDS[Math.min(next(WORDS.length), next(WORDS.length))]);
    const materials = ["paper", "gelatin silver emulsion", "oil paint", "oak", "brass"];
    lines.push(
      `B-${row},${words.slice(0, 5).join(" ")},${words.join(" ")} no ${row},${1850 + next(120)},${materials[next(5)]},Maker ${next(400)}`,
    );
  }
  const path = join(tmpdir(), `svc-bench-${rows}.csv`);
  writeFileSync(path, `${lines.join("\n")}\n`);
  return {
    path,
    mapping: {
      number: "__idno__",
      title: { target: "title", lang: "en" },
      description: "description",
      year: "date",
      material: "material",
      maker: "__relation:created_by:entity__",
    },
  };
}

export type Spread = { p50: number; p95: number; max: number };

export function spread(times: readonly number[]): Spread {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!;
  return { p50: at(0.5), p95: at(0.95), max: sorted.at(-1)! };
}

export function ms(value: number): string {
  return value.toFixed(value < 10 ? 2 : 1).padStart(8);
}

/**
 * The speed of this machine at this moment: milliseconds for a fixed calculation. Printed beside every figure that is
 * not a ratio, because the speed of shared machines changes by the minute.
 */
export function pace(): number {
  const begun = performance.now();
  let x = 1;
  for (let i = 0; i < 50_000_000; i++) x = (x * 31 + i) | 0;
  return x === 0 ? Number.NaN : performance.now() - begun;
}

export function machine(): string {
  pace(); // the first is slower, whatever the machine does
  return `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model.trim() ?? "?"}, pace ${pace().toFixed(0)} ms`;
}
