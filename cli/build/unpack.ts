/** The start of the one file: unpacks what it carries, once for each version, and runs svc-manage from there. */
import { spawnSync } from "node:child_process";
import { existsSync, lstatSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

/** What is used of Bun; its types are not installed. */
declare const Bun: {
  Archive: new (file: Blob) => { extract(directory: string): Promise<number> };
  embeddedFiles: readonly Blob[];
};
/** Its hash; `binary.ts` fills it in. */
declare const ARCHIVE: string;

/** Beside the program, where that may be written; else where this user's programs keep such files. */
const PLACES = [
  join(dirname(process.execPath), ".svc-manage"),
  join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "svc-manage"),
].map((place) => join(place, ARCHIVE));

async function unpack(place: string): Promise<void> {
  const half = `${place}.${process.pid}`;
  await mkdir(half, { recursive: true, mode: 0o755 });
  try {
    await new Bun.Archive(Bun.embeddedFiles[0]!).extract(half);
    // a power failure must not leave a whole directory with half a program in it
    spawnSync("sync");
    await rename(half, place);
  } catch (error) {
    await rm(half, { recursive: true, force: true });
    // another process was quicker
    if (!existsSync(place)) throw error;
  }
}

/** Nobody else may have put something else there, or can. */
function demandOwn(place: string): void {
  for (const path of [dirname(place), place]) {
    const { uid, mode } = lstatSync(path);
    if ((uid !== 0 && uid !== process.getuid?.()) || (mode & 0o022) !== 0)
      throw new Error(`${path} can be changed by others`);
  }
}

async function programPlace(): Promise<string | null> {
  const faults: string[] = [];
  for (const place of PLACES) {
    try {
      if (!existsSync(place)) await unpack(place);
      demandOwn(place);
      return place;
    } catch (error) {
      faults.push((error as Error).message);
    }
  }
  console.error(
    "svc-manage cannot unpack itself. Let it write beside itself, or set XDG_CACHE_HOME to a directory where it may:",
  );
  for (const fault of faults) console.error(`  ${fault}`);
  return null;
}

const place = await programPlace();
if (place === null) process.exitCode = 1;
else await import(join(place, "cli/program.ts"));
