/**
 * The engine of the import commands with the search index, compared with a bare COPY of the same rows; then each kind
 * of upsert.
 */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { OPERATOR } from "../../src/caller.ts";
import { runImport } from "../../src/imports/run.ts";
import type { Sql } from "../../src/services.ts";
import { type Ground, openGround, pace, records, source, type Where } from "./ground.ts";

/** Imports the records; answers seconds and the highest memory use. */
export async function importInto(
  ground: Ground,
  upsertStrategy: "skip" | "merge" | "replace" = "skip",
  count?: number,
): Promise<{ rows: number; seconds: number; megabytes: number; outcome: string }> {
  const set = await records(count);
  let memory = 0;
  const begun = performance.now();
  const summary = await runImport(
    ground.services,
    OPERATOR,
    source(set.path),
    {
      kind: "object",
      mapping: set.mapping,
      idnoStrategy: "column",
      upsertStrategy,
      autoPublish: true,
      dryRun: false,
    },
    {
      batch() {
        memory = Math.max(memory, process.memoryUsage().rss);
      },
    },
  );
  const { rows_done, created, updated, unchanged, skipped, rejected } = summary;
  return {
    rows: rows_done,
    seconds: (performance.now() - begun) / 1000,
    megabytes: Math.round(memory / 1e6),
    outcome: `${created} created, ${updated} changed, ${unchanged} unchanged, ${skipped} skipped, ${rejected} refused`,
  };
}

/** Copies the present rows into a table with the same columns and no index. */
async function copySeconds(sql: Sql): Promise<number> {
  const rows = await sql<{ line: string }[]>`
    select concat_ws(e'\t', id, record_type, idno, subtype, status,
      replace(replace(metadata::text, '\\', '\\\\'), e'\t', ' '), replace(replace(title, '\\', '\\\\'), e'\t', ' '), created_at) as line
    from records where record_type = 'object'`;
  await sql`create table copied (id uuid, record_type text, idno text, subtype text, status text, metadata jsonb,
    title text, created_at timestamptz)`;
  const reserved = await sql.reserve();
  const begun = performance.now();
  const into = await reserved`copy copied from stdin`.writable();
  const lines = rows.map((row) => `${row.line.replaceAll("\n", " ")}\n`);
  const chunks: string[] = [];
  for (let at = 0; at < lines.length; at += 500) chunks.push(lines.slice(at, at + 500).join(""));
  await pipeline(Readable.from(chunks), into);
  const seconds = (performance.now() - begun) / 1000;
  reserved.release();
  await sql`drop table copied`;
  return seconds;
}

export async function benchImport(where: Where): Promise<Ground> {
  const ground = await openGround(where);
  const first = await importInto(ground);
  const copy = await copySeconds(ground.services.sql);
  const rate = first.rows / first.seconds;
  console.log(
    `import, ${where}: ${rate.toFixed(0)} records/s with the search index (${first.outcome}; ${first.seconds.toFixed(1)} s, ` +
      `${first.megabytes} MB), bare COPY ${(first.rows / copy).toFixed(0)} rows/s, ratio 1 : ${(first.seconds / copy).toFixed(1)} ` +
      `(target ${where === "external" ? "4000" : "2500"}/s, pace ${pace().toFixed(0)} ms)`,
  );
  for (const strategy of ["skip", "merge", "replace"] as const) {
    const again = await importInto(ground, strategy);
    console.log(
      `  again with ${strategy}: ${(again.rows / again.seconds).toFixed(0)} rows/s (${again.outcome}; ${again.megabytes} MB)`,
    );
  }
  return ground;
}
