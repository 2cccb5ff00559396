/** The database that initdb makes, for comparing and packing. */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { START_PARAMETERS } from "../../src/adapters/database/pglite/durable-nodefs.ts";
import type { Contents } from "../../src/adapters/database/pglite/empty-database.ts";
import { startEngine } from "../../src/adapters/database/pglite/engine.ts";

/** Lets PGlite create a database in an empty directory, and closes it. */
export async function madeByInitdb(): Promise<Contents> {
  const directory = await mkdtemp(join(tmpdir(), "svc-initdb-"));
  try {
    await (await startEngine(directory)).close();
    await withoutOldLog(directory);
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    const pathOf = (entry: (typeof entries)[number]) =>
      relative(directory, join(entry.parentPath, entry.name));
    const paths = (of: typeof entries) => of.map(pathOf).sort();
    return {
      pglite: await installedPglite(),
      directories: paths(entries.filter((entry) => entry.isDirectory())),
      files: await Promise.all(
        paths(entries.filter((entry) => entry.isFile())).map(async (path) => ({
          path,
          content: await readFile(join(directory, path)),
        })),
      ),
    };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Removes the write-ahead log of initdb, which is large and no longer needed. */
async function withoutOldLog(directory: string): Promise<void> {
  const startParams = [...START_PARAMETERS, "-c", "wal_recycle=off"];
  const pg = await PGlite.create({ dataDir: directory, startParams });
  await pg.exec("select pg_switch_wal(); checkpoint");
  await pg.close();
}

export async function installedPglite(): Promise<string> {
  const file = new URL("../../node_modules/@electric-sql/pglite/package.json", import.meta.url);
  return (JSON.parse(await readFile(file, "utf8")) as { version: string }).version;
}
