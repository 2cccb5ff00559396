/**
 * The first start: PostgreSQL's files are written beside their final place and moved there when they are complete and
 * on the disk. A start that is killed in between leaves only `database.new`, which the next one deletes.
 */
import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { Refusal } from "../../refusal.ts";
import { demandDirectory } from "../directories.ts";
import { syncDirectory, writeEmptyDatabase } from "./empty-database.ts";

/** The directory of the database inside the data directory, made when it is not there. Only the owner may call it. */
export async function databaseDirectory(dataDir: string): Promise<string> {
  const directory = join(dataDir, "database");
  const unfinished = join(dataDir, "database.new");
  await rm(unfinished, { recursive: true, force: true });
  if (existsSync(join(directory, "PG_VERSION"))) return directory;
  if (existsSync(directory) && (await readdir(directory)).length > 0) {
    throw new Refusal(
      `${directory} is not empty, but contains no database. Move it away, or set another SVC_DATA_DIR`,
    );
  }
  await mkdir(unfinished, { mode: 0o700 });
  try {
    await writeEmptyDatabase(unfinished);
  } catch (error) {
    // asked before room is made again: a disk that has become full says so better than PostgreSQL does
    const full = await demandDirectory("SVC_DATA_DIR", dataDir).catch((refusal: unknown) => refusal);
    await rm(unfinished, { recursive: true, force: true });
    throw full ?? error;
  }
  await rename(unfinished, directory);
  await syncDirectory(dataDir);
  return directory;
}
