/**
 * A backup of the imported records during reads and writes, and a restore. With a database server, also pg_dump and
 * psql in the same run. Both write text and compress it at the same level.
 */
import { execFile } from "node:child_process";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { unpacked } from "../../src/adapters/backups/backup-source.ts";
import { checkDump, restoreDump } from "../../src/adapters/database/dump/restore.ts";
import { makeBackup } from "../../workers/back-up.ts";
import { type Ground, ms, openGround, pace, type Spread, spread, type Where } from "./ground.ts";
import { importInto } from "./import.ts";

const run = promisify(execFile);

export async function benchBackup(where: Where): Promise<void> {
  const ground = await openGround(where);
  const directory = await mkdtemp(join(tmpdir(), "svc-bench-backup-"));
  try {
    await importInto(ground);
    const alone = await waits(ground, () => new Promise((resolve) => setTimeout(resolve, 2_000)));
    let memory = 0;
    const watch = setInterval(() => {
      memory = Math.max(memory, process.memoryUsage().rss);
    }, 20);
    const before = process.memoryUsage().rss;
    const begun = performance.now();
    const file = (await makeBackup(ground.services, { directory, media: false })).database.path;
    const seconds = (performance.now() - begun) / 1000;
    clearInterval(watch);
    const waited = await waits(ground, () => makeBackup(ground.services, { directory, media: false }));
    const { size } = await stat(file);
    const checked = await checkDump(() => unpacked(file));
    console.log(
      `backup, ${where}: ${checked.rows} rows in ${seconds.toFixed(1)} s, ${(checked.rows / seconds).toFixed(0)} rows/s, ${(size / 1e6).toFixed(1)} MB compressed, ` +
        `memory +${Math.round((memory - before) / 1e6)} MB; a read beside it waits ${shown(waited)} ms, otherwise ${shown(alone)} ms (pace ${pace().toFixed(0)} ms)`,
    );
    const empty = await openGround(where);
    try {
      const begun = performance.now();
      await checkDump(() => unpacked(file));
      const read = (performance.now() - begun) / 1000;
      await restoreDump(empty.services.sql, () => unpacked(file), checked);
      const took = (performance.now() - begun) / 1000;
      console.log(
        `restore, ${where}: ${took.toFixed(1)} s, ${(checked.rows / took).toFixed(0)} rows/s, of which ${read.toFixed(1)} s to read it through before anything is touched`,
      );
      if (empty.databaseUrl && ground.databaseUrl)
        await beside(ground, empty, file, directory, seconds, took);
    } finally {
      await empty.close();
    }
  } finally {
    await ground.close();
    await rm(directory, { recursive: true, force: true });
  }
}

/** The same with PostgreSQL's tools. Their dump contains the search index; ours rebuilds it. */
async function beside(
  { databaseUrl }: Ground,
  empty: Ground,
  file: string,
  directory: string,
  ours: number,
  restored: number,
): Promise<void> {
  const left = "search_rows_a search_texts_a search_ranges_a search_terms search_fields search_words".split(
    " ",
  );
  const theirs = join(directory, "pg_dump.sql.gz");
  const without = left.map((table) => `--exclude-table-data=${table}`).join(" ");
  const dump = await timed(`pg_dump --compress=5 ${without} --file="${theirs}" "${databaseUrl}"`);
  const fresh = "drop schema public cascade; create schema public";
  await run("psql", ["-q", "-c", fresh, empty.databaseUrl!]);
  const load = await timed(`gunzip -c "${theirs}" | psql -q -1 -v ON_ERROR_STOP=1 "${empty.databaseUrl}"`);
  await run("psql", ["-q", "-c", fresh, empty.databaseUrl!]);
  const own = await timed(`gunzip -c "${file}" | psql -q "${empty.databaseUrl}"`);
  console.log(
    `  pg_dump ${dump.toFixed(1)} s, ratio ${(ours / dump).toFixed(2)}; psql with its dump ${load.toFixed(1)} s, ratio ${(restored / load).toFixed(2)}; psql with our dump ${own.toFixed(1)} s`,
  );
}

async function timed(command: string): Promise<number> {
  const begun = performance.now();
  await run("sh", ["-c", `${command} > /dev/null`]);
  return (performance.now() - begun) / 1000;
}

/** How long each of successive reads waits, while records are changed, until the work is done. */
async function waits({ services: { sql } }: Ground, work: () => Promise<unknown>): Promise<Spread> {
  const ids = (await sql<{ id: string }[]>`select id from records order by random() limit 2000`).map(
    ({ id }) => id,
  );
  const times: number[] = [];
  let going = true;
  const asking = (async () => {
    for (let n = 0; going; n++) {
      const begun = performance.now();
      await sql`select id, metadata from records where id = ${ids[n % ids.length]!}`;
      times.push(performance.now() - begun);
      if (n % 10 === 0)
        await sql`update records set updated_at = now() where id = ${ids[(n / 10) % ids.length]!}`;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  await work();
  going = false;
  await asking;
  return spread(times);
}

function shown({ p50, p95, max }: Spread): string {
  return [p50, p95, max].map((value) => ms(value).trim()).join(" / ");
}
