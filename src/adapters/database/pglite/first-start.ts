/**
 * Creates the embedded database at the first start. Its files are written to `database.new`, which is renamed when everything
 * is on the disk. If the start is killed before, the next start deletes `database.new`.
 */

import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { said } from "../../../messages/said.ts";
import { Refusal } from "../../../refusal.ts";
import { demandDirectory } from "../../directories.ts";
import { syncDirectory } from "../../durable-files.ts";
import { writeEmptyDatabase } from "./empty-database.ts";

/** The directory of the database in the data directory. It is created if missing. Only the owner may call this. */
export async function databaseDirectory(dataDir: string): Promise<string> {
  const directory = join(dataDir, "database");
  const unfinished = join(dataDir, "database.new");
  await rm(unfinished, { recursive: true, force: true });
  if (existsSync(join(directory, "PG_VERSION"))) return directory;
  if (existsSync(directory) && (await readdir(directory)).length > 0) {
    throw new Refusal(said("cli.data_directory.no_database", { directory }));
  }
  await mkdir(unfinished, { mode: 0o700 });
  try {
    await writeEmptyDatabase(unfinished);
  } catch (error) {
    // checked before files are deleted: "the disk is full" helps more than PostgreSQL's error
    const full = await demandDirectory("SVC_DATA_DIR", dataDir).catch((refusal: unknown) => refusal);
    await rm(unfinished, { recursive: true, force: true });
    throw full ?? error;
  }
  await rename(unfinished, directory);
  await syncDirectory(dataDir);
  return directory;
}
